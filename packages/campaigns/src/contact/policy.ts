/** What a market demands of marketing and of incentives, beyond the gate. */
export interface PolicyPack {
  market: string;
  /** Marketing needs a consent for the product that it is about, on its channel. */
  consent_per_product: boolean;
  /** Whether one incentive may demand more than one product. */
  mixed_product_incentives: boolean;
  /** The most times that a bonus may have to be wagered; null: no limit. */
  most_wagering: number | null;
}

/** By country as in the player's profile (ISO 3166). Countries without a pack have the rules of the gate alone. */
export const policyPacks: Readonly<Record<string, PolicyPack>> = {
  GB: { market: 'GB', consent_per_product: true, mixed_product_incentives: false, most_wagering: 10 },
};

/** What a contact or an incentive is about. What the brand does not tell is left out. */
export interface PolicySubject {
  purpose: string;
  /** Products, such as casino or betting. */
  products?: readonly string[];
  /** Products that the player consented to, on the channel. */
  consented?: readonly string[];
  incentive?: { wagering?: number };
}

export const policyReasons = ['policy_product_consent', 'policy_mixed_products', 'policy_wagering'] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** The pack of a player: by the operator's market if there is one of that name, else by the country. */
export function policyPackOf(market: string | null, country: string | null): PolicyPack | undefined {
  const name = [market, country].find((one) => one !== null && Object.hasOwn(policyPacks, one.toUpperCase()));
  return policyPacks[name?.toUpperCase() ?? ''];
}

/** Why the market forbids it; null if it does not. */
export function policyBreach(country: string | null, subject: PolicySubject): PolicyReason | null {
  const pack = policyPackOf(null, country);
  if (pack === undefined) return null;
  const { purpose, products = [], consented = [], incentive } = subject;
  if (pack.consent_per_product && purpose === 'marketing' && products.some((one) => !consented.includes(one)))
    return 'policy_product_consent';
  if (incentive === undefined) return null;
  if (!pack.mixed_product_incentives && new Set(products).size > 1) return 'policy_mixed_products';
  if (pack.most_wagering !== null && (incentive.wagering ?? 0) > pack.most_wagering) return 'policy_wagering';
  return null;
}
