/** The current first page of a list. */
export interface Head<Item> {
  items: readonly Item[];
  /** The cursor of the second page. Null if the list has no second page. */
  next: string | null;
}

export interface Merged<Item> {
  /** The rows on the screen with their current values, without the rows that left the list. */
  rows: readonly Item[];
  /** Rows of the first page that are not shown yet. */
  fresh: number;
  /**
   * True if more than one page is new. Then there may be more new rows between the first page and the rows on the
   * screen.
   */
  isMore: boolean;
}

/** The keys that identify a row and its latest change. */
export interface RowNames<Item> {
  keyOf(item: Item): string | number;
  /**
   * The key of the latest change of a row, for lists in which a changed row moves to the top. If it is omitted, rows
   * keep their places, and only rows with a new key are new.
   */
  newsOf?: ((item: Item) => string | number) | undefined;
}

/**
 * Updates the rows on the screen from the current first page, without moving them. New rows are only counted. Pure.
 *
 * A row that is missing on the first page has left the list if the page reaches beyond it, or is the whole list.
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

/** Removes repeated rows. If a list grows at its top, its next page can contain a row again. Pure. */
export function withoutRepeats<Item>(items: readonly Item[], keyOf: (item: Item) => string | number): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
