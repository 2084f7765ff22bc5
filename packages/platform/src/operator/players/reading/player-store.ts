import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { LookUp, LookUpFailure } from '../../judging/index.ts';
import { readBlocks, readConsents, readProfiles } from '../records/record-store.ts';
import type { BlockRow, ConsentRow, ProfileRow } from '../records/rows.ts';

/** The columns of player_sync that a reader needs. */
export interface SyncRow {
  player_id: number;
  look_up: LookUp;
  requested: number;
  done: number;
  claimed: boolean;
  due_at: Micros | null;
  attempts: number;
  parked: boolean;
  as_of: Micros | null;
  failing_since: Micros | null;
  failed_at: Micros | null;
  failure: LookUpFailure | null;
  failure_detail: string | null;
}

export interface ProblemRow {
  player_id: number;
  look_up: LookUp;
  path: string;
  reason: string;
  message: string;
  since: Micros;
}

export interface PlayerRows {
  profile: ProfileRow | undefined;
  consents: ConsentRow[];
  blocks: BlockRow[];
  sync: SyncRow[];
  problems: ProblemRow[];
}

/**
 * Reads player_sync before the records that look-ups write. So a record that is reported as current is certainly
 * stored, and the reported age of a value is never too low. A common snapshot for all reads would cost three more round
 * trips.
 */
export async function readPlayerRows(pool: Pool | ClientBase, playerId: number): Promise<PlayerRows> {
  const sync = await readSync(pool, playerId);
  const [[profile], consents, blocks, problems] = await Promise.all([
    readProfiles(pool, [playerId]),
    readConsents(pool, [playerId]),
    readBlocks(pool, [playerId]),
    readProblems(pool, playerId),
  ]);
  return { profile, consents, blocks, sync, problems };
}

async function readSync(pool: Pool | ClientBase, playerId: number): Promise<SyncRow[]> {
  const { rows } = await pool.query<SyncRow>({
    name: 'read_player_sync',
    text: `select player_id, look_up, requested, done, claim is not null as claimed, due_at, attempts, parked, as_of,
                  failing_since, failed_at, failure, failure_detail
             from player_sync where player_id = $1`,
    values: [playerId],
  });
  return rows;
}

async function readProblems(pool: Pool | ClientBase, playerId: number): Promise<ProblemRow[]> {
  const { rows } = await pool.query<ProblemRow>({
    name: 'read_player_problems',
    text: `select player_id, look_up, path, reason, message, since from sync_problem where player_id = $1 order by since, path`,
    values: [playerId],
  });
  return rows;
}
