/** What a link points at: path, heading and block parts, decoded. Where it stands: wikilinks.ts, markdown-links.ts. */

export type LinkTarget = { readonly target: string; readonly heading: string; readonly block: string };

const SCHEME = /^[A-Za-z][A-Za-z\d+.-]+:/;

/** A URL with a scheme or a host: no link within the vault. `C:\x` is a path. */
export function isExternal(destination: string): boolean {
  return SCHEME.test(destination) || destination.startsWith('//');
}

/** `path#H1#H2` or `path#^id`, as in a wikilink. Undefined if it names nothing. */
export function readWikiTarget(written: string): LinkTarget | undefined {
  const sign = written.indexOf('#');
  const target = (sign < 0 ? written : written.slice(0, sign)).trim();
  if (target.includes('://') && SCHEME.test(target)) return undefined;
  if (sign < 0) return target === '' ? undefined : { target, heading: '', block: '' };
  const place = readPlace(written.slice(sign + 1));
  return target === '' && place.heading === '' && place.block === '' ? undefined : { target, ...place };
}

/** The destination of a Markdown link: escapes resolved, still percent-encoded. Undefined if it names nothing here. */
export function readMarkdownTarget(destination: string): LinkTarget | undefined {
  if (destination === '' || isExternal(destination)) return undefined;
  const sign = destination.indexOf('#');
  const target = decode(sign < 0 ? destination : destination.slice(0, sign));
  if (sign < 0) return { target, heading: '', block: '' };
  const place = readPlace(decode(destination.slice(sign + 1)));
  return target === '' && place.heading === '' && place.block === '' ? undefined : { target, ...place };
}

function readPlace(written: string): { heading: string; block: string } {
  const sign = written.lastIndexOf('#');
  const last = written.slice(sign + 1).trim();
  if (last.startsWith('^')) return { heading: '', block: last.slice(1) };
  return { heading: written.trim(), block: '' };
}

/** Percent-decoded; a sequence that is no UTF-8 stays as written. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[\dA-Fa-f]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}
