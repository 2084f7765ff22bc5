import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { lanes, requestUnlessErased } from '../players/index.ts';
import { noteAsked, settleOpen } from './open-store.ts';
import { paceOf } from './pace.ts';
import { countPlayers, nextPlayers } from './player-store.ts';
import type { ResyncRun } from './run.ts';
import { lockMoving, saveStep } from './run-store.ts';

/**
 * Maximum number of open look-ups of a run. If an operator answers more slowly than the pace, or not at all, the run waits and
 * player_sync's queue stays short. So a later run, a cancel or a retry never waits behind a million rows.
 */
export const mostOpen = 3_000;
/** Players requested in one transaction: their rows are locked until it ends. */
const mostAtOnce = 500;

export interface Stepped {
  asked: number;
  answered: number;
  failed: number;
}

/**
 * Makes one step of a run, in the caller's transaction: counts the answers, and requests the next players. Returns undefined if
 * there is nothing to do.
 */
export async function stepRun(
  tx: ClientBase,
  resyncId: number,
  brandOf: (brandId: number) => Brand | undefined,
  now: Micros,
): Promise<Stepped | undefined> {
  const before = await lockMoving(tx, resyncId);
  if (before === undefined) return undefined;
  const { answered, failed, open } = await settleOpen(tx, resyncId);
  const run = { ...before, answered: before.answered + answered, failed: before.failed + failed };
  const operator = brandOf(run.brand_id)?.operator;
  const perSecond = operator ? (run.per_second ?? operator.resync_per_second) : 0;
  const asking = run.state === 'asking' && perSecond > 0 ? await ask(tx, run, { perSecond, open, now }) : run;
  const isDone = asking.state === 'answering' && open + asking.asked - run.asked === 0;
  const after: ResyncRun = isDone ? { ...asking, state: 'done', finished_at: now } : asking;
  await saveStep(tx, after);
  return { asked: after.asked - before.asked, answered, failed };
}

async function ask(
  tx: ClientBase,
  run: ResyncRun,
  { perSecond, open, now }: { perSecond: number; open: number; now: Micros },
): Promise<ResyncRun> {
  if (run.last_player_id === null) {
    const counted = await countPlayers(tx, run);
    const last_player_id = counted.last_player_id ?? 0;
    return withEnd({ ...run, total: counted.total, last_player_id, started_at: now }, now);
  }
  const pace = paceOf(perSecond, run.paced_to, now);
  const room = Math.floor((mostOpen - open) / run.look_ups.length);
  const limit = Math.min(pace.players, room, mostAtOnce);
  if (limit <= 0) return pace.players > 0 ? { ...run, paced_to: now } : run;
  const { player_ids, position } = await nextPlayers(tx, { ...run, last_player_id: run.last_player_id }, limit);
  await requestUnlessErased(
    tx,
    player_ids.flatMap((player_id) =>
      run.look_ups.map((look_up) => ({ player_id, brand_id: run.brand_id, look_up, lane: lanes.background })),
    ),
  );
  await noteAsked(tx, run.resync_id, player_ids, run.look_ups);
  const asked = run.asked + player_ids.length * run.look_ups.length;
  return withEnd({ ...run, position, asked, paced_to: pace.pacedTo(player_ids.length) }, now);
}

function withEnd(run: ResyncRun, now: Micros): ResyncRun {
  const isAtEnd = run.last_player_id !== null && run.position >= run.last_player_id;
  return isAtEnd ? { ...run, state: 'answering', asked_all_at: now } : run;
}
