import { allSteps, type Campaign, kindOf, type Step } from './document.ts';

/**
 * Ids of the steps of one version that are missing or have another kind in another version. If there are
 * none, and no step has changed its place (`swappedSteps`), the open runs can move to the other version.
 */
export function goneSteps(from: Campaign, to: Campaign): string[] {
  const kinds = new Map(allSteps(to.steps).map((step) => [step.id, kindOf(step)]));
  return allSteps(from.steps).flatMap((step) => (kinds.get(step.id) === kindOf(step) ? [] : [step.id]));
}

/**
 * Two steps that have another order in another version, or undefined if all steps that both versions have are in the same order.
 *
 * A run goes forward in the order of `allSteps`, so it has passed only steps before its current step. If the order is the same, these are also
 * before it in the other version, and the run passes none of them again. Otherwise a run could repeat a step whose effect was already ordered.
 */
export function swappedSteps(from: Campaign, to: Campaign): { first: string; second: string } | undefined {
  const places = new Map(allSteps(to.steps).map(({ id }, place) => [id, place]));
  const kept = allSteps(from.steps).filter(({ id }) => places.has(id));
  for (const [nth, { id: second }] of kept.entries()) {
    const first = kept[nth - 1]?.id;
    if (first !== undefined && Number(places.get(second)) < Number(places.get(first))) return { first, second };
  }
  return undefined;
}

/** Whether a step is equal in both versions. */
export function isSameStep(a: Step | undefined, b: Step | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
