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
 * Carries runs from `comparing` to `done`, a batch per transaction, in which the run's row is locked: a worker that dies leaves a
 * run where its last batch ended, and a worker that was stopped and woken has lost its transaction.
 */
export interface WalkDeps {
  pool: Pool;
  clock: Clock;
  creator: PlayerCreator;
}

/** While so many look-ups of a brand are due in the background, no more are asked for: others wait in that lane, too. */
const mostDue = 5_000;

/**
 * Carries one run on by one batch. A batch that the database refuses for what is in it would be refused for ever, and keep the
 * brand's other lists waiting: such a run has failed.
 *
 * @returns the state after it; 'waits' when the operator has enough to do; undefined when another worker has the run.
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
    const detail = 'the database was restarted after a crash, or somebody dropped the list; the next run begins anew';
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
