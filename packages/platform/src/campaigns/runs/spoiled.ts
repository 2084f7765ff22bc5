import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { awaitAll, loggable, refusedValue } from '../../database/index.ts';
import type { Versions } from '../documents/active-store.ts';
import * as store from './store.ts';

/*
 * Runs that fail because of their data: PostgreSQL refuses a value that they write, or this program cannot process them. A repetition
 * fails again, so such a run ends, with a reason that a person can read (database/unprocessable.ts).
 */

/** A run that failed because of its data, for the log. */
export interface Spoiled {
  campaign_id: number;
  version_id: number;
  /** Null if no failed run was stored. */
  run_id: number | null;
  error: unknown;
}

/** Logs each run once, because it has ended. No message of an error is logged, because it may contain data of a player. */
export function logSpoiled(log: Logger, versions: Pick<Versions, 'known'>, spoiled: readonly Spoiled[]): void {
  for (const { campaign_id, version_id, run_id, error } of spoiled) {
    const { code = campaign_id, version } = versions.known(version_id) ?? {};
    log.error(
      { campaign: code, version, run_id, reason: refusedValue(error), ...loggable(error) },
      'a campaign run failed because of its data',
    );
  }
}

/** Ends a run as failed, at the step where it was. */
export async function failRun(tx: PoolClient, run: store.RunRow, reason: string, at: Micros): Promise<void> {
  const { run_id, player_id, campaign_id, version_id, position } = run;
  const ended = { state: 'failed' as const, reason, due_at: null, goal_until: null, moved_at: at };
  await awaitAll([
    store.writeMoved(tx, [
      { run_id, player_id, version_id, position: { ...position, step: null, wait: null }, ...ended },
    ]),
    store.insertStepRecords(tx, [
      {
        run_id,
        player_id,
        campaign_id,
        version_id,
        step: position.step ?? '',
        state: 'failed',
        at,
        reason,
        variant: null,
        effect: null,
      },
    ]),
  ]);
}
