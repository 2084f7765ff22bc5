import { allSteps, type Campaign, type Step } from '../document.ts';
import {
  incentiveBreach,
  type MarketPolicy,
  marketPolicies,
  type PolicyReason,
  policyReasons,
  productsOf,
} from './policy.ts';

/** `policy_product_unknown`: a consent for the product is required, but not checked, because the campaign names no product. */
export const gapReasons = [...policyReasons, 'policy_product_unknown'] as const;
export type GapReason = (typeof gapReasons)[number];

/** A part of a campaign that does not satisfy the policy of a market, for all of its players. */
export interface PolicyGap {
  /** JSON path in the document, such as /steps/2/offer/wagering. */
  path: string;
  market: string;
  reason: GapReason;
  message: string;
}

/**
 * Lists what each market would withhold or could not check, and what to state in the document to avoid it. The list has the order of the
 * document.
 */
export function policyGaps(campaign: Pick<Campaign, 'products' | 'purpose' | 'steps'>): PolicyGap[] {
  const { products = [], steps } = campaign;
  return Object.values(marketPolicies).flatMap((policy) => [
    ...(policy.consent_per_product && namesNoProduct(campaign) ? [productGap(policy)] : []),
    ...bonusesOf(steps, '/steps').flatMap(({ path, bonus }) => {
      const reason = incentiveBreach(policy, productsOf(products, bonus), bonus);
      return reason === null ? [] : [gapOf(policy, path, reason)];
    }),
  ]);
}

/** Whether a campaign sends marketing without a product. */
function namesNoProduct({ purpose = 'marketing', products = [], steps }: Parameters<typeof policyGaps>[0]): boolean {
  const sends = allSteps(steps).some((step) => 'send' in step || 'call_list' in step);
  return purpose === 'marketing' && products.length === 0 && sends;
}

function productGap({ market }: MarketPolicy): PolicyGap {
  return {
    path: '/products',
    market,
    reason: 'policy_product_unknown',
    message: `name the products that the messages are about: ${market} requires a consent for each product, and without a product none is checked`,
  };
}

function gapOf({ market, most_wagering }: MarketPolicy, path: string, reason: PolicyReason): PolicyGap {
  switch (reason) {
    case 'policy_wagering_unknown':
      return {
        path: `${path}/wagering`,
        market,
        reason,
        message: `state the wagering of this bonus, at most ${most_wagering}: it is withheld from players of ${market} while its wagering is unknown`,
      };
    case 'policy_wagering':
      return {
        path: `${path}/wagering`,
        market,
        reason,
        message: `the wagering is above ${most_wagering}, so this bonus is withheld from players of ${market}`,
      };
    case 'policy_mixed_products':
      return {
        path: `${path}/products`,
        market,
        reason,
        message: `the campaign and this bonus name several products, so this bonus is withheld from players of ${market}`,
      };
    case 'policy_product_consent':
      throw new Error('a bonus is never withheld from all players because of a consent');
    default:
      return reason satisfies never;
  }
}

type Bonus = { wagering?: number; products?: readonly string[] };

function bonusesOf(steps: readonly Step[], path: string): { path: string; bonus: Bonus }[] {
  return steps.flatMap((step, place) => {
    const at = `${path}/${place}`;
    if ('credit' in step) return [{ path: `${at}/credit`, bonus: step.credit }];
    if ('credit_funds' in step) return [{ path: `${at}/credit_funds`, bonus: step.credit_funds }];
    if ('offer' in step) return [{ path: `${at}/offer`, bonus: step.offer }];
    if ('branch' in step)
      return step.branch.flatMap((arm, of) =>
        'when' in arm
          ? bonusesOf(arm.steps, `${at}/branch/${of}/steps`)
          : bonusesOf(arm.otherwise, `${at}/branch/${of}/otherwise`),
      );
    if ('split' in step)
      return step.split.flatMap(({ steps: inner = [] }, of) => bonusesOf(inner, `${at}/split/${of}/steps`));
    return [];
  });
}
