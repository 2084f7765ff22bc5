import type { EventKind, Flag, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { kindCode, type LedgerPosition } from '../../ledger/index.ts';
import type { Verdict } from '../verdict.ts';
import { flagBits, verdictCodes } from './codes.ts';

/** What became of one event of the ledger. */
export interface JournalEntry {
  received_at: Micros;
  brand_id: number;
  /** Null for events that are parked or unreadable. */
  player_id: number | null;
  /** The event's own timestamp; null when it could not be read. */
  at: Micros | null;
  kind: EventKind;
  verdict: Verdict;
  flags: readonly Flag[];
  position: LedgerPosition;
}

export async function insertEntries(tx: ClientBase, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({
    name: 'insert_journal',
    text: `insert into journal (received_at, brand_id, player_id, at, kind, verdict, flags, writer_id, seq, index)
           select * from unnest($1::timestamptz[], $2::int[], $3::bigint[], $4::timestamptz[], $5::smallint[],
                                $6::smallint[], $7::int[], $8::int[], $9::bigint[], $10::int[])`,
    values: [
      entries.map((e) => e.received_at),
      entries.map((e) => e.brand_id),
      entries.map((e) => e.player_id),
      entries.map((e) => e.at),
      entries.map((e) => kindCode(e.kind)),
      entries.map((e) => verdictCodes[e.verdict]),
      entries.map((e) => flagBits(e.flags)),
      entries.map((e) => e.position.writer_id),
      entries.map((e) => e.position.seq),
      entries.map((e) => e.position.index),
    ],
  });
}

/** Takes out the entries of events that were parked, before they are applied and written anew. */
export async function deleteEntries(
  tx: ClientBase,
  events: readonly { brand_id: number; received_at: Micros; position: LedgerPosition }[],
): Promise<void> {
  await tx.query(
    `delete from journal j
     using unnest($1::int[], $2::timestamptz[], $3::int[], $4::bigint[], $5::int[])
       as k(brand_id, received_at, writer_id, seq, index)
     where j.brand_id = k.brand_id and j.received_at = k.received_at
       and j.writer_id = k.writer_id and j.seq = k.seq and j.index = k.index`,
    [
      events.map((e) => e.brand_id),
      events.map((e) => e.received_at),
      events.map((e) => e.position.writer_id),
      events.map((e) => e.position.seq),
      events.map((e) => e.position.index),
    ],
  );
}
