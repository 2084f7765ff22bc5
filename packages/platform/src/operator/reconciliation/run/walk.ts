import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import type { PlayerCreator } from '../../../derive/index.ts';
import { isRefusal, storableDetail } from '../../calling/index.ts';
import type { ComparedRun } from '../compare/judge-stretch.ts';
import { dropStage, isStageWhole } from '../stage/stage-store.ts';
import { askNext, compareNext, createNext } from './batch.ts';
import { countDue } from './look-up-store.ts';
import type { Run } from './run.ts';
import { lockRun, saveAge, saveRun } from './run-store.ts';

/*
 * Advances runs from `comparing` to `done`, one batch per transaction with the run's row locked. After a crash of a worker the
 * run continues after its last batch. A worker that was stopped and continues later has lost its transaction.
 */
export interface WalkDeps {
  pool: Pool;
  clock: Clock;
  creator: PlayerCreator;
}

/**
 * While this many look-ups of a brand are due in the background, no more are requested, because other look-ups wait in that
 * lane, too.
 */
const mostDue = 5_000;

/**
 * Advances one run by one batch. If the database refuses a batch because of its content, the run fails. Otherwise the batch
 * would be refused every time, and the brand's other lists would never run.
 *
 * @returns the state after it; 'waits' if the operator is busy enough; undefined if another worker has the run
 */
export async function walkOne(deps: WalkDeps, runId: number): Promise<Run['state'] | 'waits' | undefined> {
  const { pool, clock, creator } = deps;
  const walk = (next: (tx: ClientBase, run: Run) => Promise<Run>) =>
    transaction(pool, async (tx) => {
      const run = await lockRun(tx, runId);
      if (run === undefined) return undefined;
      if (run.state === 'asking' && (await countDue(tx, run.brand_id, mostDue)) >= mostDue) return 'waits';
      const after = await next(tx, run);
      await saveRun(tx, after);
      return after.state;
    });
  const state = await walk((tx, run) => nextOf(tx, run, { now: clock(), creator })).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    const detail = storableDetail(error instanceof Error ? error.message : String(error));
    return walk(async (_tx, run) => ({ ...run, state: 'failed', reason: 'unstorable', detail, finished_at: clock() }));
  });
  if (state === 'done' || state === 'failed') await dropStage(pool, runId);
  return state;
}

async function nextOf(
  tx: ClientBase,
  run: Run,
  { now, creator }: { now: Micros; creator: PlayerCreator },
): Promise<Run> {
  if (!isComplete(run) || !(await isStageWhole(tx, run.reconciliation_id))) {
    const detail =
      'the list was lost because the database was restarted after a crash, or the list was dropped; the next run starts again';
    return { ...run, state: 'failed', reason: 'stage_lost', detail, finished_at: now };
  }
  switch (run.step) {
    case 'look_ups': {
      const after = await askNext(tx, run);
      return after.position === null ? { ...after, step: 'unknown' } : after;
    }
    case 'unknown': {
      const after = await createNext(tx, run, now, creator);
      return after.position === null ? { ...after, state: 'done', finished_at: now } : after;
    }
    default: {
      const after = await compareNext(tx, run, now);
      if (after.position !== null) return after;
      await saveAge(tx, after);
      const step = after.to_look_up > 0 ? 'look_ups' : 'unknown';
      return { ...after, state: 'asking', reason: null, step, applied_at: now };
    }
  }
}

function isComplete(run: Run): run is ComparedRun {
  return run.as_of !== null;
}
