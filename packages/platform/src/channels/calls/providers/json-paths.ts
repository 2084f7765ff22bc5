/*
 * The paths of the settings of an HTTP provider: names and places, separated by dots. In the paths of reports and replies, one name may be
 * `*`, which stands for each element of a list: `results.*.from`, or `*.from` if the body itself is a list.
 */

/**
 * Returns the value at a path such as `messages.0.id`, as text. It reads own properties only. Null if there is no string, number or
 * boolean at the path.
 */
export function textAt(body: unknown, path: string): string | null {
  const value = path.split('.').reduce(propertyOf, body);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The path of the list: `results` for `results.*.from`, and empty if the body is the list. Null if the path has no `*`. */
export function listIn(path: string): string | null {
  const names = path.split('.');
  const place = names.indexOf('*');
  return place === -1 ? null : names.slice(0, place).join('.');
}

/** Reads a path of the settings. */
export type ReadPath = (path: string) => string | null;

/**
 * The elements of the list that these paths name. A path without `*` has the same value for each of them. If no path has a `*`, the body
 * is the only element.
 */
export function elementsOf(body: unknown, paths: readonly string[]): ReadPath[] {
  const list = paths.map(listIn).find((one) => one !== null);
  if (list === undefined) return [(path) => textAt(body, path)];
  const elements = list === '' ? body : list.split('.').reduce(propertyOf, body);
  if (!Array.isArray(elements)) return [];
  return elements.map((element: unknown) => (path) => {
    const names = path.split('.');
    const place = names.indexOf('*');
    return place === -1 ? textAt(body, path) : textAt(element, names.slice(place + 1).join('.'));
  });
}

/** Why these paths cannot be read together, or null. */
export function pathsProblem(paths: readonly string[]): string | null {
  const names = paths.map((path) => path.split('.'));
  if (names.some((of) => of.filter((name) => name.includes('*')).length > 1 || of.at(-1) === '*'))
    return 'a path may contain one *, and a name must follow it';
  if (names.flat().some((name) => name.includes('*') && name !== '*')) return 'a * must be a whole name: results.*.id';
  const lists = new Set(paths.map(listIn).filter((list) => list !== null));
  return lists.size > 1 ? 'all paths with a * must name the same list' : null;
}
