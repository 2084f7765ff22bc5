import { describe, expect, test } from 'vitest';
import { mergeSources, type Place, type Placed, pageOfSource, type Source, sources } from './timeline.ts';

const at = (time: number, source: Source, key: number): Placed => ({
  item: { type: 'staff', at: time, audit_id: key, actor: 'ann@example.com', action: 'read' },
  source,
  key,
});

/** Reads like the database: the rows of one source in a page, newest first. */
function pageIn(rows: readonly Placed[], source: Source, wanted: Parameters<typeof pageOfSource>[1]): Placed[] {
  const { from = -1, to = 1e9, before, limit } = pageOfSource(source, wanted);
  return rows
    .filter(({ source: own, item }) => own === source && item.at >= from && item.at <= to)
    .filter(
      ({ item, key }) => before === undefined || item.at < before.at || (item.at === before.at && key < before.key),
    )
    .toSorted((a, b) => b.item.at - a.item.at || Number(b.key) - Number(a.key))
    .slice(0, limit);
}

function allPages(rows: readonly Placed[], span: { from?: number; to?: number }, limit: number): string[][] {
  const pages: string[][] = [];
  let below: Place | undefined;
  do {
    const wanted = { ...span, below, limit: limit + 1 };
    const merged = mergeSources(
      sources.map((source) => pageIn(rows, source, wanted)),
      limit,
    );
    pages.push(merged.items.map((item) => `${item.at} ${'audit_id' in item ? item.audit_id : ''}`));
    below = merged.end ?? undefined;
    // A page that repeats items must fail the test instead of running forever.
  } while (below !== undefined && pages.length <= rows.length);
  return pages;
}

describe('pages of the timeline', () => {
  // Three items of three sources at each of ten times. The keys are unique over all sources, for the comparison below.
  const some: readonly Source[] = ['message', 'decision', 'event'];
  const rows = Array.from({ length: 90 }, (_, n) => at(Math.floor(n / 9), some[n % 3] as Source, n));
  const whole = allPages(rows, {}, 1_000)[0] ?? [];

  test('are in one order at every size, without gaps and repeats', () => {
    expect(whole).toHaveLength(90);
    for (let limit = 1; limit <= 91; limit++) {
      const pages = allPages(rows, {}, limit);
      expect(pages.flat()).toEqual(whole);
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    }
  });

  test('have effects above causes at equal times, and then the higher key first', () => {
    expect(whole.slice(0, 9)).toEqual([87, 84, 81, 88, 85, 82, 89, 86, 83].map((key) => `9 ${key}`));
  });

  test('contain both bounds and nothing outside them', () => {
    const within = whole.filter((one) => Number.parseInt(one, 10) >= 3 && Number.parseInt(one, 10) <= 5);
    for (const limit of [1, 4, 9, 50]) expect(allPages(rows, { from: 3, to: 5 }, limit).flat()).toEqual(within);
  });

  test('end without another page if the last one is full', () => {
    expect(allPages(rows, {}, 45)).toHaveLength(2);
    expect(allPages([], {}, 45)).toEqual([[]]);
  });
});
