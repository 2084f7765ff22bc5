/** A range of a list, newest first, and the token of the next one (null at the end of the list). */
export interface Stretch<Item> {
  items: Item[];
  next: string | null;
}

/**
 * Fills a page from a list that can be filtered only after reading. It reads on until it has `limit` matching items, the list
 * ends, or it has read `maxReads` ranges. In the last case, the page is short (possibly empty), and its `next` continues from
 * there. So a search for rare events may need a few calls, but the server never reads everything at once.
 *
 * Each range is at most as long as the number of missing items. So a page always ends where a range does, and nothing is
 * skipped or shown twice while new events arrive at the top.
 */
export async function gather<Item>(
  read: (limit: number, before: string | undefined) => Promise<Stretch<Item>>,
  wanted: (item: Item) => boolean,
  page: { limit: number; before: string | undefined; maxReads: number },
): Promise<Stretch<Item>> {
  const items: Item[] = [];
  let before = page.before;
  for (let reads = 0; reads < page.maxReads; reads++) {
    const stretch = await read(page.limit - items.length, before);
    items.push(...stretch.items.filter(wanted));
    if (stretch.next === null) return { items, next: null };
    before = stretch.next;
    if (items.length >= page.limit) break;
  }
  return { items, next: before ?? null };
}
