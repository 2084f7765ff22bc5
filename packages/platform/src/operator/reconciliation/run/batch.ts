import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { PlayerCreator } from '../../../derive/index.ts';
import { lookUps } from '../../judging/index.ts';
import { lanes, requestLookUps, requestUnlessErased } from '../../players/index.ts';
import { lookUpsOf } from '../compare/facts.ts';
import { type ComparedRun, type Judged, judgeStretch } from '../compare/judge-stretch.ts';
import { subjectOf } from '../fields.ts';
import { readStretch } from '../stage/stage-store.ts';
import { insertDrift } from './drift-store.ts';
import { tighten } from './tighten.ts';

/*
 * One batch of each step, in the caller's transaction. Each function processes what follows `position` of the run, and returns
 * the updated run. `position` null means that the step is done.
 */

/** Maximum number of ids of the list that one batch compares with the players, and of players that it creates. */
const creationSize = 1_000;

/** Step `players`: compares, tightens, and stores the drift. */
export async function compareNext(tx: ClientBase, run: ComparedRun, now: Micros): Promise<ComparedRun> {
  const { end, players, judged } = await judgeStretch(tx, run);
  const of = (verdict: Judged['verdict']) => judged.filter((one) => one.verdict === verdict);
  const tightened = of('tightened').map(({ player_id }) => player_id);
  await tighten(tx, run, tightened, now);
  const drift = judged.map(({ player_id, we_say, listed, since, verdict }) => {
    return { player_id, we_say, they_say: listed, since, done: verdict };
  });
  await insertDrift(tx, run.reconciliation_id, drift, listedSoFar(run));
  return {
    ...run,
    position: end,
    compared: run.compared + players,
    tightened: run.tightened + tightened.length,
    to_look_up: run.to_look_up + of('look_up').length,
    reported: run.reported + of('reported').length,
    newer: run.newer + of('newer').length,
  };
}

/**
 * Step `look_ups`: requests the look-ups that decide if the list may not decide. It compares the range again for two
 * reasons: a look-up may have arrived in the meantime, and the players who differ are not stored, because all players of the brand may
 * differ.
 */
export async function askNext(tx: ClientBase, run: ComparedRun): Promise<ComparedRun> {
  const { end, judged } = await judgeStretch(tx, run);
  const wanted = lookUpsOf(subjectOf(run.field).about);
  const asked = judged.filter(({ verdict }) => verdict === 'look_up');
  await requestUnlessErased(
    tx,
    asked.flatMap(({ player_id }) =>
      wanted.map((look_up) => ({ player_id, brand_id: run.brand_id, look_up, lane: lanes.background })),
    ),
  );
  return { ...run, position: end, looked_up: run.looked_up + asked.length };
}

/**
 * Step `unknown`: creates players for ids of the list that the platform does not know, with all their look-ups, and tightens at
 * once. None of this starts a campaign.
 */
export async function createNext(
  tx: ClientBase,
  run: ComparedRun,
  now: Micros,
  creator: PlayerCreator,
): Promise<ComparedRun> {
  const stretch = await readStretch(tx, run, run.position, creationSize);
  if (stretch === null) return { ...run, position: null };
  const players = await creator.create(tx, run.brand_id, stretch.unknown);
  const playerIds = players.map(({ player_id }) => player_id).sort((a, b) => a - b);
  await requestLookUps(
    tx,
    playerIds.flatMap((player_id) =>
      lookUps.map((look_up) => {
        return { player_id, brand_id: run.brand_id, look_up, lane: lanes.background, silent: true };
      }),
    ),
  );
  if (subjectOf(run.field).about === 'block') await tighten(tx, run, playerIds, now, new Set(playerIds));
  const drift = playerIds.map((player_id) => {
    return { player_id, we_say: null, they_say: true, since: null, done: 'created' as const };
  });
  await insertDrift(tx, run.reconciliation_id, drift, listedSoFar(run));
  return { ...run, position: stretch.end, created: run.created + players.length };
}

function listedSoFar({ tightened, to_look_up, reported, newer, created }: ComparedRun): number {
  return tightened + to_look_up + reported + newer + created;
}
