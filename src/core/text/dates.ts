/** Dates in the common spellings, each as one term: `2024-01-05`, `2024-01`. Months by name in eight languages. */

const MONTH_NAMES: readonly string[] = [
  'january jan januar janner ocak janvier enero gennaio janeiro januari',
  'february feb februar subat fevrier febrero febbraio fevereiro februari',
  'march mar marz mart mars marzo marco maart',
  'april apr nisan avril abril aprile',
  'may mai mayis mayo maggio maio mei',
  'june jun juni haziran juin junio giugno junho',
  'july jul juli temmuz juillet julio luglio julho',
  'august aug agustos aout agosto augustus',
  'september sep sept eylul septembre septiembre settembre setembro',
  'october oct oktober okt ekim octobre octubre ottobre outubro',
  'november nov kasim novembre noviembre novembro',
  'december dec dezember dez aralik decembre diciembre dicembre dezembro desember',
];

const MONTHS = new Map<string, number>();
for (let month = 0; month < 12; month++) {
  for (const name of MONTH_NAMES[month]!.split(' ')) MONTHS.set(name, month + 1);
}

/** 1-12 for a folded month's name, else 0. */
export function monthOf(foldedWord: string): number {
  return MONTHS.get(foldedWord) ?? 0;
}

/** `month` or `day` of 0 means not given; undefined when there is no such day. */
export function dateTerm(year: number, month: number, day: number): string | undefined {
  if (year < 1000 || year > 2999 || month < 1 || month > 12 || day < 0 || day > 31) return undefined;
  const start = `${year}-${two(month)}`;
  return day === 0 ? start : `${start}-${two(day)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * The dates that one piece of digits and signs can mean. `05/01/2024` can be read two ways and gives both,
 * since a missed date costs more than a spare term.
 */
export function datesOf(piece: string): readonly string[] {
  const iso = /^(\d{4})([-/._])(\d{1,2})\2(\d{1,2})(?:t[\d:.]*z?.*)?$/.exec(piece);
  if (iso) return known(dateTerm(Number(iso[1]), Number(iso[3]), Number(iso[4])));
  const month = /^(\d{4})[-/](\d{2})$/.exec(piece);
  if (month) return known(dateTerm(Number(month[1]), Number(month[2]), 0));
  const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(piece);
  if (compact) return known(dateTerm(Number(compact[1]), Number(compact[2]), Number(compact[3])));
  const dayFirst = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(piece);
  if (!dayFirst) return [];
  const [first, second, year] = [Number(dayFirst[1]), Number(dayFirst[3]), Number(dayFirst[4])];
  const european = known(dateTerm(year, second, first));
  if (dayFirst[2] === '.' || first === second) return european;
  return [...european, ...known(dateTerm(year, first, second))];
}

function known(term: string | undefined): readonly string[] {
  return term === undefined ? [] : [term];
}
