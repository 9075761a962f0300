/** Bytes to lines, without joining the same text again and again when a line is long. */

/** Yields the lines of a stream of UTF-8, a last one without line feed too, blank ones never. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [at, piece] of pieces.entries()) {
      parts.push(piece);
      if (at === pieces.length - 1) break;
      const line = parts.join('').trim();
      parts = [];
      if (line !== '') yield line;
    }
  }
  const last = (parts.join('') + decoder.decode()).trim();
  if (last !== '') yield last;
}
