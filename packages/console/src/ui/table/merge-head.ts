/** The first page of a list as it is now. */
export interface Head<Item> {
  items: readonly Item[];
  /** Null: the list has no second page. */
  next: string | null;
}

export interface Merged<Item> {
  /** The shown rows with their present values; those that left the list are left out. */
  rows: readonly Item[];
  /** Rows of the first page that are not shown yet. */
  fresh: number;
  /** True where more than a page is new: there may be further new rows between the first page and what is shown. */
  isMore: boolean;
}

/**
 * Brings the rows on the screen up to date with the first page of now, without moving them: rows that came since are only counted. Pure.
 *
 * A row that the first page lacks has left the list where the page reaches beyond it, or is the whole list.
 */
export function mergeHead<Item>(
  shown: readonly Item[],
  head: Head<Item> | undefined,
  keyOf: (item: Item) => string | number,
): Merged<Item> {
  if (head === undefined) return { rows: shown, fresh: 0, isMore: false };
  const places = new Map(shown.map((item, place) => [keyOf(item), place]));
  const now = new Map(head.items.map((item) => [keyOf(item), item]));
  const known = head.items.map((item) => places.get(keyOf(item))).filter((place) => place !== undefined);
  const fresh = head.items.length - known.length;
  const reach = head.next === null ? shown.length : Math.max(-1, ...known);
  const rows = shown.flatMap((item, place) => now.get(keyOf(item)) ?? (place < reach ? [] : item));
  return { rows, fresh, isMore: known.length === 0 && shown.length > 0 && head.next !== null };
}

/** Each row once: a list that grows at its top can name a row again on its next page. Pure. */
export function withoutRepeats<Item>(items: readonly Item[], keyOf: (item: Item) => string | number): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
