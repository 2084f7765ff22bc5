import type { EventKind, Flag, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf } from '../../database/index.ts';
import { kindCode, type LedgerPosition } from '../../ledger/index.ts';
import type { Verdict } from '../verdict.ts';
import { flagBits, verdictCodes } from './codes.ts';

/** One event of the ledger, as the journal stores it. */
export interface JournalEntry {
  received_at: Micros;
  brand_id: number;
  /** Null for parked and unreadable events. */
  player_id: number | null;
  /** The event's own timestamp; null if it could not be read. */
  at: Micros | null;
  kind: EventKind;
  verdict: Verdict;
  flags: readonly Flag[];
  position: LedgerPosition;
}

const columns = columnsOf<StoredEntry>({
  received_at: 'timestamptz',
  brand_id: 'int',
  player_id: 'bigint',
  at: 'timestamptz',
  kind: 'smallint',
  verdict: 'smallint',
  flags: 'int',
  writer_id: 'int',
  seq: 'bigint',
  index: 'int',
});

interface StoredEntry extends Pick<JournalEntry, 'received_at' | 'brand_id' | 'player_id' | 'at'>, LedgerPosition {
  kind: number;
  verdict: number;
  flags: number;
}

const insertStatement = `insert into journal (${columns.names}) select ${columns.stored('e')} from ${columns.given('e')}`;

export async function insertEntries(tx: ClientBase, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({ name: 'insert_journal', text: insertStatement, values: columns.values(entries.map(storedEntry)) });
}

function storedEntry({ position, kind, verdict, flags, ...entry }: JournalEntry): StoredEntry {
  const { writer_id, seq, index } = position;
  const codes = { kind: kindCode(kind), verdict: verdictCodes[verdict], flags: flagBits(flags) };
  return { ...entry, ...codes, writer_id, seq, index };
}

const keys = columnsOf<Pick<StoredEntry, 'brand_id' | 'received_at'> & LedgerPosition>({
  brand_id: 'int',
  received_at: 'timestamptz',
  writer_id: 'int',
  seq: 'bigint',
  index: 'int',
});
const deleteStatement = `delete from journal j using ${keys.given('k')}
  where ${keys.list.map((column) => `j.${column} = k.${column}`).join(' and ')}`;

/** Deletes the entries of parked events, before these events are applied and recorded again. */
export async function deleteEntries(
  tx: ClientBase,
  events: readonly { brand_id: number; received_at: Micros; position: LedgerPosition }[],
): Promise<void> {
  const gone = events.map(({ brand_id, received_at, position }) => ({ brand_id, received_at, ...position }));
  await tx.query(deleteStatement, keys.values(gone));
}
