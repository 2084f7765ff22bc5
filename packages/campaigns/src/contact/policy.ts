import { readCountry } from '@croupier/contracts';

/** What a market requires of marketing and incentives, in addition to the gate. */
export interface MarketPolicy {
  market: string;
  /** If true, marketing needs a consent for its product, on its channel. */
  consent_per_product: boolean;
  /** Whether one incentive may concern more than one product. The products of the campaign and of the bonus count together. */
  mixed_product_incentives: boolean;
  /** The maximum wagering requirement of a bonus, as a multiple; null if there is no limit. */
  most_wagering: number | null;
  /**
   * How long the market allows marketing to continue after an exclusion or withdrawal was received, ISO 8601; null if the market has no
   * such rule.
   */
  most_suppression: string | null;
}

/** The policies, keyed by country as in the player's profile (ISO 3166). In countries without a policy only the gate applies. */
export const marketPolicies: Readonly<Record<string, MarketPolicy>> = {
  GB: {
    market: 'GB',
    consent_per_product: true,
    mixed_product_incentives: false,
    most_wagering: 10,
    most_suppression: 'P2D',
  },
};

/** What a contact or an incentive is about. Values that the brand does not provide are left out. */
export interface PolicySubject {
  purpose: string;
  /** Products, such as casino or betting. */
  products?: readonly string[];
  /** Products that the player consented to, on the channel. */
  consented?: readonly string[];
  /** If `wagering` is missing, the operator decides it, and the platform does not know it. */
  incentive?: { wagering?: number };
}

export const policyReasons = [
  'policy_product_consent',
  'policy_mixed_products',
  'policy_wagering',
  /** The market limits the wagering, and the bonus does not state it. */
  'policy_wagering_unknown',
] as const;
export type PolicyReason = (typeof policyReasons)[number];

/**
 * The policy of a player: the one named like the operator's market if it exists, otherwise the one of the player's country. A market is
 * the operator's own term, so it is read as a country is: `uk`, `GBR` and `gb` name GB.
 */
export function marketPolicyOf(market: string | null, country: string | null): MarketPolicy | undefined {
  const codes = [market, country].flatMap((name) => (name === null ? [] : [readCountry(name).code]));
  const code = codes.find((one) => Object.hasOwn(marketPolicies, one));
  return code === undefined ? undefined : marketPolicies[code];
}

/** Why the market forbids the contact or incentive; null if it allows it. */
export function policyBreach(country: string | null, subject: PolicySubject): PolicyReason | null {
  const policy = marketPolicyOf(null, country);
  if (policy === undefined) return null;
  const { purpose, products = [], consented = [], incentive } = subject;
  if (policy.consent_per_product && purpose === 'marketing' && products.some((one) => !consented.includes(one)))
    return 'policy_product_consent';
  return incentive === undefined ? null : incentiveBreach(policy, products, incentive);
}

/**
 * Why the market forbids a bonus. If the market limits the wagering, an unknown wagering is forbidden too, because it may be above
 * the limit.
 */
export function incentiveBreach(
  policy: MarketPolicy,
  products: readonly string[],
  { wagering }: NonNullable<PolicySubject['incentive']>,
): PolicyReason | null {
  if (!policy.mixed_product_incentives && new Set(products).size > 1) return 'policy_mixed_products';
  if (policy.most_wagering === null) return null;
  if (wagering === undefined) return 'policy_wagering_unknown';
  return wagering > policy.most_wagering ? 'policy_wagering' : null;
}

/** The products of a bonus: the products of its campaign, and the products that the bonus itself names. */
export function productsOf(
  ofCampaign: readonly string[],
  { products = [] }: { products?: readonly string[] },
): string[] {
  return [...new Set([...ofCampaign, ...products])];
}
