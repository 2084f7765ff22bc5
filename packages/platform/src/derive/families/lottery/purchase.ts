import { createHash } from 'node:crypto';
import { type DecimalText, dayOf, type EventOf, type Micros } from '@croupier/contracts';
import Big from 'big.js';
import { inBase } from '../../money.ts';
import { addVersion, byPrecedence, type Version } from '../../versions.ts';

/*
 * A purchase of the lottery's version 1: one message with all tickets, their numbers of lines and their draws
 * (docs/reference/decisions.md 2.9).
 *
 *   unapproved -----> bought -----> rejected        in any order of the messages: Rejected cancels the purchase,
 *        |                              ^           and Approved does not restore it. Other statuses change nothing
 *        +------------------------------+
 *
 * The tickets of a purchase are those of the message by which the purchase is shown. A Rejected contains the whole purchase. So a
 * Rejected without an Approved is complete, and is not an orphan.
 */
export const purchaseStates = ['unapproved', 'bought', 'rejected'] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** One version of one message of a purchase. Its key is (transaction_id, status). */
export interface PurchaseVersion extends Version {
  status: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  /** Stored only for the version by which the purchase is shown. None of the other stored versions can replace it later. */
  details?: PurchaseDetails;
}

export interface PurchaseDetails {
  tickets: readonly PurchasedTicket[];
  origin: string;
  account_amount?: DecimalText;
  /** The money that the player paid in for it. It is part of the amount, not a separate deposit. */
  deposit_amount?: DecimalText;
  bonus_code?: string;
  meta?: Readonly<Record<string, unknown>>;
}

export interface PurchasedTicket {
  /** Null if the purchase contains no tickets. Then the money of the purchase belongs to one ticket without an id. */
  ticket_id: string | null;
  /** The product's name, because version 1 has no lottery ids. */
  lottery_id: string;
  product: string | null;
  lines: number;
  draws: readonly Micros[];
  /** The ticket's own price as sent, in the currency of the purchase. If none was sent, the ticket's share of the purchase's amount. */
  amount: DecimalText;
  /** The ticket's share of the purchase in the base currency, split into real and bonus money. */
  base_real: DecimalText;
  base_bonus: DecimalText;
}

/** A purchase as stored: the row of live.lottery_purchase. */
export interface Purchase {
  player_id: number;
  purchase_key: string;
  transaction_id: string;
  state: PurchaseState;
  at: Micros;
  day: string;
  /** The lottery of its first ticket. */
  lottery_id: string;
  base_amount: DecimalText;
  conflicts: number;
  /** The version by which it is shown comes first. */
  versions: readonly PurchaseVersion[];
}

export type PurchaseIdentity = Pick<Purchase, 'player_id' | 'purchase_key' | 'transaction_id'>;

export function purchaseFact(
  identity: PurchaseIdentity,
  versions: readonly PurchaseVersion[],
  timeZone: string,
): Purchase {
  const first = versions[0] as PurchaseVersion;
  const statuses = new Set(versions.map(({ status }) => status));
  return {
    ...identity,
    state: statuses.has('Rejected') ? 'rejected' : statuses.has('Approved') ? 'bought' : 'unapproved',
    at: first.timestamp,
    day: dayOf(timeZone, first.timestamp),
    lottery_id: first.details?.tickets[0]?.lottery_id ?? '',
    base_amount: inBase(first.amount, first.exchange_rate),
    conflicts: versions.length - statuses.size,
    versions,
  };
}

/** Adds a version to the versions of its purchase. Returns the same array if nothing changes. */
export function withPurchase(
  versions: readonly PurchaseVersion[],
  version: PurchaseVersion,
): readonly PurchaseVersion[] {
  const ofKey = versions.filter(({ status }) => status === version.status);
  const grown = addVersion(ofKey, version, sameMoney);
  if (grown === ofKey) return versions;
  return [...versions.filter(({ status }) => status !== version.status), ...grown]
    .sort(inOrderOfShowing)
    .map((each, i) => (i === 0 || each.details === undefined ? each : withoutDetails(each)));
}

/**
 * A purchase is shown by the Approved in force. If there is none, it is shown by the Rejected in force, or otherwise by the earliest other
 * version.
 */
function inOrderOfShowing(a: PurchaseVersion, b: PurchaseVersion): number {
  return rankOf(a) - rankOf(b) || byPrecedence(a, b);
}

function rankOf({ status }: PurchaseVersion): number {
  return status === 'Approved' ? 0 : status === 'Rejected' ? 1 : 2;
}

export function sameMoney(a: PurchaseVersion, b: PurchaseVersion): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

function withoutDetails(version: PurchaseVersion): PurchaseVersion {
  const { details: _, ...rest } = version;
  return rest;
}

export function purchaseKey(transactionId: string): string {
  return createHash('sha256').update(`1\n${transactionId}`).digest('hex').slice(0, 32);
}

export function purchaseVersion(event: EventOf<'lottery_purchase'>, fingerprint: string): PurchaseVersion {
  const { status, timestamp, amount, currency, exchange_rate } = event;
  const { origin, account_amount, deposit_amount, bonus_code, meta } = event;
  return {
    status,
    timestamp,
    fingerprint,
    amount,
    currency,
    exchange_rate,
    details: {
      tickets: ticketsOf(event),
      origin,
      ...(account_amount !== undefined && { account_amount }),
      ...(deposit_amount !== undefined && { deposit_amount }),
      ...(bonus_code !== undefined && { bonus_code }),
      ...(meta !== undefined && { meta }),
    },
  };
}

/**
 * Splits a purchase into its tickets. The purchase's amount is authoritative, as for the parts of a bet: the tickets
 * take their own amounts from it in order until it is used up, and any remainder goes to the first ticket. In each
 * share, bonus money comes first, until bonus_amount is used up.
 */
function ticketsOf(event: EventOf<'lottery_purchase'>): PurchasedTicket[] {
  const sent = event.tickets.length > 0 ? event.tickets : [undefined];
  let left = new Big(event.amount);
  const shares = sent.map((ticket) => {
    const share = least(new Big(ticket?.amount ?? 0), left);
    left = left.minus(share);
    return share;
  });
  let bonusLeft = new Big(event.bonus_amount ?? 0);
  return sent.map((ticket, i): PurchasedTicket => {
    const share = (shares[i] as Big).plus(i === 0 ? left : 0);
    const bonus = least(share, bonusLeft);
    bonusLeft = bonusLeft.minus(bonus);
    return {
      ticket_id: ticket?.ticket_id ?? null,
      lottery_id: ticket?.product_name ?? ticket?.product ?? '',
      product: ticket?.product ?? null,
      lines: ticket?.lines_count ?? 0,
      draws: (ticket?.draws ?? []).flatMap((draw) => draw.timestamp ?? []),
      amount: ticket?.amount ?? share.toFixed(),
      base_real: inBase(share.minus(bonus).toFixed(), event.exchange_rate),
      base_bonus: inBase(bonus.toFixed(), event.exchange_rate),
    };
  });
}

function least(a: Big, b: Big): Big {
  return a.lt(b) ? a : b;
}
