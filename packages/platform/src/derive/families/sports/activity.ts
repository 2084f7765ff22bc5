import { createHash } from 'node:crypto';
import type { DecimalText, EventOf } from '@croupier/contracts';
import { betParts, type MoneyParts, winParts } from '../../money.ts';
import { addVersion, type Version } from '../../versions.ts';

/*
 * An activity: what an operator reports under one activity_id and type, a stake (Bet) or a payout (Settlement).
 *
 *   Approved ----> Rollback        in any order, and with any timestamps: a Rollback cancels the
 *                                  Approved of its activity_id and type; without one it is an orphan
 *
 * The key of an event is (activity_id, type, status), so a body with another reference, amount or time is another
 * version of the same activity (docs/reference/decisions.md 2.3 and 2.4). The version in force decides which bet the
 * activity belongs to.
 */
export type ActivityType = EventOf<'sports'>['type'];
export type ActivityStatus = EventOf<'sports'>['status'];
export type Selection = EventOf<'sports'>['bets'][number];

export interface ActivityVersion extends Version {
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  /** activity_id of the bet that it belongs to. A Bet belongs to itself. */
  bet_id: string;
  /**
   * The other fields of the event. They are stored only for the Approved in force. Another stored version can never come into force,
   * because versions are never removed.
   */
  details?: ActivityDetails;
}

export interface ActivityDetails {
  cashout: boolean;
  /** In the currency of the amount. */
  parts: MoneyParts;
  bet_type: string;
  selections: readonly Selection[];
  origin: string;
  odds?: DecimalText;
  user_bonus_id?: string;
  device_type?: string;
  outcomes?: unknown;
  meta?: Readonly<Record<string, unknown>>;
}

export interface Activity {
  player_id: number;
  /** 128 bits in hex: hash of type and activity_id. */
  activity_key: string;
  activity_id: string;
  type: ActivityType;
  /** The versions of each status, the one in force first. */
  approved: readonly ActivityVersion[];
  rollbacks: readonly ActivityVersion[];
}

/** The version by which a stake or settlement counts: the Approved in force, unless it was rolled back. */
export function inForce({ approved, rollbacks }: Activity): ActivityVersion | undefined {
  return rollbacks.length === 0 ? approved[0] : undefined;
}

/** The version by which the activity is shown, and which decides which bet it belongs to. */
export function displayedVersion({ approved, rollbacks }: Activity): ActivityVersion {
  return (approved[0] ?? rollbacks[0]) as ActivityVersion;
}

/** The number of versions that are not in force because their money differs. */
export function conflictsOf({ approved, rollbacks }: Activity): number {
  return Math.max(approved.length - 1, 0) + Math.max(rollbacks.length - 1, 0);
}

export function versionsOf(activity: Activity | undefined, status: ActivityStatus): readonly ActivityVersion[] {
  return (status === 'Approved' ? activity?.approved : activity?.rollbacks) ?? [];
}

export function sameMoney(a: ActivityVersion, b: ActivityVersion): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

/** Adds a version to the versions of its key. Returns the same array if nothing changes. */
export function withVersion(
  versions: readonly ActivityVersion[],
  version: ActivityVersion,
): readonly ActivityVersion[] {
  const grown = addVersion(versions, version, sameMoney);
  return grown === versions ? versions : grown.map((each, i) => (i === 0 ? each : withoutDetails(each)));
}

function withoutDetails(version: ActivityVersion): ActivityVersion {
  const { details: _, ...rest } = version;
  return rest;
}

export function activityKey(type: ActivityType, activityId: string): string {
  return keyOf(`${type}\n${activityId}`);
}

export function betKey(betId: string): string {
  return keyOf(betId);
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function versionOf(event: EventOf<'sports'>, fingerprint: string): ActivityVersion {
  const { timestamp, amount, currency, exchange_rate } = event;
  return {
    timestamp,
    fingerprint,
    amount,
    currency,
    exchange_rate,
    bet_id: betIdOf(event),
    ...(event.status === 'Approved' && { details: detailsOf(event) }),
  };
}

/**
 * An empty reference means the event's own activity_id (docs/reference/decisions.md 2.9). A Bet always belongs to
 * itself, even if it refers to another bet.
 */
function betIdOf({ type, activity_id, activity_id_reference = activity_id }: EventOf<'sports'>): string {
  return type === 'Bet' ? activity_id : activity_id_reference;
}

function detailsOf(event: EventOf<'sports'>): ActivityDetails {
  const { bet_type, bets, origin, odds, user_bonus_id, device_type, outcomes, meta } = event;
  return {
    cashout: event.type === 'Settlement' && event.is_cashout === true,
    parts: event.type === 'Bet' ? stakeParts(event) : winParts(event),
    bet_type,
    selections: bets,
    origin,
    ...(odds !== undefined && { odds }),
    ...(user_bonus_id !== undefined && { user_bonus_id }),
    ...(device_type !== undefined && { device_type }),
    ...(outcomes !== undefined && { outcomes }),
    ...(meta !== undefined && { meta }),
  };
}

/**
 * If all selections are free bets, the whole stake is bonus money, regardless of its parts
 * (docs/reference/decisions.md 3).
 */
function stakeParts(bet: EventOf<'sports'>): MoneyParts {
  return areAll(bet.bets, 'is_free_bet') ? { real: '0', bonus: bet.amount, locked: '0' } : betParts(bet);
}

/** True if there is at least one selection and all of them have the mark. */
export function areAll(selections: readonly Selection[], mark: 'is_free_bet' | 'is_risk_free_bet'): boolean {
  return selections.length > 0 && selections.every((selection) => selection[mark] === true);
}
