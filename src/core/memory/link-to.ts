/** Links as doctor proposes them. */

import type { StoredLink } from '../note/stored-note.js';

/** The link as it would be written to lead to `path`, and to the part it names or another, in its own form. */
export function linkTo(link: StoredLink, path: string, part: string = partOf(link)): string {
  const bang = link.kind === 'embed' ? '!' : '';
  const shown = link.shown || (bang === '' ? link.target : '');
  if (link.form === 'markdown' || link.form === 'reference') {
    return `${bang}[${shown}](${encodeURI(path + part).replace(/[()]/g, encodeBracket)})`;
  }
  const isNamed = shown === '' || shown === path;
  return `${bang}[[${path.replace(/\.md$/i, '')}${part}${isNamed ? '' : `|${shown}`}]]`;
}

function partOf({ block, heading }: StoredLink): string {
  if (block !== '') return `#^${block}`;
  return heading === '' ? '' : `#${heading}`;
}

function encodeBracket(bracket: string): string {
  return bracket === '(' ? '%28' : '%29';
}
