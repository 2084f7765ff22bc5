import type { Micros } from '@croupier/contracts';
import type { LedgerPosition } from './ledger.ts';

interface Packed {
  position: LedgerPosition;
  block_at: Micros;
}

/**
 * Sorts the events of a pack, which are stored by player, in the order in which a reader of blocks gets them. Events of one
 * writer are sorted by number. Those of several writers are sorted by time as far as possible (a clock may have stepped back).
 */
export function inReadingOrder<E extends Packed>(events: readonly E[]): E[] {
  const byWriter = [...events].sort(
    (a, b) => a.position.writer_id - b.position.writer_id || byNumber(a.position, b.position),
  );
  let writer = 0;
  let latest = 0;
  const timed = byWriter.map((event) => {
    latest = event.position.writer_id === writer ? Math.max(latest, event.block_at) : event.block_at;
    writer = event.position.writer_id;
    return { event, at: latest };
  });
  return timed
    .sort(
      (a, b) =>
        a.at - b.at ||
        a.event.position.writer_id - b.event.position.writer_id ||
        byNumber(a.event.position, b.event.position),
    )
    .map(({ event }) => event);
}

function byNumber(a: LedgerPosition, b: LedgerPosition): number {
  return a.seq - b.seq || a.index - b.index;
}

/**
 * The first events, at least `limit` of them. A cursor is always after a whole block, so the last block is included
 * completely.
 */
export function wholeBlocks<E extends Packed>(events: readonly E[], limit: number): E[] {
  let end = Math.min(events.length, Math.max(1, limit));
  for (; end < events.length; end++) {
    const [last, next] = [events[end - 1]?.position, events[end]?.position];
    if (last?.writer_id !== next?.writer_id || last?.seq !== next?.seq) break;
  }
  return events.slice(0, end);
}
