/** Notes as resources: `memory://note/<path>`, each part of the path percent-encoded. */

import { MemoryError, toMemoryError } from '../../core/errors.js';
import { cleanText } from '../../operations/clean-text.js';
import { loadOperation } from '../../operations/index.js';
import { invoke, type OperationContext } from '../../operations/operation.js';
import { makeKept, readCursor, writeCursor } from './kept.js';
import { ProtocolError } from './sdk.js';

const PREFIX = 'memory://note/';
const PAGE_LENGTH = 200;
const MARKDOWN = 'text/markdown';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

export const resourceTemplates = [
  {
    uriTemplate: `${PREFIX}{+path}`,
    name: 'note',
    description: 'A note of the vault by its path',
    mimeType: MARKDOWN,
  },
];

export type Resource = {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
  readonly annotations?: { readonly lastModified: string };
};

export type ResourcePage = { readonly resources: Resource[]; readonly nextCursor?: string };

export function uriOfNote(path: string): string {
  return PREFIX + path.split('/').map(encodeURIComponent).join('/');
}

/** Undefined for what is no address of a note. */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(uri.slice(PREFIX.length)) || undefined;
  } catch {
    return undefined;
  }
}

/** Lists pages of notes, the newest first; all pages after a first one are of the same moment. */
export function makeResourceLists() {
  const kept = makeKept<readonly Resource[]>();
  const pageAt = (key: string, all: readonly Resource[], start: number): ResourcePage => {
    const end = start + PAGE_LENGTH;
    const resources = all.slice(start, end);
    return end < all.length ? { resources, nextCursor: writeCursor(key, end) } : { resources };
  };
  return async (context: OperationContext, cursor: string | undefined): Promise<ResourcePage> => {
    if (cursor !== undefined) {
      const { key, places } = readCursor(cursor);
      const all = kept.find(key);
      if (all === undefined || places[0] === undefined) {
        throw new ProtocolError(INVALID_PARAMS, `The list at cursor "${cursor}" is not kept any more`, {
          hint: 'List again without cursor.',
        });
      }
      return pageAt(key, all, places[0]);
    }
    const all = await listNotes(context);
    if (all.length <= PAGE_LENGTH) return { resources: [...all] };
    return pageAt(kept.keep(all, all.length * PAGE_LENGTH), all, 0);
  };
}

async function listNotes({ openMemory, signal, notice }: OperationContext): Promise<readonly Resource[]> {
  const memory = await openMemory().catch(refuse);
  const { notes } = await memory.recent({ limit: Number.MAX_SAFE_INTEGER }, { signal, notice }).catch(refuse);
  return notes.map(({ path, title, updated }) => ({
    uri: uriOfNote(path),
    name: cleanText(path),
    title: cleanText(title),
    mimeType: MARKDOWN,
    ...(/^\d{4}-\d{2}-\d{2}T/.test(updated) ? { annotations: { lastModified: updated } } : {}),
  }));
}

/** The note as it stands in its file. Its path alone names it, no title or alias. */
export async function readResource(context: OperationContext, uri: string) {
  const path = pathOfUri(uri);
  const missing = (hint: string | undefined) =>
    new ProtocolError(INVALID_PARAMS, `There is no resource "${uri}"`, { uri, hint });
  if (path === undefined) throw missing(`Resources are ${PREFIX}<path of a note>.`);
  const show = (await loadOperation('show'))!;
  const output = await invoke(context, show, { note: path }).catch((error: unknown) => {
    const { code, hint } = toMemoryError(error);
    if (code === 'not_found' || code === 'invalid_input') throw missing(hint);
    return refuse(error);
  });
  if (output['path'] !== path) throw missing(`Did you mean ${uriOfNote(String(output['path']))}?`);
  return { contents: [{ uri, mimeType: MARKDOWN, text: String(output['text']) }] };
}

function refuse(thrown: unknown): never {
  const { code, message, hint, details } = toMemoryError(thrown);
  const number = thrown instanceof MemoryError && code === 'invalid_input' ? INVALID_PARAMS : INTERNAL_ERROR;
  throw new ProtocolError(number, message, { code, hint, details });
}
