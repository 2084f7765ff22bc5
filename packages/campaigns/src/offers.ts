import { type Campaign, innerSteps, type Step } from './document.ts';

/** A step that gives the player a bonus, at once or after a claim. */
export type OfferStep = Extract<Step, { credit: unknown } | { credit_funds: unknown } | { offer: unknown }>;

function isOffer(step: Step): step is OfferStep {
  return 'offer' in step || 'credit' in step || 'credit_funds' in step;
}

/**
 * Returns the steps that may have given the player a bonus before a run reaches the step `id`, in the order in which runs pass them. If a
 * branch or split contains that step, only the arm with the step counts. If the branch or split ends before that step, all of its arms count.
 */
export function offersBefore({ steps }: Pick<Campaign, 'steps'>, id: string): OfferStep[] {
  const before: OfferStep[] = [];
  collect(steps, id, before);
  return before;
}

/** @returns whether the step was found; then `before` is complete */
function collect(steps: readonly Step[], id: string, before: OfferStep[]): boolean {
  for (const step of steps) {
    if (step.id === id) return true;
    if (isOffer(step)) before.push(step);
    const ofArms: OfferStep[] = [];
    for (const arm of innerSteps(step)) {
      const own: OfferStep[] = [];
      if (collect(arm, id, own)) {
        before.push(...own);
        return true;
      }
      ofArms.push(...own);
    }
    before.push(...ofArms);
  }
  return false;
}
