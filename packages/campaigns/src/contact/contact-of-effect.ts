import type { Campaign } from '../document.ts';
import type { Effect } from '../run.ts';
import { type PolicySubject, productsOf } from './policy.ts';

const usualPriority = 50;

/** The priority of a campaign, from 0 to 100. The campaign with the higher priority takes places in frequency caps first. */
export function priorityOf({ priority = usualPriority }: Pick<Campaign, 'priority'>): number {
  return priority;
}

/** The contact of an effect, as the gate and the rules of contact need it. */
export function contactOf(effect: Effect) {
  switch (effect.kind) {
    case 'send':
    case 'webhook':
    case 'call_list':
      return { channel: effect.channel, purpose: effect.purpose };
    case 'credit':
    case 'credit_funds':
    case 'offer':
      return { channel: 'bonus', purpose: 'bonus' } as const;
    case 'tag':
    case 'untag':
      throw new Error(`${effect.kind} contacts no player`);
    default:
      return effect satisfies never;
  }
}

/** The fields of an effect that market policies read. If a campaign names no products, it is about no particular product. */
export function subjectOf({ products = [] }: Campaign, effect: Effect): Omit<PolicySubject, 'purpose' | 'consented'> {
  switch (effect.kind) {
    case 'credit':
    case 'credit_funds':
    case 'offer':
      return {
        products: productsOf(products, effect),
        incentive: effect.wagering === undefined ? {} : { wagering: effect.wagering },
      };
    default:
      return { products };
  }
}
