/** The forms under which names, paths and link targets are compared. What is shown keeps the bytes as written. */

/** NFC and lower case: two names with one key are the same to a reader. */
export function lookupKey(text: string): string {
  return isPlainLower(text) ? text : text.normalize('NFC').toLowerCase();
}

/** Last path segment without `.md`: the key links and notes meet under. */
export function stemKey(path: string): string {
  return lookupKey(stemOf(path));
}

/** File name without folder and without the `.md` ending. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.md$/i.test(name) ? name.slice(0, -3) : name;
}

function isPlainLower(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127 || (code > 64 && code < 91)) return false;
  }
  return true;
}
