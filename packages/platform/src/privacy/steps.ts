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

/** What a step comes to: the next one, at once or later; or the same again, with the reason. */
export type StepResult =
  | { next: ErasureStep; in_ms?: number; counts?: Record<string, number> }
  | { held_because: string; again_in_ms: number };

/** After "held": money and consents settle within minutes, packers and rebuilds within seconds to hours. */
export const askAgainMs = { open: 10_000, busy: 5_000, failed: 30_000 };
/** The longest call to an operator is 10 s, a transaction ends sooner. */
export const settleMs = 60_000;
