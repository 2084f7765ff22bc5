import type { Words } from '../language.ts';

/*
 * The steps of an erasure, from the request to the end. After a crash, a step can be started again, and continues with what is
 * left.
 *
 *   waiting ---- nothing open (or forced), exclusive lock -----------> ledger ----> rows ----> settling ----> vacuum ----> done
 *    |   ^                                                             |  ^        |  ^
 *    |   '-- held: money or a consent is open                          '--' busy   '--' busy: a rebuild, a packer
 *    v
 *   cancelled (by a person, only here)
 *
 *   waiting    at its end one transaction replaces the player by a tombstone: from then on the player is unknown, and later
 *              events of the user_id have no effect
 *   ledger     deletes the player's events from blocks and packs
 *   rows       erases facts, totals, profile, quarantine and everything else in the inventory
 *   settling   waits a minute for processes that are handling the player (a look-up, a bonus call), then erases what they left
 *   vacuum     removes dead rows from the tables
 */
export const erasureSteps = ['waiting', 'ledger', 'rows', 'settling', 'vacuum', 'done', 'cancelled'] as const;
export type ErasureStep = (typeof erasureSteps)[number];

/**
 * The result of a step: the next one, immediately or later; or the same one again, with the reason. 'not_ours': a person cancelled
 * the erasure, or the claim expired and another worker has it; nothing was done, and nothing must be stored.
 */
export type StepResult =
  | { next: ErasureStep; in_ms?: number; counts?: Record<string, number> }
  | { held_because: Words; again_in_ms: number }
  | 'not_ours';

/** Milliseconds to wait after "busy" and "failed". Packers and rebuilds finish within seconds to hours. */
export const askAgainMs = { busy: 5_000, failed: 30_000 };
/**
 * Milliseconds between checks of open money and consents. They settle within minutes, or need a person. So the first checks follow soon,
 * and later checks are less frequent.
 */
const openAgain = [10_000, 60_000, 600_000] as const;

/** @param tries how many times in a row it was held before */
export function openAgainMs(tries: number): number {
  return openAgain[Math.min(tries, openAgain.length - 1)] ?? openAgain[2];
}

/** How long the step `settling` waits. The longest call to an operator takes 10 s, and transactions end sooner. */
export const settleMs = 60_000;
