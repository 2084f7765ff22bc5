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

/** What tells rows of a list apart. */
export interface RowNames<Item> {
  keyOf(item: Item): string | number;
  /**
   * Of lists whose rows come to the top when there is news of them: what names the latest news of a row. Left out: rows keep their places, and a
   * row is news by its key.
   */
  newsOf?: ((item: Item) => string | number) | undefined;
}

/**
 * Brings the rows on the screen up to date with the first page of now, without moving them: news is only counted. Pure.
 *
 * A row that the first page lacks has left the list where the page reaches beyond it, or is the whole list.
 */
export function mergeHead<Item>(
  shown: readonly Item[],
  head: Head<Item> | undefined,
  { keyOf, newsOf }: RowNames<Item>,
): Merged<Item> {
  if (head === undefined) return { rows: shown, fresh: 0, isMore: false };
  const places = new Map(shown.map((item, place) => [keyOf(item), place]));
  const now = new Map(head.items.map((item) => [keyOf(item), item]));
  const news = new Set(shown.map(newsOf ?? keyOf));
  const fresh = head.items.filter((item) => !news.has((newsOf ?? keyOf)(item))).length;
  const known = head.items.map((item) => places.get(keyOf(item))).filter((place) => place !== undefined);
  const reach = head.next === null ? shown.length : newsOf === undefined ? Math.max(-1, ...known) : -1;
  const rows = shown.flatMap((item, place) => now.get(keyOf(item)) ?? (place < reach ? [] : item));
  return { rows, fresh, isMore: fresh === head.items.length && shown.length > 0 && head.next !== null };
}

/** Each row once: a list that grows at its top can name a row again on its next page. Pure. */
export function withoutRepeats<Item>(items: readonly Item[], keyOf: (item: Item) => string | number): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
