/** A stretch of a list that is read from somewhere, newest first, and the token behind it (null: the list ends there). */
export interface Stretch<Item> {
  items: Item[];
  next: string | null;
}

/**
 * Fills a page from a list that can be filtered only after reading: reads on until `limit` items are wanted ones, the list
 * ends, or `maxReads` stretches were looked at. Then the page is short (possibly empty) and its `next` goes on from there:
 * a rare event costs the caller a few calls and never the server a scan of everything.
 *
 * Each stretch is no longer than what is still missing, so that a page always ends where a stretch does, and nothing is
 * skipped or shown twice while new events come in at the top.
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
