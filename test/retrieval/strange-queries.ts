/**
 * Queries about nothing in a collection, the same on every run: strings of letters, words that do not exist, real words of
 * other subjects in no order, sentences in languages that the notes do not have, and well-formed questions of other
 * collections.
 */

import { type Random, seededRandom } from '../random.js';

export type StrangeKind = 'letters' | 'invented' | 'shuffled' | 'foreign' | 'other';
export type StrangeQuery = { readonly kind: StrangeKind; readonly text: string };

/** A collection's questions; `subject` is the same for those that ask of the same things. */
export type Questions = {
  readonly subject: string;
  readonly language: string;
  readonly texts: readonly string[];
};

const OF_EACH_KIND = 50;
const OF_EACH_COLLECTION = 40;

/** 200 in four kinds, and `other` beside them. */
export function strangeQueries(own: Questions, all: readonly Questions[], seed = 7): readonly StrangeQuery[] {
  const random = seededRandom(seed + own.texts.length);
  const others = all.filter(({ subject }) => subject !== own.subject);
  const words = others
    .filter(({ language }) => language === 'en')
    .flatMap(({ texts }) => texts.slice(0, 200))
    .flatMap((text) => text.toLowerCase().split(/[^a-z]+/))
    .filter((word) => word.length > 4);
  const foreign = Object.entries(SENTENCES).filter(([language]) => language !== own.language);
  const sentences = shuffled(
    foreign.flatMap(([, texts]) => texts),
    random,
  );
  const times = (kind: StrangeKind, make: () => string) =>
    Array.from({ length: OF_EACH_KIND }, () => ({ kind, text: make() }));
  return [
    ...times('letters', () => letters(random)),
    ...times('invented', () => inventedWords(random)),
    ...times('shuffled', () =>
      Array.from({ length: 3 + random.below(5) }, () => random.pick(words)).join(' '),
    ),
    ...sentences.slice(0, OF_EACH_KIND).map((text) => ({ kind: 'foreign' as const, text })),
    ...others.flatMap(({ texts }) =>
      Array.from({ length: OF_EACH_COLLECTION }, () => ({
        kind: 'other' as const,
        text: random.pick(texts),
      })),
    ),
  ];
}

function letters(random: Random): string {
  const word = () => Array.from({ length: 4 + random.below(8) }, () => random.pick(ALPHABET)).join('');
  return Array.from({ length: 1 + random.below(5) }, word).join(' ');
}

function inventedWords(random: Random): string {
  const word = () => {
    const syllables = 2 + random.below(2);
    return Array.from({ length: syllables }, (_, at) => {
      const hasEnd = at === syllables - 1 || random.chance(0.3);
      return random.pick(BEGINNINGS) + random.pick(VOWELS) + (hasEnd ? random.pick(ENDS) : '');
    }).join('');
  };
  return Array.from({ length: 2 + random.below(5) }, word).join(' ');
}

function shuffled(texts: readonly string[], random: Random): readonly string[] {
  const mixed = [...texts];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz'];
const BEGINNINGS =
  'b br bl c cr d dr f fl g gl gr h j k kl l m n p pl pr qu r s sk sl sp st str t tr v w z zh th'.split(' ');
const VOWELS = 'a e i o u oo ea ai ou'.split(' ');
const ENDS = ['', ...'n m r l sk nd rf x zz b g lt mp ck v'.split(' ')];

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  pl: [
    'Jak przygotować domowy chleb na zakwasie',
    'Kiedy najlepiej sadzić czosnek w ogrodzie',
    'Ile kosztuje bilet miesięczny we Wrocławiu',
    'Dlaczego niebo jest niebieskie po burzy',
  ],
  fi: [
    'Kuinka monta kuukautta talvi kestää Lapissa',
    'Missä voin korjata rikkinäisen polkupyöräni',
    'Miksi koira haukkuu öisin naapurissa',
    'Paras resepti karjalanpiirakoille mummolta',
  ],
  hu: [
    'Hogyan kell gulyást főzni bográcsban',
    'Mikor nyit a könyvtár szombaton reggel',
    'Miért fáj a hátam reggelente ébredéskor',
    'Melyik vonat megy Debrecenbe holnap',
  ],
  cs: [
    'Kolik stojí oprava staré pračky',
    'Kde najdu nejlepší houby v lese',
    'Proč kočka nechce jíst granule',
    'Jak se učí děti plavat v bazénu',
  ],
  sv: [
    'Hur lång tid tar det att bygga ett växthus',
    'Varför blir mjölken sur så snabbt',
    'Vilka blommor trivs bäst i skugga',
    'När går sista bussen till Uppsala',
  ],
  es: [
    'Cómo preparar una tortilla de patatas jugosa',
    'Dónde puedo alquilar una bicicleta en Sevilla',
    'Por qué ladran los perros por la noche',
    'Cuánto tarda en crecer un limonero',
  ],
  fr: [
    'Comment réparer un robinet qui fuit dans la cuisine',
    'Quelle est la meilleure recette de soupe aux oignons',
    'Pourquoi les feuilles tombent-elles en automne',
    'Où acheter du fromage de chèvre près de Lyon',
  ],
  it: [
    'Come si cucina il risotto allo zafferano',
    'Quanto dura il viaggio in treno per Bologna',
    'Perché il mio gatto dorme tutto il giorno',
    'Dove posso comprare scarpe da montagna',
  ],
  pt: [
    'Como fazer pão de queijo em casa',
    'Onde fica a farmácia mais próxima da praia',
    'Por que o céu fica vermelho ao entardecer',
    'Quanto tempo leva para cozinhar feijão',
  ],
  nl: [
    'Hoe bak ik een appeltaart zonder suiker',
    'Waarom piept de achterdeur elke ochtend',
    'Welke fiets is geschikt voor lange tochten',
    'Wanneer bloeien de tulpen in de polder',
  ],
  ru: [
    'Как приготовить борщ по бабушкиному рецепту',
    'Почему зимой замерзают водопроводные трубы',
    'Где купить билеты на ночной поезд',
    'Сколько стоит ремонт старого холодильника',
  ],
  el: [
    'Πώς φτιάχνω σπιτικό γιαούρτι με μέλι',
    'Γιατί η θάλασσα είναι αλμυρή',
    'Πότε ανθίζουν οι αμυγδαλιές στο χωριό',
  ],
  he: ['איך מכינים חומוס ביתי טעים', 'למה החתול שלי מיילל בלילה', 'מתי יוצאת הרכבת לחיפה'],
  ko: ['김치찌개를 맛있게 끓이는 방법', '오늘 저녁에 비가 올까요', '고양이가 밤에 우는 이유'],
  hi: ['घर पर पनीर कैसे बनाएं', 'बारिश के बाद आसमान नीला क्यों होता है', 'सुबह की ट्रेन कितने बजे जाती है'],
  vi: [
    'Cách nấu phở bò tại nhà ngon nhất',
    'Tại sao con mèo ngủ suốt ngày',
    'Mấy giờ chuyến tàu đêm khởi hành',
  ],
  id: [
    'Bagaimana cara membuat rendang yang empuk',
    'Mengapa kucing saya tidur sepanjang hari',
    'Berapa harga tiket kereta malam',
  ],
  ka: ['როგორ მოვამზადო ხაჭაპური სახლში', 'რატომ არის ზღვა მარილიანი'],
  uk: ['Як зварити вареники з вишнями', 'Чому взимку замерзають труби'],
};
