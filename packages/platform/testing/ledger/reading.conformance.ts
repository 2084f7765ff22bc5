import { expect, test } from 'vitest';
import type { Cursor, Ledger } from '../../src/ledger/index.ts';
import { bucketCount, bucketOf, playerHash } from '../../src/ledger/index.ts';
import { bodies, entryOf, numberOf, readAll, start, startOf } from './entries.ts';

/** The part of a ledger that writes and reads, without the handling of days. */
export type Reading = Omit<Ledger, 'days' | 'eraser' | 'damagedBlocks'>;

/** Writing and reading. `make` returns a ledger that nothing else uses. */
export function readingConformance(make: () => Promise<Reading>): void {
  test('returns every bucket its events, in the order of the writer, exactly once', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    const entries = Array.from({ length: 500 }, (_, i) => entryOf(`u-${i % 90}`, i));
    for (let i = 0; i < entries.length; i += 37) await writer.append(entries.slice(i, i + 37));
    const { events } = await readAll(ledger, startOf(ledger), 50);
    expect(bodies(events)).toEqual(bodies(entries));
    for (const event of events) expect(event.bucket).toBe(bucketOf(event.player_hash));
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const own = events.filter((event) => event.bucket === bucket).map(numberOf);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
    await writer.close();
  });

  test('continues from a cursor that was stored as JSON, and returns nothing twice', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 1), entryOf('u-2', 2)]);
    const first = await readAll(ledger, startOf(ledger), 1);
    const stored = new Map([...first.cursors].map(([b, cursor]) => [b, JSON.parse(JSON.stringify(cursor)) as Cursor]));
    expect((await readAll(ledger, stored, 10)).events).toEqual([]);
    await writer.append([entryOf('u-3', 3)]);
    expect((await readAll(ledger, stored, 10)).events.map(numberOf)).toEqual([3]);
    await writer.close();
  });

  test('keeps several writers separate, in any order of their commits', async () => {
    const ledger = await make();
    const writers = await Promise.all([ledger.openWriter(), ledger.openWriter(), ledger.openWriter()]);
    let cursors = startOf(ledger);
    const seen: number[] = [];
    for (let i = 0; i < 60; i++) {
      const writer = writers[(i * 7) % 3];
      await writer?.append([entryOf(`u-${i}`, i)]);
      if (i % 5 === 0) {
        const read = await readAll(ledger, cursors, 3);
        cursors = read.cursors;
        seen.push(...read.events.map(numberOf));
      }
    }
    seen.push(...(await readAll(ledger, cursors, 3)).events.map(numberOf));
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    for (const writer of writers) await writer.close();
  });

  test('lets buckets at different positions catch up without returning anything twice', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    for (let i = 0; i < 40; i++) await writer.append([entryOf(`u-${i % 20}`, i)]);
    const all = startOf(ledger);
    const half = new Map([...all].filter(([bucket]) => bucket % 2 === 0));
    const ahead = await readAll(ledger, half, 7);
    const read = await readAll(ledger, new Map([...all, ...ahead.cursors]), 3);
    expect([...ahead.events, ...read.events].map(numberOf).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    await writer.close();
  });

  test('skips no events of closed writers if a bucket joins that lags behind the others', async () => {
    const ledger = await make();
    const first = await ledger.openWriter();
    for (let i = 0; i < 20; i++) await first.append([entryOf(`u-${i}`, i)]);
    await first.close();
    const all = startOf(ledger);
    const ahead = new Map([...all].filter(([bucket]) => bucket % 2 === 0));
    const lagging = new Map([...all].filter(([bucket]) => bucket % 2 === 1));
    const early = await readAll(ledger, ahead, 100);
    // A writer that never wrote, between the two.
    await (await ledger.openWriter()).close();
    const last = await ledger.openWriter();
    await last.append([entryOf('u-20', 20)]);
    const late = await readAll(ledger, new Map([...early.cursors, ...lagging]), 4);
    expect([...early.events, ...late.events].map(numberOf).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 21 }, (_, i) => i),
    );
    await last.close();
  });

  test('reads a backlog in bounded steps', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    for (let i = 0; i < 30; i++) {
      await writer.append(Array.from({ length: 100 }, (_, n) => entryOf(`u-${n}`, i * 100 + n)));
    }
    const reads = await ledger.read(startOf(ledger), 250);
    const events = reads.reduce((sum, read) => sum + read.events.length, 0);
    expect(events).toBeGreaterThanOrEqual(250);
    expect(events).toBeLessThan(500);
    expect((await readAll(ledger, startOf(ledger), 250)).events).toHaveLength(3_000);
    await writer.close();
  });

  test('an append larger than a block is stored completely', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    const entries = Array.from({ length: 4_500 }, (_, i) => entryOf(`u-${i}`, i));
    await writer.append(entries);
    expect((await readAll(ledger, startOf(ledger), 1_000)).events).toHaveLength(4_500);
    await writer.close();
  });

  test('shows the newest events first, in pages without gaps or repeats', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    const entries = Array.from({ length: 30 }, (_, i) => ({ ...entryOf(`u-${i % 3}`, i), brand_id: 1 + (i % 2) }));
    for (let i = 0; i < 30; i += 4) await writer.append(entries.slice(i, i + 4));
    const seen: number[] = [];
    let before: string | undefined;
    for (let page = 0; page < 30; page++) {
      const { events, next } = await ledger.newest({ brand_id: 1 }, 4, before);
      seen.push(...events.map(numberOf));
      if (next === null) break;
      before = next;
    }
    expect(seen).toEqual(Array.from({ length: 15 }, (_, i) => 28 - 2 * i));
    await writer.close();
  });

  test('replays history by player, brand, kind and time, oldest first', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    const entries = Array.from({ length: 24 }, (_, i) => entryOf(`u-${i % 4}`, i, i % 3 === 0 ? 'login' : 'payment'));
    for (const entry of entries) await writer.append([entry]);
    const collect = async (filter: Parameters<Ledger['history']>[0]) => {
      const numbers: number[] = [];
      for await (const page of ledger.history(filter)) numbers.push(...page.map(numberOf));
      return numbers;
    };
    expect(await collect({})).toEqual(entries.map(numberOf));
    expect(await collect({ player_hash: playerHash(1, 'u-2') })).toEqual([2, 6, 10, 14, 18, 22]);
    expect(await collect({ kinds: ['login'] })).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
    expect(await collect({ from: start + 5, to: start + 8 })).toEqual([5, 6, 7, 8]);
    expect(await collect({ brand_id: 2 })).toEqual([]);
    await writer.close();
  });

  test('finds events at their positions again, and leaves out positions without one', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 1), entryOf('u-2', 2), entryOf('u-3', 3)]);
    const { events } = await readAll(ledger, startOf(ledger), 10);
    const positions = events.map((event) => event.position);
    expect((await ledger.at(positions)).map(numberOf)).toEqual(events.map(numberOf));
    expect(await ledger.at([{ writer_id: 999, seq: 1, index: 0 }])).toEqual([]);
    await writer.close();
  });

  test('counts what lies after a cursor', async () => {
    const ledger = await make();
    const writer = await ledger.openWriter();
    const before = startOf(ledger);
    expect(await ledger.lag(before)).toEqual({ blocks: 0, oldest_received_at: null });
    await writer.append([entryOf('u-1', 1)]);
    await writer.append([entryOf('u-2', 2)]);
    const { blocks, oldest_received_at } = await ledger.lag(before);
    expect(oldest_received_at).toBe(start + 1);
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThanOrEqual(2);
    const { cursors } = await readAll(ledger, before, 10);
    expect(await ledger.lag(cursors)).toEqual({ blocks: 0, oldest_received_at: null });
    await writer.close();
  });
}
