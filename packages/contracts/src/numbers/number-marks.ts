/*
 * Where a body had a number, though what was parsed is a text: `parseBody` hands numbers over as text that binary cannot hold. A whole
 * number is a fine id. A fraction or a number of hundreds of digits is none, and its text could not be told from a text that was sent.
 *
 * Such numbers are rare, so the marks cost the usual body one look into an empty map.
 */

/** The names under which each object of a body holds such a number. */
export type NumberMarks = Map<object, Set<string>>;

const marksOfBody = new WeakMap<object, NumberMarks>();

export function markNumber(marks: NumberMarks, holder: object, name: string): void {
  const names = marks.get(holder);
  if (names === undefined) marks.set(holder, new Set([name]));
  else names.add(name);
}

export function keepMarks(body: unknown, marks: NumberMarks): void {
  if (marks.size > 0 && typeof body === 'object' && body !== null) marksOfBody.set(body, marks);
}

export function marksOf(body: object): NumberMarks | undefined {
  return marksOfBody.get(body);
}

/** A copy of a body that holds the same numbers at its first level. */
export function copyMarks(from: object, to: object): void {
  const marks = marksOfBody.get(from);
  if (marks === undefined) return;
  const names = marks.get(from);
  marksOfBody.set(to, names === undefined ? marks : new Map([...marks, [to, names]]));
}
