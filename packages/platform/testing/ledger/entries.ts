import type { Bucket, Cursor, Ledger, LedgerEntry, LedgerEvent } from '../../src/ledger/index.ts';
import { bucketCount, playerHash } from '../../src/ledger/index.ts';

/** 2026-05-01T00:00:00Z. */
export const start = 1_777_593_600_000_000;

/** An entry with `number` in its body. It was received `number` microseconds after `start`. */
export function entryOf(userId: string, number: number, kind: LedgerEntry['kind'] = 'login'): LedgerEntry {
  return {
    brand_id: 1,
    kind,
    player_hash: playerHash(1, userId),
    received_at: start + number,
    body: Buffer.from(JSON.stringify({ user_id: userId, number })),
  };
}

export function numberOf(entry: LedgerEntry): number {
  return (JSON.parse(entry.body.toString()) as { number: number }).number;
}

export function startOf(ledger: Pick<Ledger, 'beginning'>): Map<Bucket, Cursor> {
  return new Map(Array.from({ length: bucketCount }, (_, bucket) => [bucket, ledger.beginning]));
}

/** Reads until there is nothing more. */
export async function readAll(
  ledger: Pick<Ledger, 'read'>,
  from: ReadonlyMap<Bucket, Cursor>,
  limit: number,
): Promise<{ events: LedgerEvent[]; cursors: Map<Bucket, Cursor> }> {
  const cursors = new Map(from);
  const events: LedgerEvent[] = [];
  for (;;) {
    const reads = await ledger.read(cursors, limit);
    if (reads.length === 0) return { events, cursors };
    for (const read of reads) {
      events.push(...read.events);
      cursors.set(read.bucket, read.cursor);
    }
  }
}

export function bodies(entries: readonly LedgerEntry[]): string[] {
  return entries.map((entry) => entry.body.toString()).sort();
}

export function numbers(events: readonly LedgerEvent[]): number[] {
  return events.map(numberOf).sort((a, b) => a - b);
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export async function collect(pages: AsyncIterable<LedgerEvent[]>): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for await (const page of pages) events.push(...page);
  return events;
}

/** The numbers of all events that a reader from the beginning gets. */
export async function everything(ledger: Ledger, limit = 100): Promise<number[]> {
  return numbers((await readAll(ledger, startOf(ledger), limit)).events);
}
