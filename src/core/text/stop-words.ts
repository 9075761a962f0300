/** Words that say nothing about the subject, by language, folded as fold.ts does. For queries only: notes keep all. */

const LISTS: readonly (readonly [language: string, words: string])[] = [
  [
    'en',
    `a about above after again against all also am an and any are as at be because been before being below between
    both but by can cannot could did didnt do does doesnt doing dont down during each either else ever few for from
    further get give given gives got had has hasnt have havent having he her here hers herself him himself his how
    however i id if ill im in into is isnt it its itself ive just let like many may me might more most much must my
    myself no nor not of off on once one only or other our ours ourselves out over own please same shall she should
    so some such than that thats the their theirs them themselves then there theres these they theyre this those
    through to too under until up upon us very was wasnt we were werent what whats when where wheres whether which
    while who whom whos whose why will with within without would you your youre yours yourself yourselves s t re ve
    ll d m tell`,
  ],
  [
    'de',
    `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei
    damit dann das dass dein deine dem den denen denn der deren des dessen die dies diese diesem diesen dieser
    dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur gab gegen gibt habe haben hat
    hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden
    jeder jedes jener kann kein keine konnen konnte machen man mehr mein meine mit mochte muss musste nach nachdem
    nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche
    soll sollte sondern sowie uber um und uns unser unter viel viele vieler vom von vor wahrend wann war waren warum
    was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder wieviel wird
    wirst wo wohin wollen worden wurde wurden zu zum zur zwischen`,
  ],
  [
    'tr',
    `acaba ama ancak bana bazi belki ben beni benim bir biri bircok biz bize bizim bu buna bunda bundan bunlar bunu
    bunun cok cunku da daha de defa degil diger diye dolayi eden eder edildi en fakat gibi gore halen hangi hangisi
    hem henuz hep her hic icin icinde ile ilgili ise iste kac kadar karsi kendi kez ki kim kime kimin kimdir mi misin
    mu nasil ne neden nedir nerede nereye nin niye o olan olarak oldu oldugu olduklarini olmak olup olur on ona ondan
    onlar onlarin onu onun oysa pek sadece sanki sen siz su sonra tarafindan tum tumu uzere var vardi ve veya ya yani
    yapilan yapti yine yok zaten`,
  ],
  [
    'es',
    `al algo ante antes como con contra cual cuales cuando cuanto cuantos de del desde donde dos el ella ellas ellos
    en entre era eran es esa ese eso esta estaba estan este esto estos fue fueron ha han hasta hay la las le les lo
    los mas me mi muy no nos o otra otro para pero por porque que quien quienes se sea ser si sin sobre son su sus
    tambien tan te tenia tiene todo todos tu un una uno unos y ya yo`,
  ],
  [
    'fr',
    `a au aux avec c ce ces cet cette comment d dans de des donc du elle elles en est et etait ete etre eu il ils j je
    l la le les leur leurs lui m ma mais me meme mes moi mon n ne nos notre nous on ont ou par pas plus pour pourquoi
    qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sur t ta te tes toi ton tu un une
    vos votre vous y`,
  ],
  [
    'it',
    `a ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e era erano essere
    fu gli ha hanno i il in io la le lo loro ma mi ne nei nel nella non o per perche piu quale quali quando quanto
    quanti questa questo se si sono su sua sul sulla suo un una uno`,
  ],
  [
    'pt',
    `a ao aos as com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi foram ha
    isso isto ja la mais mas me mesmo muito na nao nas no nos o os ou para pela pelo por porque qual quais quando
    quantos que quem se sem ser seu seus sua suas tambem tem um uma voce`,
  ],
  [
    'nl',
    `aan al als bij dan dat de der die dit door een en er had heb hebben heeft het hij hoe ik in is je kan maar
    meer men met mijn naar niet nog of om onder ons ook op over te tot uit van veel voor waar waarom wanneer waren
    was wat we welk welke werd wie wij wordt worden ze zich zij zijn zo zou`,
  ],
  [
    'ro',
    `a acea aceasta acest acesta aceste acestea acestei acestor acestui al ale am ar are as asupra au avea avut ca cand
    care carei caror carui cat cate cati catre ce cea cei cel cele celor cine cu cum daca dar de decat din dintre doar
    dupa ea ei el ele era erau este fara fi fie fiind fost i il in intr intre isi iar la le li lor lui mai multe multi
    nu o or pe pentru prin sa sau se si spre sub sunt toate tot un una unde unei unor unui va vor`,
  ],
  [
    'ru',
    `а без более был была были было быть в вам вас во вот все всего вы где да даже для до его ее если есть еще же за
    и из или им их к как какая какие какои какое каких какую ко когда кого кто куда ли между меня мне много мы на над
    не него нее нет ни них но о об однако он она они оно от по под после почему при с сколько со так также такои там
    то того тоже только том тот ты у уже чего чем что чтобы эта эти это этого этои этот я является`,
  ],
  [
    'el',
    `απο αυτη αυτο αυτοσ για δεν εαν ειναι εκει ενα ενασ εναν εχει εχουν η ηταν θα και κατα με μετα μια μιασ να ο οι
    οποια οποιο οποιοσ οπωσ οταν οτι που ποια ποιεσ ποιο ποιοι ποιοσ ποιον ποιων ποσα ποσεσ ποσο ποσοι ποτε ποτε προσ
    πωσ σε στα στη στην στισ στο στον στουσ τα τη την τησ τι τισ το τον του τουσ των ωσ`,
  ],
  [
    'ar',
    `ان انه الى التي الذي الذين او اي اين ايضا اذا الا اما بعد بين تم ثم حتى حول حيث خلال ذلك عن عند عندما على علي فقد
    في فيها قبل قد كان كانت كل كم كما كيف لا لقد لم لماذا لن له لها ليس ما ماذا ماهي ماهو متي مع من منذ منها مهما نحو
    هذا هذه هل هم هناك هو هي هولاء و وهو وهي يا يتم يكون تكون الي ايه`,
  ],
  [
    'hi',
    `अपना अपने आप इन इस इसका इसके इसे उन उनके उस उसके एक एवं ऐसे और कब कर करता करते करने कहा कहां का काम कि कितना
    कितनी कितने किन किया किस किसी किसके किसने की के को कोई कौन कौनसा क्या क्यों गई गए गया जब जा जाता जो तक तो था थी थे
    द्वारा ने नहीं पर फिर बहुत भी में यह या ये रहा रहे लिए वह वाले वे सकता सभी साथ से हुआ हुई हुए है हैं हो होता होती होने`,
  ],
  [
    'vi',
    `ai bao bi boi ca cac cach cho co con cua cung da dau day de den do duoc gi giua hay khi khong la lai lam may moi
    mot nao nay nhieu nhu nhung noi o phai qua ra rang rat sao sau se su tai the theo thi tren trong tu va vao van ve
    vi voi`,
  ],
];

export class StopLanguage {
  constructor(
    readonly language: string,
    private readonly words: string,
  ) {}

  /** Looks the folded word up in the text of the list: making sets of all lists takes longer than all look-ups of a query. */
  has(word: string): boolean {
    if (word === '') return false;
    for (let at = this.words.indexOf(word); at >= 0; at = this.words.indexOf(word, at + 1)) {
      if (isBorder(this.words, at - 1) && isBorder(this.words, at + word.length)) return true;
    }
    return false;
  }
}

function isBorder(words: string, at: number): boolean {
  return at < 0 || at >= words.length || words.charCodeAt(at) <= 32;
}

const LANGUAGES: readonly StopLanguage[] = LISTS.map(
  ([language, words]) => new StopLanguage(language, words),
);

/** A word of a query: folded, and whether it is written with letters that English lacks. */
export type QueryWord = { readonly folded: string; readonly isForeign: boolean };

/**
 * The language whose stop words hold for a query: the one that most of its words belong to. Lists of other languages
 * stay out, since `die`, `war` or `hat` are stop words in one and subjects in another. A language other than English
 * must be met more often than English, and twice unless its word has letters that English lacks.
 */
export function stopLanguageFor(words: readonly QueryWord[]): StopLanguage {
  let best = LANGUAGES[0]!;
  let bestHits = hits(best, words).length;
  for (const candidate of LANGUAGES.slice(1)) {
    const found = hits(candidate, words);
    if (found.length > bestHits && (found.length >= 2 || found[0]!.isForeign)) {
      best = candidate;
      bestHits = found.length;
    }
  }
  return best;
}

function hits(language: StopLanguage, words: readonly QueryWord[]): readonly QueryWord[] {
  return words.filter(({ folded }) => language.has(folded));
}
