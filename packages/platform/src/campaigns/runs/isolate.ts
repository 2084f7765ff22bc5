import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { SiteSignal } from '../../channels/index.ts';
import { divide } from '../../chores/index.ts';
import { isContentFailure, unprocessableReason } from '../../database/index.ts';
import { mayStart } from '../news/news.ts';
import { apart } from './apart.ts';
import { failEntry } from './fail-entry.ts';
import {
  type Driven,
  enterApart,
  moveApart,
  type Round,
  type RoundCounts,
  type RoundDeps,
  runRound,
  workOf,
} from './round.ts';
import { failRun, type Spoiled } from './spoiled.ts';
import type * as store from './store.ts';

/*
 * A round is one transaction over many players. If PostgreSQL refuses one value, or one run cannot be processed, the
 * whole round is rolled back. The next round would take the same rows and fail again, and all campaigns of the worker
 * would stop.
 *
 *   round over all players ---- fails because of its data ----> the same for each half of its players
 *           |                                                       |            |
 *        succeeds                                                succeeds      fails: halves again
 *                                                                                | at most `fewPlayers`
 *                                                                                v
 *                                                one transaction, with a savepoint for each entry and each run
 *                                                   what fails here: the run ends as failed, the entry becomes a failed run
 *
 * The failed runs are written after all other players were processed. This adds no cost to a round that succeeds. One bad
 * run among 500 players costs 15 further transactions, once.
 * If the database is unavailable or in trouble, or if it ended the transaction in favor of another, the round is repeated as it is.
 */

/**
 * With at most this many players, each run is processed separately, because a further search for the bad run would be
 * slower.
 */
const fewPlayers = 4;
export interface IsolatedCounts extends RoundCounts {
  /** Errors of players for whom not even the failure could be stored. They are tried again in the next round. */
  stuck: readonly unknown[];
}

/** Makes one round. If it fails because of the data of one run, all others are processed, and this one fails. */
export async function runIsolatedRound(
  deps: RoundDeps,
  buckets: readonly number[],
  at: Micros,
): Promise<IsolatedCounts> {
  let taken: ReadonlySet<number> = new Set();
  try {
    const onTaken = (players: ReadonlySet<number>) => {
      taken = players;
    };
    return { ...(await runRound(deps, buckets, at, { onTaken })), stuck: [] };
  } catch (error) {
    if (taken.size === 0 || !isContentFailure(error)) throw error;
    return sumOf(await isolate(deps, buckets, at, [...taken], error));
  }
}

/** Processes players of whom at least one is the cause of `error`. If the cause is an error of this program, no run fails. */
async function isolate(
  deps: RoundDeps,
  buckets: readonly number[],
  at: Micros,
  players: readonly number[],
  error: unknown,
): Promise<IsolatedCounts[]> {
  const work = async (some: readonly number[]) => ({
    ...(await runRound(deps, buckets, at, { players: some })),
    stuck: [],
  });
  const { results, bad } = await divide<number, IsolatedCounts>(players, work, { error, few: fewPlayers });
  for (const { group } of bad) results.push(...(await processSingly(deps, buckets, at, group)));
  return results;
}

async function processSingly(
  deps: RoundDeps,
  buckets: readonly number[],
  at: Micros,
  players: readonly number[],
): Promise<IsolatedCounts[]> {
  try {
    return [{ ...(await runRound(deps, buckets, at, { players, process: eachApart })), stuck: [] }];
  } catch (error) {
    if (!isContentFailure(error)) throw error;
    if (players.length === 1) return [{ ...nothingDone, stuck: [error] }];
    const all: IsolatedCounts[] = [];
    for (const player of players) all.push(...(await processSingly(deps, buckets, at, [player])));
    return all;
  }
}

export const nothingDone: RoundCounts = {
  news: 0,
  entered: 0,
  moved: 0,
  begun: 0,
  more: false,
  isIdle: false,
  signals: [],
  spoiled: [],
};

function sumOf(rounds: readonly IsolatedCounts[]): IsolatedCounts {
  const sum = { ...nothingDone };
  for (const { news, entered, moved, begun } of rounds) {
    sum.news += news;
    sum.entered += entered;
    sum.moved += moved;
    sum.begun += begun;
  }
  return {
    ...sum,
    // These rounds processed only a part of what is due. A player who stays would be found again immediately.
    more: rounds.every(({ stuck }) => stuck.length === 0),
    signals: rounds.flatMap(({ signals }) => signals),
    spoiled: rounds.flatMap(({ spoiled }) => spoiled),
    stuck: rounds.flatMap(({ stuck }) => stuck),
  };
}

/** Processes each entry and each run of a brand in a savepoint: first all entries, then all runs, as in other rounds. */
async function eachApart(tx: PoolClient, deps: RoundDeps, brand: Brand, round: Round): Promise<Driven> {
  const { wanted, runs } = await workOf(deps, brand, round);
  const spoiled: Spoiled[] = [];
  const signals: SiteSignal[] = [];
  const entered: store.RunRow[] = [];
  let count = 0;
  let moved = 0;
  for (const one of wanted) {
    const { player_id, campaign, news } = one;
    if (!mayStart(news)) continue;
    const outcome = await apart(tx, () => enterApart(tx, deps, brand, round, [one]));
    if (outcome.failed) {
      spoiled.push(await failEntry(tx, { player_id, version: campaign.version, cause: news }, outcome.error, round.at));
      count++;
    } else entered.push(...outcome.result);
  }
  for (const row of [...entered, ...runs]) {
    // A copy, because moving changes it, and the change is undone with the savepoint.
    const copy = { ...row };
    const work = entered.includes(row) ? { entered: [copy], runs: [] } : { entered: [], runs: [copy] };
    const outcome = await apart(tx, () => moveApart(tx, deps, brand, round, work));
    if (outcome.failed) {
      const reason = unprocessableReason(outcome.error);
      await failRun(tx, row, reason, round.at);
      spoiled.push({ ...row, error: outcome.error });
      moved++;
    } else {
      moved += outcome.result.moved;
      signals.push(...outcome.result.signals);
      spoiled.push(...outcome.result.spoiled);
    }
  }
  return { entered: entered.length + count, moved, signals, spoiled };
}
