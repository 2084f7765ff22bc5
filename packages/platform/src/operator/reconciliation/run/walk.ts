import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import type { PlayerCreator } from '../../../derive/index.ts';
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

/** What became of the next batch of one run. */
export interface Walked {
  reconciliation_id: number;
  state: Run['state'];
  /** The operator has enough to do: nothing was asked for. */
  waits: boolean;
}

/** @param without runs that had their turn in this round. @returns undefined when no other run is in this state. */
export async function walkOne(
  { pool, clock, creator }: WalkDeps,
  state: 'comparing' | 'asking',
  without: readonly number[] = [],
): Promise<Walked | undefined> {
  const walked = await transaction(pool, async (tx) => {
    const run = await lockRun(tx, state, without);
    if (run === undefined) return undefined;
    const { reconciliation_id } = run;
    if (run.state === 'asking' && (await countDue(tx, run.brand_id, mostDue)) >= mostDue)
      return { reconciliation_id, state: run.state, waits: true };
    const after = await nextOf(tx, run, { now: clock(), creator });
    await saveRun(tx, after);
    return { reconciliation_id, state: after.state, waits: false };
  });
  if (walked?.state === 'done' || walked?.state === 'failed') await dropStage(pool, walked.reconciliation_id);
  return walked;
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
