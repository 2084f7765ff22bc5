import type { DecimalText, Micros } from '@croupier/contracts';
import type { PaymentTotals, PaymentTruth, PlayerTruth, Truth } from '@croupier/sandbox';
import Big from 'big.js';
import { type Outcome, outcome } from '../outcome.ts';
import { type Comparison, compareFacts, type FactDifference, type Facts, type MayBeGone } from './facts.ts';

/** The platform's data about one player, in the terms of the truth. */
export interface PlayerSeen {
  registered_at: Micros | null;
  /** The registration date of the operator's details, if the platform shows them. */
  registration_date?: Micros | null;
  logins: { count: number; first_at: Micros | null; last_at: Micros | null; logouts: number };
  deposits: PaymentTotals;
  withdrawals: PaymentTotals;
  payments: PaymentSeen[];
  facts: Facts;
}

export interface PaymentSeen {
  payment_id: string | null;
  type: 'Credit' | 'Debit';
  status: string;
  /** Included in the totals: an Approved is in force. */
  counted: boolean;
  orphan: boolean;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  timestamp: Micros;
}

/** Reads one player from the platform; undefined if the platform does not know the player. */
export type PlayerReader = (userId: string) => Promise<PlayerSeen | undefined>;

/** Players read at the same time. */
const readers = 4;

export interface Judged {
  counts: Record<string, number>;
  differences: (FactDifference & { user_id: string })[];
}

/**
 * P2 and P3: despite repeats, contradictions, delays and disorder, the platform's data about EVERY player equals the casino's
 * own records. Compare only after everything was published (`Traffic.finish`) and derived.
 */
export async function judgePlayers(truth: Truth, read: PlayerReader): Promise<Outcome> {
  const { counts, differences } = await comparePlayers(truth, read);
  const broken = differences.map(({ user_id, what, truth, platform }) => {
    return `${user_id}: ${what}: the truth is ${present(truth)}, the platform shows ${present(platform)}`;
  });
  return outcome('P2, P3', "the platform's facts and totals equal the truth, for every player", counts, broken);
}

export async function comparePlayers(truth: Truth, read: PlayerReader, mayBeGone?: MayBeGone): Promise<Judged> {
  const differences: Judged['differences'] = [];
  const counts: Record<string, number> = { players: 0, payments: 0, deposits: 0, withdrawals: 0, logins: 0 };
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  const users = truth.userIds();
  await Promise.all(
    Array.from({ length: readers }, async () => {
      // All readers take from one iterator.
      for (const user_id of users) {
        const told = truth.player(user_id);
        if (told === undefined) continue;
        const seen = await read(user_id);
        add('players', 1);
        add('payments', told.payments.length);
        add('deposits', told.deposits.count);
        add('withdrawals', told.withdrawals.count);
        add('logins', told.logins.count);
        const found = seen === undefined ? unknown : compare(told, seen, mayBeGone);
        for (const [list, count] of Object.entries(found.compared)) add(list, count);
        differences.push(...found.differences.map((difference) => ({ user_id, ...difference })));
      }
    }),
  );
  return { counts, differences };
}

const unknown = { differences: [{ what: 'the player', truth: 'known', platform: undefined }], compared: {} };

function present(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

/** Compares all data about one player. Pure. */
export function compare(
  told: PlayerTruth,
  seen: PlayerSeen,
  mayBeGone?: MayBeGone,
): Pick<Comparison, 'differences'> & { compared: Record<string, number> } {
  const { differences, compared } = compareFacts(told, seen.facts, mayBeGone);
  const expect = (what: string, truth: unknown, platform: unknown) => {
    if (truth !== platform) differences.push({ what, truth, platform });
  };
  // Without a registration event, the details are used (docs/decisions/0802).
  expect('registered_at', told.registered_at ?? seen.registration_date ?? null, seen.registered_at);
  for (const name of ['count', 'first_at', 'last_at'] as const) {
    expect(`logins.${name}`, told.logins[name], seen.logins[name]);
    expect(`deposits.${name}`, told.deposits[name], seen.deposits[name]);
    expect(`withdrawals.${name}`, told.withdrawals[name], seen.withdrawals[name]);
  }
  expect('logins.logouts', told.logins.logouts, seen.logins.logouts);
  expect('deposits.sum', plain(told.deposits.sum), plain(seen.deposits.sum));
  expect('withdrawals.sum', plain(told.withdrawals.sum), plain(seen.withdrawals.sum));
  comparePayments(told.payments, seen.payments, expect);
  return { differences, compared };
}

/**
 * Compares payments by id and type. Payments without an id cannot be matched, so the money in force of all of them is compared.
 * Orphans are not payments of the casino, and the platform must list them only.
 */
function comparePayments(
  told: readonly PaymentTruth[],
  seen: readonly PaymentSeen[],
  expect: (what: string, truth: unknown, platform: unknown) => void,
): void {
  const payments = new Map(seen.filter((one) => one.payment_id !== null).map((one) => [keyOf(one), one]));
  for (const one of told) {
    if (one.payment_id === null) continue;
    const name = keyOf(one);
    const platform = payments.get(name);
    payments.delete(name);
    expect(`${name} status`, one.status, platform?.status);
    expect(`${name} in force`, moneyOfTruth(one), platform?.counted ? moneyOf(platform) : null);
  }
  for (const [name, one] of payments) {
    if (!one.orphan) expect(`${name}`, 'no such payment', one.status);
    expect(`${name} counted`, false, one.counted);
  }
  const truth = told.filter((one) => one.payment_id === null).map((one) => `${one.type} ${moneyOfTruth(one)}`);
  const platform = seen.filter((one) => one.payment_id === null && one.counted);
  const shown = platform.map((one) => `${one.type} ${moneyOf(one)}`);
  expect('payments without an id', truth.sort().join('; '), shown.sort().join('; '));
}

function keyOf({ type, payment_id }: { type: string; payment_id: string | null }): string {
  return `payment ${type} ${payment_id}`;
}

function moneyOfTruth({ in_force }: PaymentTruth): string | null {
  return in_force === null ? null : moneyOf(in_force);
}

type Money = Pick<PaymentSeen, 'amount' | 'currency' | 'exchange_rate' | 'base_amount' | 'timestamp'>;

function moneyOf({ amount, currency, exchange_rate, base_amount, timestamp }: Money): string {
  return `${plain(amount)} ${currency} x ${plain(exchange_rate)} = ${plain(base_amount)} at ${timestamp}`;
}

/** 12.50 and 12.5 are the same amount. */
function plain(amount: DecimalText): string {
  return new Big(amount).toFixed();
}
