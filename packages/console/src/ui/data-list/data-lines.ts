export type Plain = string | number | boolean | null;

/** One value of an object of the API, with the names that lead to it. Several plain values of a list form one line. */
export interface DataLine {
  path: readonly string[];
  values: readonly Plain[];
}

const isPlain = (value: unknown): value is Plain => value === null || typeof value !== 'object';

/** Returns the values of an object in its order, without absent values. Pure. */
export function dataLines(value: unknown, path: readonly string[] = []): DataLine[] {
  if (value === undefined) return [];
  if (isPlain(value)) return [{ path, values: [value] }];
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return [{ path, values: value }];
    return value.flatMap((one, place) => dataLines(one, [...path, String(place + 1)]));
  }
  return Object.entries(value).flatMap(([name, one]) => dataLines(one, [...path, name]));
}
