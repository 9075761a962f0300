/** Passages of one note have neighbouring numbers, so notes are runs of one note number. */

/** Notes among the passages; holes are 0. */
export function countNotes(noteOf: Uint32Array): number {
  let notes = 0;
  let previous = 0;
  for (let i = 0; i < noteOf.length; i += 1) {
    const note = noteOf[i]!;
    if (note !== 0 && note !== previous) notes += 1;
    previous = note;
  }
  return notes;
}
