/** Small phrases that the texts of several operations share. */

/** Text from a note on one line: line breaks and tabs become spaces, runs of them one. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** `1 note`, `2 notes`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** `12,345`. By hand, since `toLocaleString` loads locale data on the way of every search. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

const AGE_UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `just now`, `12 s ago`, `3 h ago`. */
export function age(ms: number): string {
  for (const [unitMs, name] of AGE_UNITS) {
    if (ms >= unitMs) return `${Math.floor(ms / unitMs)} ${name} ago`;
  }
  return 'just now';
}

/** `2026-01-31 09:00` on this machine's clock; a year, month or day stays as it is. */
export function localMinute(date: string): string {
  if (!date.includes('T')) return date;
  const at = new Date(date);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `980 bytes`, `1.2 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

const LISTED_AT_MOST = 20;

/** Lines for skipped files, each with its reason; a long list is cut and says so. */
export function skippedLines(
  skipped: readonly { readonly path: string; readonly reason: string }[],
): string[] {
  const lines = skipped
    .slice(0, LISTED_AT_MOST)
    .map(({ path, reason }) => `skipped ${oneLine(path)}: ${oneLine(reason)}`);
  const rest = skipped.length - lines.length;
  if (rest > 0) lines.push(`and ${count(rest, 'more skipped file')}: memory status --json`);
  return lines;
}

// Made for the first such character: V8 takes a millisecond to prepare them.
const isWide = (character: string) =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
    character,
  );
const hasNoWidth = (character: string) => /[\p{Mn}\p{Me}\p{Cf}]/u.test(character);

/** Columns that a terminal gives the text: two for East Asian wide characters and emoji, none for marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character < '\u0300') width += 1;
    else if (!hasNoWidth(character)) width += isWide(character) ? 2 : 1;
  }
  return width;
}
