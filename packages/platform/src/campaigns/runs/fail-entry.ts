import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { unprocessableReason } from '../../database/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import { causeKey, type RunCause } from '../news/news.ts';
import { apart } from './apart.ts';
import { newState } from './entries.ts';
import { failRun, type Spoiled } from './spoiled.ts';
import { insertRuns } from './store.ts';

/**
 * Creates a failed run for a cause whose run could not be created, so that the problem is visible. It omits the fields of the cause,
 * because the database may have refused them.
 */
export async function failEntry(
  tx: PoolClient,
  { player_id, version, cause }: { player_id: number; version: RunnableVersion; cause: RunCause },
  error: unknown,
  at: Micros,
): Promise<Spoiled> {
  const { campaign_id, version_id, brand_id } = version;
  const reason = unprocessableReason(error);
  const spoiled = { campaign_id, version_id, run_id: null, error };
  const key = causeKey(cause);
  const common = { player_id, brand_id, campaign_id, version_id, cause: withoutFields(cause) };
  for (const cause_key of [key, `digest ${createHash('sha256').update(key).digest('hex')}`]) {
    const outcome = await apart(tx, async () => {
      const [row] = await insertRuns(tx, [{ ...common, ...newState(), cause_key, entered_at: at, moved_at: at }]);
      // Undefined: the cause has started a run before.
      if (row !== undefined) await failRun(tx, row, reason, at);
      return row?.run_id ?? null;
    });
    if (!outcome.failed) return { ...spoiled, run_id: outcome.result };
  }
  return spoiled;
}

function withoutFields(cause: RunCause): RunCause {
  if (cause.type === 'event') return { ...cause, row: { at: cause.at } };
  return cause.type === 'api' ? { ...cause, data: {} } : cause;
}
