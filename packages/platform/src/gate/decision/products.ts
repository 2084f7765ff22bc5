import { marketPolicyOf, policyBreach } from '@croupier/campaigns';
import type { ContactRequest, Ruling } from '../request.ts';
import type { GateDeps, Judged } from './decide-all.ts';

/*
 * Consents for products, checked again when a message is sent (docs/guides/compliance.md). It uses the facts of the gate's decision, so it
 * reads nothing. Pure.
 */

export type ProductContact = Judged<
  Pick<ContactRequest, 'brand_id' | 'player_id' | 'channel' | 'purpose' | 'expires_at' | 'about'>
>;

/** @returns null if the contact is not about products, or the player's market requires no consent for them */
export function productRuling(
  { request: { brand_id, purpose, about }, facts }: ProductContact,
  { brands }: Pick<GateDeps, 'brands'>,
): Ruling | null {
  if (about === undefined || facts === undefined) return null;
  const policy = marketPolicyOf(facts.market, facts.country);
  if (policy === undefined) return null;
  const { channel, products } = about;
  const given = new Set(
    facts.consents.flatMap((one) => (one.opted_in === true && !one.in_doubt ? [one.type_key] : [])),
  );
  const consented = (brands.byId(brand_id)?.settings.product_consents ?? [])
    .filter((one) => one.channel === channel && given.has(one.consent.toLowerCase()))
    .map(({ product }) => product);
  const subject = { products, consented };
  const reason = policyBreach(policy.market, { ...subject, purpose });
  const inputs = { policy: policy.market, subject };
  return reason === null ? { outcome: 'allowed', inputs } : { outcome: 'withheld', reason, inputs };
}
