import { divide } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import { isContentFailure } from '../../../database/index.ts';
import { type RoundCounts, type RoundDeps, runRound } from './round.ts';

/*
 * A round is one transaction over many players. If PostgreSQL refuses a value of one player, or the rules cannot be evaluated for this
 * player, the whole round is rolled back. The next round would take the same rows and fail again.
 *
 *   round over all buckets ---- fails ----> halves of the buckets (apart.ts) ----> one bucket that fails
 *                                                                                        |
 *                      players that are held back <---- single players that fail <---- halves of its players (chores/divide.ts)
 *
 * A player who fails is held back: the news about the player stays stored, and other rounds leave the player out (held-back.ts).
 */

/** A player for whom a round fails. */
export interface PlayerFailure {
  player_id: number;
  error: unknown;
}

export interface IsolatedCounts extends RoundCounts {
  failed: readonly PlayerFailure[];
}

/**
 * Makes one round. If it covers one bucket, and fails because of the data of some players, all others are processed.
 *
 * @param except players who are held back
 * @param most maximum number of players who may fail; if more fail, the bucket fails
 * @throws any other error, and any error of a round over several buckets
 */
export async function runIsolatedRound(
  deps: RoundDeps,
  buckets: readonly number[],
  clock: Clock,
  except: readonly number[],
  most: number,
): Promise<IsolatedCounts[]> {
  let taken: readonly number[] = [];
  const onTaken = (players: readonly number[]) => {
    taken = players;
  };
  const rounds = async (within: Parameters<typeof runRound>[3]): Promise<IsolatedCounts> => ({
    ...(await runRound(deps, buckets, clock, within)),
    failed: [],
  });
  try {
    return [await rounds({ except, onTaken })];
  } catch (error) {
    if (buckets.length > 1 || taken.length === 0 || !isContentFailure(error)) throw error;
    const { results, bad } = await divide(taken, (players) => rounds({ players }), { error, few: 1 });
    if (bad.length > most) throw error;
    const failed = bad.flatMap((one) => one.group.map((player_id) => ({ player_id, error: one.error })));
    return [...results, { ...nothingProcessed, failed }];
  }
}

/** Another round follows, because these rounds processed only a part of what was stored. */
const nothingProcessed: RoundCounts = {
  news: 0,
  players: 0,
  transitions: 0,
  more: true,
  mass: [],
  isIdle: false,
  evaluated: new Set(),
};
