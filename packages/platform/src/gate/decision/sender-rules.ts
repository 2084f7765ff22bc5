import { playerZone, quietHoursOf, quietUntil } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import type { ContactRequest, RulesOfContact, Ruling } from '../request.ts';
import type { GateDeps, Judged } from './decide-all.ts';
import { type ProductContact, productRuling } from './products.ts';

/*
 * The rules of contact that are checked again when a message is sent, because it may have waited in a queue since it was ordered: consents
 * for products, the suppression list, and quiet hours (docs/guides/compliance.md). They use the facts of the gate's decision, so they read
 * nothing. Pure.
 */

type Checked = 'keepsQuietHours' | 'isSuppressed';
type SentContact = ProductContact & Judged<Pick<ContactRequest, keyof ProductContact['request'] | Checked>>;

/** @returns undefined if none of these rules applies to any request */
export function senderRules(
  judged: readonly SentContact[],
  deps: Pick<GateDeps, 'brands'>,
  at: Micros,
): RulesOfContact | undefined {
  const isPlain = ({ about, keepsQuietHours, isSuppressed }: SentContact['request']) =>
    about === undefined && keepsQuietHours !== true && isSuppressed !== true;
  if (judged.every(({ request }) => isPlain(request))) return undefined;
  return () => judged.map((one) => senderRuling(one, deps, at));
}

/** @returns null if none of these rules applies */
export function senderRuling(one: SentContact, deps: Pick<GateDeps, 'brands'>, at: Micros): Ruling | null {
  if (one.request.isSuppressed === true)
    return { outcome: 'withheld', reason: 'suppressed', inputs: { suppressed: true } };
  const product = productRuling(one, deps);
  return product?.outcome === 'withheld' ? product : (quietRuling(one, deps, at) ?? product);
}

/** @returns null if the contact does not keep quiet hours, or there are none at this time */
function quietRuling({ request, facts }: SentContact, { brands }: Pick<GateDeps, 'brands'>, at: Micros): Ruling | null {
  const settings = brands.byId(request.brand_id)?.settings;
  if (request.keepsQuietHours !== true || facts === undefined || settings === undefined) return null;
  const quiet_hours = quietHoursOf(settings.quiet_hours);
  if (quiet_hours === null) return null;
  const zone = playerZone(facts, settings);
  const until = quietUntil(quiet_hours, at, zone);
  if (until === null) return null;
  return {
    outcome: 'held',
    reason: 'quiet_hours',
    until,
    inputs: { zone, quiet_hours, until: timestamptzText(until) },
  };
}
