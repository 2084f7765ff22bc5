import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf, type Scope, scoped, timestamptzText } from '../../../database/index.ts';
import type { Cause } from '../cause.ts';
import type { Due } from './due.ts';

export interface PlayerState {
  player_id: number;
  brand_id: number;
  is_protected: boolean;
}

/** The players that exist, and whether they are excluded or blocked. Erased players are left out. */
export async function readPlayers(tx: ClientBase, ids: readonly number[]): Promise<Map<number, PlayerState>> {
  const { rows } = await tx.query<PlayerState>({
    name: 'read_segment_players',
    text: `select p.player_id, p.brand_id, coalesce(x.excluded or x.blocked, false) as is_protected
             from player p left join player_protection x using (player_id)
            where p.player_id = any($1::bigint[]) and p.erased_at is null`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.player_id, row]));
}

export interface MemberRow {
  player_id: number;
  version_id: number;
  protected: boolean;
  since: Micros;
}

export async function readMembers(tx: ClientBase, playerIds: readonly number[]): Promise<MemberRow[]> {
  const { rows } = await tx.query<MemberRow>({
    name: 'read_segment_members',
    text: 'select player_id, version_id, protected, since from segment_member where player_id = any($1::bigint[])',
    values: [playerIds],
  });
  return rows;
}

export interface DueRow extends Due {
  player_id: number;
  version_id: number;
}

export async function readDues(tx: ClientBase, playerIds: readonly number[]): Promise<DueRow[]> {
  const { rows } = await tx.query<DueRow>({
    name: 'read_segment_dues',
    text: 'select player_id, version_id, due_at, rough from segment_due where player_id = any($1::bigint[])',
    values: [playerIds],
  });
  return rows;
}

/** The due players of each version, at most `limit` of each. */
export async function listDue(
  tx: ClientBase,
  versions: readonly number[],
  at: Micros,
  limit: number,
): Promise<DueRow[]> {
  const { rows } = await tx.query<DueRow>({
    name: 'list_segment_due',
    text: `select d.player_id, d.version_id, d.due_at, d.rough from unnest($1::int[]) v(version_id)
            cross join lateral (select * from segment_due d where d.version_id = v.version_id and d.due_at <= $2::timestamptz
                                 order by d.due_at limit $3) d`,
    values: [versions, timestamptzText(at), limit],
  });
  return rows;
}

/** Due times that are only the early bound from SQL, at most `limit` in total. */
export async function listRough(
  tx: ClientBase,
  versions: readonly number[],
  scope: Scope,
  limit: number,
): Promise<DueRow[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<DueRow>({
    name: of.named('list_segment_rough'),
    text: `select player_id, version_id, due_at, rough from segment_due
            where rough and version_id = any($1::int[]) and ${of.has('player_id', 2)} and ${of.leavesOut('player_id', 4)} limit $3`,
    values: [versions, of.ids, limit, of.except],
  });
  return rows;
}

export async function readTags(tx: ClientBase, playerIds: readonly number[]): Promise<Map<number, Set<string>>> {
  const { rows } = await tx.query<{ player_id: number; tag: string }>({
    name: 'read_segment_tags',
    text: 'select player_id, tag from player_tag where player_id = any($1::bigint[])',
    values: [playerIds],
  });
  const tags = new Map<number, Set<string>>();
  for (const { player_id, tag } of rows) tags.set(player_id, (tags.get(player_id) ?? new Set()).add(tag));
  return tags;
}

const memberColumns = columnsOf<MemberRow>({
  player_id: 'bigint',
  version_id: 'int',
  protected: 'boolean',
  since: 'timestamptz',
});

export async function writeMembers(tx: ClientBase, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'write_segment_members',
    text: `insert into segment_member (${memberColumns.names}) select ${memberColumns.stored('m')} from ${memberColumns.given('m')}
           on conflict (player_id, version_id) do update set protected = excluded.protected, since = excluded.since`,
    values: memberColumns.values(rows),
  });
}

interface Key {
  player_id: number;
  version_id: number;
}

const keyColumns = columnsOf<Key>({ player_id: 'bigint', version_id: 'int' });

export async function deleteMembers(tx: ClientBase, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query({
    name: 'delete_segment_members',
    text: `delete from segment_member m using ${keyColumns.given('k')} where m.player_id = k.player_id and m.version_id = k.version_id`,
    values: keyColumns.values(keys),
  });
}

const dueColumns = columnsOf<DueRow>({
  player_id: 'bigint',
  version_id: 'int',
  due_at: 'timestamptz',
  rough: 'boolean',
});

export async function writeDues(tx: ClientBase, rows: readonly DueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'write_segment_dues',
    text: `insert into segment_due (${dueColumns.names}) select ${dueColumns.stored('d')} from ${dueColumns.given('d')}
           on conflict (player_id, version_id) do update set due_at = excluded.due_at, rough = excluded.rough`,
    values: dueColumns.values(rows),
  });
}

export async function deleteDues(tx: ClientBase, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query({
    name: 'delete_segment_dues',
    text: `delete from segment_due d using ${keyColumns.given('k')} where d.player_id = k.player_id and d.version_id = k.version_id`,
    values: keyColumns.values(keys),
  });
}

export interface NewTransition {
  brand_id: number;
  player_id: number;
  segment_id: number;
  version: number;
  transition: 'entered' | 'left';
  at: Micros;
  cause: Cause;
  silent: boolean;
}

const transitionColumns = columnsOf<NewTransition>({
  brand_id: 'int',
  player_id: 'bigint',
  segment_id: 'int',
  version: 'int',
  transition: 'text',
  at: 'timestamptz',
  cause: 'jsonb',
  silent: 'boolean',
});

export async function insertTransitions(tx: ClientBase, rows: readonly NewTransition[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'insert_segment_transitions',
    text: `insert into segment_transition (${transitionColumns.names})
           select ${transitionColumns.stored('t')} from ${transitionColumns.given('t')}`,
    values: transitionColumns.values(rows),
  });
}
