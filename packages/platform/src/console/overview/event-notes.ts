import { type EventKind, type Micros, ownEventKinds } from '@croupier/contracts';
import { type BrandSettings, isInEffect } from '../../brands/index.ts';
import { mostUnpriced } from '../../derive/index.ts';

/** docs/reference/interface.md, Delivery rules 1: published within 1 second of taking place. */
export const publishTargetMicros: Micros = 1_000_000;

/** For events of one kind in the last 24 hours, without imports. */
export interface PublishDelay {
  p50: Micros;
  p99: Micros;
  target: Micros;
  events: number;
}

/** Facts about the events of one kind: state over all time, counts of the last 24 hours. */
export interface EventFacts {
  last_success: Micros | null;
  last_error: { at: Micros; message: string } | null;
  events: number;
  conflicts: number;
  orphans: number;
  /** Bodies of this kind in quarantine that need a person. */
  quarantined: number;
  publish_delay: PublishDelay | null;
  /** For payments: those without a payment_id. */
  without_id: number;
  zoneless: { events: number; shifted: { hours: number; events: number }[] };
  /**
   * For game rounds, if activities are sent as well: recent rounds, and those that only one of the two endpoints has reported.
   */
  partners?: { rounds: number; alone: number } | undefined;
  /** For game rounds: how many count without amounts, up to `mostUnpriced`. */
  unpriced_rounds?: number;
  /** For casino events: the number of bets and wins of a round that has far too many; null if there is none. */
  endless_round?: number | null;
}

/** Something that works but needs a person. */
export interface Note {
  code:
    | 'no_call_in'
    | 'no_call_out'
    | 'late'
    | 'conflicts'
    | 'orphans'
    | 'quarantined'
    | 'zoneless_shifted'
    | 'no_partner'
    | 'unpriced_rounds'
    | 'endless_round'
    | 'payments_without_id';
  message: string;
  /** The brand setting that would help; null if the operator has to change something. */
  setting: string | null;
}

/** docs/reference/decisions.md 2.4: conflicts or orphans above this share of an endpoint's events turn its step yellow. */
const toleratedShare = 0.001;
/** docs/reference/decisions.md 2.7: above this share of rounds without a partner the overview warns. */
const toleratedAlone = 0.01;
/** With fewer rounds, a share is not meaningful. */
const partnersAtLeast = 100;
/** With fewer events without a zone, a cluster may be chance. */
const zonelessAtLeast = 20;
/** The share of events without a zone at one whole hour that counts as a cluster: far above what late retries can cause. */
const zonelessCluster = 0.5;

interface Remedy {
  advice: string;
  setting: keyof BrandSettings | null;
}

const conflictRemedies: Partial<Record<EventKind, Remedy>> = {
  casino: {
    advice:
      'Events with the same vendor_id, activity_id, type and status have different money. If the operator reuses activity ids, add round_id, timestamp or amount to the key.',
    setting: 'casino_activity_key',
  },
  gameround: {
    advice:
      'Messages about one round have different amounts within 72 hours. Send the message once, when the round is over, or use a unique id for each round.',
    setting: null,
  },
  sports: {
    advice:
      'One activity_id is sent again with the same type and status and different money. To correct an activity, send a Rollback and an activity with a new id.',
    setting: null,
  },
  payment: {
    advice:
      'One payment_id is sent with the same status and time and different amounts. Ask the operator which one is correct.',
    setting: null,
  },
  bonus: {
    advice:
      'One user_bonus_id is sent with the same status and time and different amounts. Ask the operator which one is correct.',
    setting: null,
  },
  cart: {
    advice:
      'One cart_id is sent with the same type, status and time and different amounts. Ask the operator which one is correct.',
    setting: null,
  },
};

const orphanRemedies: Partial<Record<EventKind, Remedy>> = {
  casino: {
    advice:
      'Rollbacks refer to activities that were never sent. If they cancel the whole round, switch on rollback_by_round.',
    setting: 'rollback_by_round',
  },
  payment: {
    advice:
      'Final statuses arrive for payments without an earlier event. Publish Requested or Approved too, or import the older payments through the same endpoint.',
    setting: null,
  },
  sports: {
    advice:
      'Settlements or Rollbacks refer to bets that were never sent. Publish every Bet, or import the older bets through the same endpoint.',
    setting: null,
  },
  lottery: {
    advice:
      'Settlements refer to tickets that were never sent. Publish every Bet, or import the older ones through the same endpoint.',
    setting: null,
  },
};

const noRemedy: Remedy = { advice: 'Ask the operator for the reason. The list shows both versions.', setting: null };

/** The notes about the events of one kind. Pure; empty if there are none. */
export function eventNotes(kind: EventKind, facts: EventFacts): Note[] {
  const notes: Note[] = [];
  const delay = isOwnKind(kind) ? null : facts.publish_delay;
  if (delay !== null && delay.p99 > delay.target) {
    notes.push({
      code: 'late',
      message: `1 % of these events arrive ${seconds(delay.p99)} or more after their timestamp. The target is ${seconds(delay.target)}.`,
      setting: null,
    });
  }
  if (facts.conflicts > facts.events * toleratedShare) {
    const { advice, setting } = remedyOf(conflictRemedies[kind]);
    notes.push({
      code: 'conflicts',
      message: `${share(facts.conflicts, facts.events)} are conflicts. ${advice}`,
      setting,
    });
  }
  if (facts.orphans > facts.events * toleratedShare) {
    const { advice, setting } = remedyOf(orphanRemedies[kind]);
    notes.push({ code: 'orphans', message: `${share(facts.orphans, facts.events)} are orphans. ${advice}`, setting });
  }
  if (facts.quarantined > 0) {
    notes.push({
      code: 'quarantined',
      message: `${facts.quarantined} of these events could not be accepted. They are in quarantine.`,
      setting: null,
    });
  }
  if (facts.without_id > facts.events * toleratedShare) {
    notes.push({
      code: 'payments_without_id',
      message: `${share(facts.without_id, facts.events)} have no payment_id. Such a payment counts only if it is Approved, its Rollback has no effect, and a repeat is recognized only if it is exactly the same. Send the payment's id.`,
      setting: null,
    });
  }
  const cluster = zonelessShift(facts.zoneless);
  if (cluster !== null) {
    notes.push({
      code: 'zoneless_shifted',
      message: `Timestamps without a zone are about ${cluster} h off. The operator uses another time zone than the configured one.`,
      setting: 'zoneless_timestamps',
    });
  }
  const { rounds = 0, alone = 0 } = facts.partners ?? {};
  if (rounds >= partnersAtLeast && alone > rounds * toleratedAlone) {
    notes.push({
      code: 'no_partner',
      message: `${alone} of ${rounds} recent rounds (${percent(alone, rounds)} %) are reported by only one of casino and gameround. If their vendor, game and round ids do not match, both count. Choose the endpoint for rounds (rounds_from).`,
      setting: 'rounds_from',
    });
  }
  const unpriced = facts.unpriced_rounds ?? 0;
  if (unpriced > 0) {
    notes.push({
      code: 'unpriced_rounds',
      message: `${unpriced}${unpriced < mostUnpriced ? '' : ' or more'} rounds count without amounts, because their messages are in a currency without a known rate. Send the fields *_base too, or the casino events of these rounds, which contain a rate.`,
      setting: null,
    });
  }
  if (facts.endless_round !== undefined && facts.endless_round !== null) {
    notes.push({
      code: 'endless_round',
      message: `One round has ${facts.endless_round} bets and wins and is still growing, and each further one costs more. Use a unique round_id for every round of a game.`,
      setting: null,
    });
  }
  return notes;
}

/**
 * True for events that the platform itself sends. They carry the time of what they report, and are sent once that is certain,
 * so a delay is not the operator's, and a pause between them is not silence.
 */
export function isOwnKind(kind: EventKind): boolean {
  return (ownEventKinds as readonly EventKind[]).includes(kind);
}

/** Notes about serious problems, which turn a step red. */
export function isGrave({ code }: Note): boolean {
  return code === 'endless_round';
}

/** A setting that is not in effect yet must not be suggested, because changing it would not help. */
function remedyOf(remedy: Remedy = noRemedy): Remedy {
  return remedy.setting === null || isInEffect(remedy.setting) ? remedy : noRemedy;
}

/**
 * The whole hour at which the delays of events without a zone cluster; null if they do not (docs/reference/decisions.md 1,
 * "Timestamps").
 */
export function zonelessShift({ events, shifted }: EventFacts['zoneless']): number | null {
  if (events < zonelessAtLeast) return null;
  const largest = shifted.reduce((a, b) => (b.events > a.events ? b : a), { hours: 0, events: 0 });
  return largest.hours !== 0 && largest.events >= events * zonelessCluster ? largest.hours : null;
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} events (${percent(part, whole)} %)`;
}

function percent(part: number, whole: number): string {
  return ((100 * part) / Math.max(1, whole)).toFixed(2);
}

function seconds(micros: Micros): string {
  return `${micros / 1_000_000} s`;
}
