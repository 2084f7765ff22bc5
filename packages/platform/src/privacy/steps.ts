/*
 * An erasure, from the request to the end. Each step may be begun again after a crash and goes on with what is left.
 *
 *   waiting ---- nothing open (or forced), alone in live state ----> ledger ----> rows ----> settling ----> vacuum ----> done
 *    |   ^                                                             |  ^        |  ^
 *    |   '-- held: money or a consent is open                          '--' busy   '--' busy: a rebuild, a packer
 *    v
 *   cancelled (by a person, only here)
 *
 *   waiting    at its end one transaction puts a tombstone in the player's place: from then on nobody knows the player, and what still
 *              comes of the user_id has no effect
 *   ledger     the player's events leave blocks and packs
 *   rows       facts, totals, profile, quarantine and all else of the inventory
 *   settling   a minute for those who had the player in hand (a look-up, a bonus call), then once more what they left
 *   vacuum     dead rows leave the tables
 */
export const erasureSteps = ['waiting', 'ledger', 'rows', 'settling', 'vacuum', 'done', 'cancelled'] as const;
export type ErasureStep = (typeof erasureSteps)[number];

/**
 * What a step comes to: the next one, at once or later; or the same again, with the reason. 'not_ours': a person cancelled it, or the
 * claim ran out and somebody else is at it; nothing was done, and nothing is to be noted.
 */
export type StepResult =
  | { next: ErasureStep; in_ms?: number; counts?: Record<string, number> }
  | { held_because: string; again_in_ms: number }
  | 'not_ours';

/** After "held": packers and rebuilds settle within seconds to hours. */
export const askAgainMs = { busy: 5_000, failed: 30_000 };
/** Money and consents settle within minutes, or wait for a person: asked a few times soon, then seldom. */
const openAgain = [10_000, 60_000, 600_000] as const;

/** @param tries how often in a row it was held before */
export function openAgainMs(tries: number): number {
  return openAgain[Math.min(tries, openAgain.length - 1)] ?? openAgain[2];
}

/** The longest call to an operator is 10 s, a transaction ends sooner. */
export const settleMs = 60_000;
