import type { Micros } from '@croupier/contracts';

/** The place of a search by time: the blocks of the ledger are ordered by these three fields. */
export interface Place {
  received_at: Micros;
  writer_id: number;
  seq: number;
}

export type Direction = 'oldest' | 'newest';

/** Negative if `a` comes before `b` in the direction of the search. */
export function compare(direction: Direction, a: Place, b: Place): number {
  const order = a.received_at - b.received_at || a.writer_id - b.writer_id || a.seq - b.seq;
  return direction === 'newest' ? -order : order;
}

/** The place just before everything with that time. What follows it may have the same time. */
export function placeBefore(direction: Direction, received_at: Micros): Place {
  return direction === 'newest'
    ? { received_at, writer_id: 2 ** 31 - 1, seq: Number.MAX_SAFE_INTEGER }
    : { received_at, writer_id: 0, seq: 0 };
}

/** A place in the list of the newest events, as passed to callers that request the next page. */
interface NewestPlace extends Place {
  /** The page continues before this event of the block; 0 = with the previous block. */
  index: number;
}

export function tokenOf(place: NewestPlace): string {
  return Buffer.from([place.received_at, place.writer_id, place.seq, place.index].join(':')).toString('base64url');
}

/** @throws {RangeError} */
export function parseToken(token: string): NewestPlace {
  const parts = Buffer.from(token, 'base64url').toString().split(':').map(Number);
  if (parts.length !== 4 || !parts.every(Number.isSafeInteger))
    throw new RangeError('the page token does not belong to this list');
  const [received_at, writer_id, seq, index] = parts as [number, number, number, number];
  return { received_at, writer_id, seq, index };
}
