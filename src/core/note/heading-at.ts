/** The heading path of a place inside a passage, which may hold several small sections. */

export type HeadedText = {
  /** The path at the passage's first section, and the level of its last heading. */
  readonly headings: readonly string[];
  readonly level: number;
};

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** `offset` counts in `text`, the passage's own. Headings that open the passage are in its path already. */
export function headingsAt(passage: HeadedText, text: string, offset: number): readonly string[] {
  const path: { readonly level: number; readonly text: string }[] = passage.headings.map((heading, at) => ({
    // Levels above the last are not known and do not matter: no section inside a passage stands higher.
    level: at === passage.headings.length - 1 ? passage.level : 0,
    text: heading,
  }));
  let fence = '';
  let start = 0;
  let isFirst = true;
  while (start <= offset && start < text.length) {
    const newline = text.indexOf('\n', start);
    const line = text.slice(start, newline < 0 ? text.length : newline).replace(/\r$/, '');
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
    } else if (mark !== '') fence = mark;
    else {
      const heading = ATX.exec(line);
      const title = heading?.[2]?.trim() ?? '';
      if (heading && title !== '' && !(isFirst && title === path.at(-1)?.text)) {
        const level = heading[1]!.length;
        while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
        path.push({ level, text: title });
      }
      if (line.trim() !== '') isFirst = false;
    }
    if (newline < 0) break;
    start = newline + 1;
  }
  return path.map((heading) => heading.text);
}
