import { bonusStatuses, type DecimalText, type EventOf, type Micros } from '@croupier/contracts';
import { arrivalAmong, type Version } from '../../versions.ts';
import { expiryOf } from './expiry.ts';
import { type Keeping, retainedEvents, retainedOf, turnedRealAlike } from './retained-events.ts';

/*
 * What a bonus is, computed only from the set of its events (docs/reference/decisions.md 2.3, 2.4 and 2.9).
 *
 *   Pending -> Created -> Ongoing -> Completed, AutoCompleted      any status may be missing, doubled or arrive in any
 *                            |                                     order: the events are sorted by (timestamp, place in
 *                            +-----> Forfeited, Expired, Lost      this list), and the last one is the state
 *   any of them -> Reversed
 *
 * One user_bonus_id is one grant, regardless of its status. It counts once, at its earliest event. Reversed means that
 * the operator withdrew the grant, as a Rollback cancels a payment: the bonus no longer counts as granted, and has cost
 * nothing. A status after Reversed grants it again, from that event on. Forfeited, Expired and Lost end a bonus that
 * *was* granted.
 *
 * The key of an event is status and timestamp, so a status that is repeated with a new timestamp is another event of
 * the history. It changes neither the grant nor the time at which the state was reached.
 */
export type CrmReferences = NonNullable<EventOf<'bonus'>['crm_references']>;

/**
 * One version of one event of a bonus. Versions of a key with the same amounts are stored once; versions with other
 * amounts are conflicts.
 */
export interface BonusEvent extends Version {
  status: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  bonus_turned_real?: DecimalText;
  locked_amount?: DecimalText;
  required_wagering_amount?: DecimalText;
  product: string;
  type: string;
  bonus_id: string;
  origin: string;
  bonus_code?: string;
  crm_references?: CrmReferences;
  expires_at?: Micros;
}

type OptionalField =
  | 'bonus_turned_real'
  | 'locked_amount'
  | 'required_wagering_amount'
  | 'bonus_code'
  | 'crm_references'
  | 'expires_at';

/** The state of a bonus, computed from all its events. */
export interface BonusState {
  /** The latest event. It determines state, amount, currency, rate, product and type. */
  state: BonusEvent;
  /** When the state was reached: the time of the first event since which the status has not changed. */
  reached_at: Micros;
  /** False if the state is Reversed. */
  granted: boolean;
  /** The time of the earliest event. If another status follows a Reversed, the Reversed and all events before it are ignored. */
  granted_at: Micros;
  /**
   * The version whose `bonus_turned_real` is in force: the latest that contains the field. Its value may be 0. If another status
   * follows a Reversed, only versions after the Reversed count.
   */
  turned_real: BonusEvent | undefined;
  /**
   * When the amount got its current value. An operator that repeats it in every later status does not change this time.
   */
  turned_real_at: Micros | undefined;
  /**
   * For optional fields: the latest version that contains the field. Omitting a field does not withdraw its value.
   */
  locked: BonusEvent | undefined;
  required_wagering: BonusEvent | undefined;
  bonus_code: string | undefined;
  crm_references: CrmReferences | undefined;
  expires_at: Micros | undefined;
  /** The number of stored versions that are not in force because another version of their key has other amounts. */
  conflicts: number;
}

/**
 * Compares statuses and ignores upper and lower case (docs/reference/decisions.md 1, "Enumerations"). Known ones are already
 * normalized.
 */
export function isStatus(a: BonusEvent, b: BonusEvent): boolean {
  return a.status === b.status || a.status.toLowerCase() === b.status.toLowerCase();
}

/**
 * The order of events with the same timestamp. A status that the interface does not define comes first, so that a known status with the
 * same timestamp determines the state. Several unknown statuses are ordered by their lower-case text.
 */
const places = new Map<string, number>(bonusStatuses.map((status, place) => [status, place]));

export function inOrder(a: BonusEvent, b: BonusEvent): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  const place = (places.get(a.status) ?? -1) - (places.get(b.status) ?? -1);
  if (place !== 0) return place;
  if (!isStatus(a, b)) return a.status.toLowerCase() < b.status.toLowerCase() ? -1 : 1;
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

export function isKey(a: BonusEvent, b: BonusEvent): boolean {
  return a.timestamp === b.timestamp && isStatus(a, b);
}

/** All amounts count as money, including the wagering requirement: two versions with different requirements contradict each other. */
export function isSameMoney(a: BonusEvent, b: BonusEvent): boolean {
  return (
    a.amount === b.amount &&
    a.currency === b.currency &&
    a.exchange_rate === b.exchange_rate &&
    a.bonus_turned_real === b.bonus_turned_real &&
    a.locked_amount === b.locked_amount &&
    a.required_wagering_amount === b.required_wagering_amount
  );
}

/** Adds an event to the versions of its bonus. Returns the same array if nothing changes. */
export function addEvent(
  versions: readonly BonusEvent[],
  event: BonusEvent,
  keeping: Keeping = retainedEvents,
): readonly BonusEvent[] {
  if (versions.some(({ fingerprint }) => fingerprint === event.fingerprint)) return versions;
  const retained = retainedOf([...versions, event].sort(inOrder), keeping);
  return retained.includes(event) ? retained : versions;
}

/** Compares an event with the stored versions: `new`, or a `repeat` or `conflict` of one of them. */
export function classify(before: readonly BonusEvent[], event: BonusEvent): 'new' | 'repeat' | 'conflict' {
  return arrivalAmong(
    before.filter((version) => isKey(version, event)),
    event,
    isSameMoney,
  );
}

/** @param versions of one bonus, at least one, in canonical order */
export function settle(versions: readonly BonusEvent[]): BonusState {
  const inForce = versionsInForce(versions);
  const state = inForce.at(-1) as BonusEvent;
  const granted = state.status !== 'Reversed';
  const start = granted ? inForce.findLastIndex(({ status }) => status === 'Reversed') + 1 : 0;
  const takenBack = start > 0 ? inForce[start - 1] : undefined;
  // Amounts that had turned real before the bonus was reversed do not count.
  const turnedReal = saying(versions, 'bonus_turned_real').filter(
    (event) => takenBack === undefined || (inOrder(event, takenBack) > 0 && !isKey(event, takenBack)),
  );
  return {
    state,
    reached_at: runAtEnd(inForce, isStatus).timestamp,
    granted,
    granted_at: (inForce[start] as BonusEvent).timestamp,
    turned_real: turnedReal.at(-1),
    turned_real_at: turnedReal.length === 0 ? undefined : runAtEnd(turnedReal, turnedRealAlike).timestamp,
    locked: saying(versions, 'locked_amount').at(-1),
    required_wagering: saying(versions, 'required_wagering_amount').at(-1),
    bonus_code: saying(versions, 'bonus_code').at(-1)?.bonus_code,
    crm_references: saying(versions, 'crm_references').at(-1)?.crm_references,
    expires_at: saying(versions, 'expires_at').at(-1)?.expires_at,
    conflicts: versions.filter((_, i) => !isRepeat(versions, i)).length - inForce.length,
  };
}

/** The versions in force: the first of each key. */
function versionsInForce(versions: readonly BonusEvent[]): readonly BonusEvent[] {
  return versions.filter((version, i) => i === 0 || !isKey(version, versions[i - 1] as BonusEvent));
}

/**
 * The versions that contain an optional field. The last one decides: the latest, and within one key the one in force.
 * If only one of two versions of a key contains the field, that version decides, because omitting a field does not withdraw
 * its value.
 */
export function saying(versions: readonly BonusEvent[], field: OptionalField): readonly BonusEvent[] {
  const telling = versions.filter((version) => version[field] !== undefined);
  return telling.sort((a, b) => (isKey(a, b) ? inOrder(b, a) : inOrder(a, b)));
}

/**
 * True if an earlier version in canonical order has the same key and money. Such a version is stored only for its other
 * fields.
 */
function isRepeat(versions: readonly BonusEvent[], place: number): boolean {
  const version = versions[place] as BonusEvent;
  for (let i = place - 1; i >= 0; i -= 1) {
    const other = versions[i] as BonusEvent;
    if (!isKey(other, version)) return false;
    if (isSameMoney(other, version)) return true;
  }
  return false;
}

/** Returns the first event of the unbroken run of `alike` events that ends with the last event. */
function runAtEnd(events: readonly BonusEvent[], alike: (a: BonusEvent, b: BonusEvent) => boolean): BonusEvent {
  const last = events.at(-1) as BonusEvent;
  return events[events.findLastIndex((event) => !alike(event, last)) + 1] as BonusEvent;
}

/** @param zone the brand's time zone */
export function bonusEvent(event: EventOf<'bonus'>, fingerprint: string, zone: string): BonusEvent {
  const { status, timestamp, amount, currency, exchange_rate, product, type, bonus_id, origin } = event;
  const { bonus_turned_real, locked_amount, required_wagering_amount, bonus_code, crm_references } = event;
  const expires_at = expiryOf(event.meta, zone);
  return {
    status,
    timestamp,
    amount,
    currency,
    exchange_rate,
    fingerprint,
    product,
    type,
    bonus_id,
    origin,
    ...(bonus_turned_real !== undefined && { bonus_turned_real }),
    ...(locked_amount !== undefined && { locked_amount }),
    ...(required_wagering_amount !== undefined && { required_wagering_amount }),
    ...(bonus_code !== undefined && { bonus_code }),
    ...(crm_references !== undefined && Object.keys(crm_references).length > 0 && { crm_references }),
    ...(expires_at !== undefined && { expires_at }),
  };
}
