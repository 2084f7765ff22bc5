import {
  type Bucket,
  bucketOf,
  type Cursor,
  type Found,
  type Ledger,
  type LedgerEntry,
  type LedgerEvent,
  type SoughtPosition,
} from '../ledger/index.ts';

/** The ledger of one scenario: the appended events, in order. A cursor is the number of events that were read. */
export class MemoryLedger implements Pick<Ledger, 'beginning' | 'read' | 'reaches' | 'find'> {
  readonly #events: LedgerEvent[] = [];
  readonly beginning = cursorAt(0);

  append(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      const position = { writer_id: 1, seq: this.#events.length + 1, index: 0 };
      this.#events.push({ ...entry, position, bucket: bucketOf(entry.player_hash) });
    }
  }

  async read(cursors: ReadonlyMap<Bucket, Cursor>): ReturnType<Ledger['read']> {
    const end = this.#events.length;
    return [...cursors].flatMap(([bucket, cursor]) => {
      const begin = placeOf(cursor);
      if (begin === end) return [];
      return [
        { bucket, cursor: cursorAt(end), events: this.#events.slice(begin).filter((one) => one.bucket === bucket) },
      ];
    });
  }

  async find(positions: readonly SoughtPosition[]): Promise<Found> {
    const events = this.#events.filter(({ position }) => positions.some(({ seq }) => seq === position.seq));
    return { events, damaged: [] };
  }

  reaches(cursor: Cursor, other: Cursor): boolean {
    return placeOf(cursor) >= placeOf(other);
  }
}

function cursorAt(place: number): Cursor {
  return { place } as unknown as Cursor;
}

function placeOf(cursor: Cursor): number {
  return (cursor as unknown as { place: number }).place;
}
