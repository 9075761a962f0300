/** The link that opens a note in Obsidian. The vault is known there by the name of its folder. */
export function obsidianUri(root: string, path: string): string {
  const vault = root.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
  return `obsidian://open?vault=${encode(vault)}&file=${encode(path.replace(/\.md$/i, ''))}`;
}

/** A name that is no valid UTF-16 still gives a link, though one that leads nowhere. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
