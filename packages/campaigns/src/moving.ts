import { allSteps, type Campaign, kindOf, type Step } from './document.ts';

/**
 * Ids of the steps of one version that are missing or have another kind in another version. If there are
 * none, the open runs can move to the other version.
 */
export function goneSteps(from: Campaign, to: Campaign): string[] {
  const kinds = new Map(allSteps(to.steps).map((step) => [step.id, kindOf(step)]));
  return allSteps(from.steps).flatMap((step) => (kinds.get(step.id) === kindOf(step) ? [] : [step.id]));
}

/** Whether a step is equal in both versions. */
export function isSameStep(a: Step | undefined, b: Step | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
