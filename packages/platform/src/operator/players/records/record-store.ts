import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { profileFields } from '../../judging/index.ts';
import type { BlockRow, ConsentRow, ProfileRow } from './rows.ts';

/**
 * Stores the records of look-ups: player_profile, player_consent, player_block. They are written under the lock of the
 * look-up's row.
 */

/** Column types, for rows that are passed as JSON. The names are constants of the code, so they are safe in a statement. */
const special: Record<string, string> = {
  is_blocked: 'boolean',
  is_excluded: 'boolean',
  roles: 'text[]',
  verified_at: 'timestamptz',
  registration_date: 'timestamptz',
};
const profileColumns: [name: string, type: string][] = [
  ['player_id', 'bigint'],
  ...profileFields.map((field): [string, string] => [field, special[field] ?? 'text']),
  ['segmentation', 'jsonb'],
  ['extra', 'jsonb'],
  ['older', 'jsonb'],
  ['blocked_in_doubt', 'boolean'],
  ['excluded_in_doubt', 'boolean'],
  ['changed_at', 'timestamptz'],
];
const consentColumns: [name: string, type: string][] = [
  ['player_id', 'bigint'],
  ['type_key', 'text'],
  ['type', 'text'],
  ['spelling', 'text'],
  ['opted_in', 'boolean'],
  ['in_doubt', 'boolean'],
  ['unconfirmed', 'boolean'],
  ['source', 'text'],
  ['as_of', 'timestamptz'],
];
const blockColumns: [name: string, type: string][] = [
  ...consentColumns.map(([name, type]): [string, string] => [name === 'opted_in' ? 'active' : name, type]),
  ['note', 'text'],
];

export async function readProfiles(db: Pool | ClientBase, playerIds: readonly number[]): Promise<ProfileRow[]> {
  return readAll<ProfileRow>(db, 'player_profile', profileColumns, playerIds);
}

export async function readConsents(db: Pool | ClientBase, playerIds: readonly number[]): Promise<ConsentRow[]> {
  return readAll<ConsentRow>(db, 'player_consent', consentColumns, playerIds);
}

export async function readBlocks(db: Pool | ClientBase, playerIds: readonly number[]): Promise<BlockRow[]> {
  return readAll<BlockRow>(db, 'player_block', blockColumns, playerIds);
}

export async function writeProfiles(tx: ClientBase, rows: readonly ProfileRow[]): Promise<void> {
  const times = (at: Micros | null) => (at === null ? null : timestamptzText(at));
  await upsert(
    tx,
    { table: 'player_profile', key: ['player_id'], columns: profileColumns },
    rows.map((row) => ({
      ...row,
      verified_at: times(row.verified_at),
      registration_date: times(row.registration_date),
      changed_at: times(row.changed_at),
    })),
  );
}

export async function writeConsents(tx: ClientBase, rows: readonly ConsentRow[]): Promise<void> {
  const target = { table: 'player_consent', key: ['player_id', 'type_key'], columns: consentColumns };
  await upsert(tx, target, rows.map(withTimeText));
}

export async function writeBlocks(tx: ClientBase, rows: readonly BlockRow[]): Promise<void> {
  const target = { table: 'player_block', key: ['player_id', 'type_key'], columns: blockColumns };
  await upsert(tx, target, rows.map(withTimeText));
}

function withTimeText<R extends { as_of: Micros }>(row: R) {
  return { ...row, as_of: timestamptzText(row.as_of) };
}

async function readAll<R extends object>(
  db: Pool | ClientBase,
  table: string,
  columns: readonly [string, string][],
  playerIds: readonly number[],
): Promise<R[]> {
  if (playerIds.length === 0) return [];
  const { rows } = await db.query<R>({
    name: `read_${table}`,
    text: `select ${columns.map(([name]) => name).join(', ')} from ${table} where player_id = any($1::bigint[])`,
    values: [playerIds],
  });
  return rows;
}

async function upsert(
  tx: ClientBase,
  target: { table: string; key: readonly string[]; columns: readonly [string, string][] },
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const { table, key, columns } = target;
  const names = columns.map(([name]) => name);
  const changes = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  await tx.query({
    name: `write_${table}`,
    text: `insert into ${table} (${names.join(', ')})
           select ${names.join(', ')}
             from jsonb_to_recordset($1::jsonb) as r (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})
           on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`,
    values: [JSON.stringify(rows)],
  });
}
