import type { Micros, ReconciliationField } from '@croupier/contracts';
import { type LookUp, lookUps } from '../../operator/judging/index.ts';
import {
  blockInputs,
  consentInput,
  exclusionInputs,
  type ProtectionFacts,
  type ProtectionInput,
} from '../../operator/protection/index.ts';
import type { ContactRequest, HeldReason, WithheldReason } from '../request.ts';
import { type Freshness, freshnessOf, otherOutdated, type Reconciled } from './freshness.ts';
import { consentNeeded, consentOfChannel, purposeRules } from './rule.ts';

/*
 * Decides whether this contact may happen (docs/reference/decisions.md 7). Pure. Without sufficient information, it does
 * not allow the contact:
 *
 *     no such player ---------------------------------------------> withheld unknown_player
 *     any source excludes, whatever its age ----------------------> withheld excluded
 *     the consent was withdrawn in the platform, not confirmed ---> withheld no_consent
 *     an update of the player was acknowledged, not applied yet --> held (docs/decisions/1033)
 *     the look-up that an update requested is not answered -------> held
 *     a fact needed is unknown or too old ------------------------> held, and its look-up is requested
 *         ... and the contact has expired ------------------------> withheld, with the known reason, else as unknown
 *     any source blocks (not for service) ------------------------> withheld blocked
 *     consent needed, and not given ------------------------------> withheld no_consent / consent_unknown
 *     otherwise --------------------------------------------------> allowed
 *
 * An old exclusion is final, and an old block is not. An exclusion protects the player, and it does no harm if it counts a
 * little too long. A block ends when an identity check succeeds, and the bonus for the check is decided within the same
 * second. This bonus would be lost if a block that was current a second ago were final. So a block or a missing consent that
 * may be outdated is refreshed first. A withdrawal that was made in the platform is final while it is being sent to the operator: no
 * look-up may contradict it (docs/decisions/1040).
 */
export interface DecidedOn {
  request: Pick<ContactRequest, 'channel' | 'purpose' | 'expires_at'>;
  reconciled: Reconciled;
  now: Micros;
  fact_age_hours: number;
  /** The player has an acknowledged event that can change the facts, and that is not applied yet. */
  update_pending: boolean;
}

export type Verdict = {
  /** The inputs of each source that the rule needs. */
  inputs: ProtectionInput[];
  freshness: Freshness[];
  /** The age of the oldest fact that the verdict is based on. Null if one of them was never known. */
  as_of: Micros | null;
  /** Look-ups to request before the next contact. */
  wanting: LookUp[];
} & (
  | { outcome: 'allowed'; reason: null }
  | { outcome: 'withheld'; reason: WithheldReason }
  | { outcome: 'held'; reason: HeldReason }
);

/** If several reasons apply, the first of this order is reported. */
const worstFirst: readonly HeldReason[] = ['update_pending', 'unknown', 'outdated', 'too_old'];

/** @param facts undefined if the player does not exist, or no longer exists */
export function decide(facts: ProtectionFacts | undefined, on: DecidedOn): Verdict {
  if (facts === undefined) {
    return { outcome: 'withheld', reason: 'unknown_player', inputs: [], freshness: [], as_of: null, wanting: [] };
  }
  const inputs = inputsOf(facts, on.request);
  const needed = howFresh(facts, inputs.consent, on);
  const freshness = [...needed, ...otherOutdated(facts, needed)];
  const lacking = freshness.filter(({ lack }) => lack !== null);
  const rest = {
    inputs: [...inputs.exclusion, ...inputs.block, ...(inputs.consent ? [inputs.consent] : [])],
    freshness,
    as_of: needed.some(({ as_of }) => as_of === null) ? null : Math.min(...needed.map(({ as_of }) => Number(as_of))),
    wanting: lookUps.filter((look_up) => lacking.some((one) => one.look_up === look_up)),
  };
  const withheld = (reason: WithheldReason) => ({ ...rest, outcome: 'withheld' as const, reason });

  if (inputs.exclusion.some(({ counts }) => counts)) return withheld('excluded');
  if (inputs.consent !== null && isWithdrawnHere(inputs.consent)) return withheld('no_consent');
  const lack = worstFirst.find((reason) => lacking.some((one) => one.lack === reason));
  const no = knownNo(inputs);
  if (lack !== undefined) {
    if (on.request.expires_at === null || on.now < on.request.expires_at)
      return { ...rest, outcome: 'held', reason: lack };
    return withheld(isKnown(no) ? no : isParked(facts) ? 'unknown_player' : 'expired_while_unknown');
  }
  return no === null ? { ...rest, outcome: 'allowed', reason: null } : withheld(no);
}

interface DecisionInputs {
  exclusion: ProtectionInput[];
  block: ProtectionInput[];
  consent: ProtectionInput | null;
}

function inputsOf(facts: ProtectionFacts, request: DecidedOn['request']): DecisionInputs {
  const type = consentNeeded(request);
  return {
    exclusion: exclusionInputs(facts),
    block: purposeRules[request.purpose].block ? blockInputs(facts) : [],
    consent: type === null ? null : consentInput(facts, type),
  };
}

function howFresh(facts: ProtectionFacts, consent: ProtectionInput | null, on: DecidedOn): Freshness[] {
  const { channel, purpose } = on.request;
  const parts: Parameters<typeof freshnessOf>[1][] = [];
  for (const field of ['excluded', 'blocked'] as const) {
    if (field === 'blocked' && !purposeRules[purpose].block) continue;
    parts.push({ look_up: 'details', field }, { look_up: 'blocks', field });
  }
  const type = consentOfChannel[channel];
  if (consent !== null && type !== null) parts.push({ look_up: 'consents', field: reconciledAs[type], input: consent });
  return parts.map((part) => freshnessOf(facts, part, on.reconciled, on));
}

const reconciledAs = {
  Email: 'consent_email',
  SMS: 'consent_sms',
  Telephone: 'consent_telephone',
  PostMail: 'consent_post_mail',
  SiteNotification: 'consent_site_notification',
  PushNotification: 'consent_push_notification',
} as const satisfies Record<string, ReconciliationField>;

function isWithdrawnHere({ value, unconfirmed }: ProtectionInput): boolean {
  return value === false && unconfirmed;
}

function knownNo({ block, consent }: DecisionInputs): WithheldReason | null {
  if (block.some(({ counts }) => counts)) return 'blocked';
  if (consent === null || consent.counts) return null;
  return consent.value === false && !consent.in_doubt ? 'no_consent' : 'consent_unknown';
}

function isKnown(no: WithheldReason | null): no is 'blocked' | 'no_consent' {
  return no === 'blocked' || no === 'no_consent';
}

function isParked({ look_ups }: ProtectionFacts): boolean {
  return lookUps.some((look_up) => look_ups[look_up]?.parked);
}
