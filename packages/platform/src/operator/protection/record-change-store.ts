import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { type Scope, scoped, timestamptzText } from '../../database/index.ts';
import type { FactSource } from './source.ts';

/** A player whose details, consents or blocks changed. */
export interface RecordChange {
  change_id: number;
  brand_id: number;
  player_id: number;
  source: FactSource;
  /** If true, the change must not start a campaign. */
  silent: boolean;
  at: Micros;
}

export async function insertRecordChanges(
  tx: ClientBase,
  playerIds: readonly number[],
  { source, at }: Pick<RecordChange, 'source' | 'at'>,
  silent: ReadonlySet<number>,
): Promise<void> {
  if (playerIds.length === 0) return;
  await tx.query({
    name: 'insert_record_changes',
    text: `insert into record_change (brand_id, player_id, source, at, silent)
           select brand_id, player_id, $2::text, $3::timestamptz, player_id = any($4::bigint[])
             from player where player_id = any($1::bigint[]) and erased_at is null order by player_id`,
    values: [[...new Set(playerIds)], source, timestamptzText(at), [...silent]],
  });
}

/**
 * Takes the oldest changes of players of the scope; they are deleted when the transaction commits. The caller must hold a
 * lock that keeps others from taking changes of the same buckets.
 */
export async function takeRecordChanges(tx: ClientBase, scope: Scope, limit: number): Promise<RecordChange[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<RecordChange>({
    name: of.named('take_record_changes'),
    text: `delete from record_change where change_id in (
             select change_id from record_change where ${of.has('player_id', 1)} and ${of.leavesOut('player_id', 3)} order by change_id limit $2)
           returning change_id, brand_id, player_id, source, silent, at`,
    values: [of.ids, limit, of.except],
  });
  return rows;
}
