const minute = 60_000;
const hour = 60 * minute;

/**
 * Waits before a stored withdrawal is written again because a look-up still said the opposite. The first wait allows for an
 * operator whose look-ups read a copy that lags behind. If look-ups still disagree after the last wait, the operator accepts
 * the write without storing it. Then a person has to look.
 */
const rewriteWaits = [minute, 10 * minute, hour, 6 * hour];
export const maxRewrites = rewriteWaits.length;

/** Fraction by which a wait varies, so that changes whose look-ups arrived together are not written together. */
const jitter = 0.1;

/**
 * @param rewrites how often the change was written again before
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export function waitBeforeRewrite(rewrites: number, random: number): number {
  const wait = rewriteWaits[Math.min(rewrites, rewriteWaits.length - 1)] ?? 0;
  return Math.round(wait * (1 - jitter + 2 * jitter * random));
}
