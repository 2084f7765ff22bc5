import type { OutcomeCounts, OutcomeQuery } from './outcome-players.tsx';

/** What a count is compared with: `share` of the entered runs or of the sent messages, or `mean` per entered run. */
export type Rate = { of: 'entered' | 'sent'; share: number } | { of: 'run'; mean: number };

type Outcome = OutcomeQuery['outcome'];

/** What happened to a message after it was sent. */
const ofSent: ReadonlySet<Outcome> = new Set([
  ...(['delivered', 'shown', 'opened', 'clicked'] as const),
  ...(['replied', 'bounced', 'complained', 'unsubscribed'] as const),
]);

/**
 * Returns the rate of a count of the whole campaign. Pure.
 *
 * Outcomes of runs are shares of the entered runs. So are outcomes of effects at one step, because a run passes a step
 * once. Effects of several steps can be more than the runs, so they are a mean per run.
 *
 * @param effects the counts of each step
 * @returns undefined if there is nothing to compare with
 */
export function rateOf(
  outcome: Outcome,
  counts: OutcomeCounts,
  effects: readonly (OutcomeCounts & { step: string })[],
): Rate | undefined {
  const count = counts[outcome];
  if (outcome === 'entered' || counts.entered === 0) return undefined;
  if (ofSent.has(outcome)) return counts.sent === 0 ? undefined : { of: 'sent', share: count / counts.sent };
  const own = effects.filter((row) => row[outcome] > 0);
  const ofEffects = own.reduce((sum, row) => sum + row[outcome], 0);
  const steps = new Set(own.map(({ step }) => step)).size;
  // `failed` also counts runs. They are another kind of thing than the effects of a step.
  const isOfRuns = ofEffects === 0 || (steps === 1 && ofEffects === count);
  return isOfRuns ? { of: 'entered', share: count / counts.entered } : { of: 'run', mean: count / counts.entered };
}
