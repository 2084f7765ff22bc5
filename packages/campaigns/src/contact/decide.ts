import type { Micros } from '@croupier/contracts';
import { type CapCount, type Contact, type ContactHistory, capCounts, exceededCap, type FrequencyCap } from './caps.ts';
import { type PolicyReason, type PolicySubject, policyBreach } from './policy.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

/** The decision of the rules of contact about one contact, in the form of a verdict for a run. */
export type ContactDecision =
  | { outcome: 'allowed' }
  | { outcome: 'withheld'; reason: 'holdout' | 'frequency_cap' | PolicyReason }
  | { outcome: 'hold'; reason: 'quiet_hours'; until: Micros; for: 'quiet_hours' };

export interface ContactSettings {
  quiet_hours: QuietHours | null;
  frequency_caps: readonly FrequencyCap[];
}

export interface ContactQuestion {
  contact: Contact & { priority: number };
  at: Micros;
  /** The time zone of the player. */
  zone: string;
  country: string | null;
  /** Whether the player is in the brand's control group. */
  isHeldOut: boolean;
  history: ContactHistory;
  subject?: Omit<PolicySubject, 'purpose'>;
}

/**
 * Decides after the gate has allowed a contact. Permanent reasons come first, then those that end with time. So a forbidden
 * contact is never held for a night, and a held contact is compared with the caps only when it is due.
 *
 * The control group gets only service messages from campaigns. Quiet hours and caps apply to messages; a bonus (purpose bonus)
 * has neither.
 */
export function decideContact(settings: ContactSettings, question: ContactQuestion): ContactDecision {
  const { contact, at, zone, country, isHeldOut, subject = {} } = question;
  const { purpose } = contact;
  if (isHeldOut && purpose !== 'service') return { outcome: 'withheld', reason: 'holdout' };
  const breach = policyBreach(country, { ...subject, purpose });
  if (breach !== null) return { outcome: 'withheld', reason: breach };
  if (purpose === 'bonus') return { outcome: 'allowed' };
  const until = settings.quiet_hours === null ? null : quietUntil(settings.quiet_hours, at, zone);
  if (until !== null) return { outcome: 'hold', reason: 'quiet_hours', until, for: 'quiet_hours' };
  if (exceededCap(countsOf(settings, question)) !== undefined) return { outcome: 'withheld', reason: 'frequency_cap' };
  return { outcome: 'allowed' };
}

/** How many places are taken in each cap that applies to a contact. */
export function countsOf({ frequency_caps }: ContactSettings, { contact, history, at }: ContactQuestion): CapCount[] {
  return contact.purpose === 'bonus' ? [] : capCounts(frequency_caps, contact, history, at);
}
