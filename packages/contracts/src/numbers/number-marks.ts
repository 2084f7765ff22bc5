/*
 * `parseBody` returns a number as text if binary cannot represent it exactly. A whole number is a valid id. A fraction,
 * or a number of hundreds of digits, is not, and its text looks like a text that was sent. So these marks record where
 * a body had such a number.
 *
 * Such numbers are rare. For a typical body, the marks cost only one look-up in an empty map.
 */

/** The names under which each object of a body has such a number. */
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

/** Copies the marks of the first level to a copy of a body. */
export function copyMarks(from: object, to: object): void {
  const marks = marksOfBody.get(from);
  if (marks === undefined) return;
  const names = marks.get(from);
  marksOfBody.set(to, names === undefined ? marks : new Map([...marks, [to, names]]));
}
