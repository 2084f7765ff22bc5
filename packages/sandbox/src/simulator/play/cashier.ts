import type { Micros } from '@croupier/contracts';
import type { Casino } from '../casino.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Body, Label } from '../message.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import { type CasinoPlayer, remember } from '../players.ts';
import type { Stamp } from '../stamps.ts';
import type { PaymentMoney, PaymentStatus, PaymentType } from '../truth/payment-book.ts';

/**
 * The cashier: deposits (Credit) and withdrawals (Debit), published step by step, with the contradictions that payment
 * providers produce. The casino's books record each step when it happens. They are never derived from the messages.
 */
interface Payment {
  payment_id: string;
  type: PaymentType;
  vendor: (typeof vendors)[number];
  /** Timestamp of the last step. The parsed timestamp of the next one must be later. */
  lastAt: Micros;
}

const vendors = [
  { vendor_id: 'swiftpay', vendor_name: 'Swift Pay' },
  { vendor_id: '4711', vendor_name: 'Bank transfer' },
  { vendor_id: 'cards-eu', vendor_name: 'Cards Europe' },
] as const;

const minute = 60;
const hour = 3600;
const day = 24 * hour;

/** Makes a deposit, from the request to its end, which is minutes or days later. */
export function deposit(casino: Casino, player: CasinoPlayer, amount: Hundredths): void {
  const { random, plays } = casino;
  const money = moneyOf(casino, player, amount);
  if (plays('no_payment_id')) {
    depositWithoutId(casino, player, money);
    return;
  }

  const payment = newPayment(casino, String(70_000_000 + casino.nextNumber()), 'Credit');
  remember(player.depositIds, payment.payment_id);
  // Some operators publish only approvals, because the interface requires no more. They publish nothing about a failed request.
  const approvalsOnly = random.chance(0.15);
  if (!approvalsOnly) step(casino, player, payment, 'Requested', money);
  casino.later(random.skewed(12, 4 * minute), () => {
    const outcome = random.next();
    if (outcome < 0.12 && approvalsOnly) return;
    if (outcome < 0.08) return step(casino, player, payment, 'Rejected', money, { note: 'insufficient_funds' });
    if (outcome < 0.12) return step(casino, player, payment, 'Cancelled', money);
    approve(casino, player, payment, money);
    if (plays('flip_flop')) {
      casino.books.moveMoney(player.user_id, { real: -money.amount });
      step(casino, player, payment, 'Rejected', money, { note: 'provider_cascade' });
      approve(casino, player, payment, { ...money, amount: money.amount + random.whole(0, 1) * 100 });
    }
    if (plays('payment_rollback'))
      casino.later(random.skewed(hour, 3 * day), () => rollBack(casino, player, payment, money));
  });
}

/** Publishes a deposit of a past day now. Publishing it again repeats the same deposit. */
export function depositOnPastDay(casino: Casino, player: CasinoPlayer, at: Micros, amount: Hundredths): void {
  const text = new Date(at / 1000).toISOString();
  const payment_id = `past-${player.user_id}-${text.slice(0, 10)}`;
  const payment: Payment = { payment_id, type: 'Credit', vendor: vendors[0], lastAt: 0 };
  const money = { amount, currency: player.currency, rate: 1_000_000, fee: null };
  if (!player.depositIds.includes(payment_id)) {
    remember(player.depositIds, payment_id);
    casino.books.moveMoney(player.user_id, { real: amount });
    step(casino, player, payment, 'Approved', money, {}, 'event', { at, text });
  }
}

/** Makes a withdrawal. The money leaves the wallet at the request, and returns if the request fails. */
export function withdraw(casino: Casino, player: CasinoPlayer, amount: Hundredths): void {
  const { random, plays, books } = casino;
  const earlier = player.depositIds[0];
  const reused = earlier !== undefined && plays('payment_id_reused') ? player.depositIds.shift() : undefined;
  const payment = newPayment(casino, reused ?? String(70_000_000 + casino.nextNumber()), 'Debit');
  const money = moneyOf(casino, player, amount);
  books.moveMoney(player.user_id, { real: -amount });
  step(casino, player, payment, 'Requested', money);
  casino.later(random.skewed(3 * hour, 2 * day), () => {
    const outcome = random.next();
    if (outcome < 0.85) return approve(casino, player, payment, money);
    books.moveMoney(player.user_id, { real: amount });
    step(casino, player, payment, outcome < 0.92 ? 'Rejected' : 'Cancelled', money, { note: 'documents missing' });
  });
}

/** Publishes a correction of a payment that was never published. The platform must list it, and it must change nothing. */
export function orphanPayment(casino: Casino, player: CasinoPlayer): void {
  const { random } = casino;
  const payment = newPayment(casino, String(90_000_000 + casino.nextNumber()), random.pick(['Credit', 'Debit']));
  const money = moneyOf(casino, player, random.whole(10, 90) * 100);
  const status = random.pick(['Rollback', 'Rejected', 'Cancelled']);
  publish(casino, player, payment, status, money, casino.stamp('payment'), 'orphan');
}

function approve(casino: Casino, player: CasinoPlayer, payment: Payment, money: PaymentMoney): void {
  const { random, plays, books } = casino;
  if (payment.type === 'Credit') {
    player.deposits += 1;
    books.moveMoney(player.user_id, { real: money.amount });
  } else {
    player.withdrawals += 1;
  }
  if (plays('conflict')) approveTwice(casino, player, payment, money);
  else step(casino, player, payment, 'Approved', money);

  if (plays('restamped')) {
    // Some senders use the time of sending instead of the time of the event. If the payment was rolled back in the meantime,
    // the repeated message approves it again.
    casino.later(random.skewed(2 * minute, hour), () =>
      step(casino, player, payment, 'Approved', money, {}, 'restamped'),
    );
  }
  if (plays('same_second')) {
    const at = payment.lastAt;
    const stamp = { at, text: new Date(at / 1000).toISOString() };
    // The rollback's timestamp has milliseconds. So it can equal that of the approval only if the approval has no finer
    // timestamp.
    if (at % 1000 === 0) takeBack(casino, player, payment, money, stamp);
  }
}

/**
 * Publishes two approvals with the same key (payment and timestamp) and different amounts. The one with the smaller
 * fingerprint is in force (docs/reference/decisions.md 2.3), so the casino's book records its money, regardless of the
 * order.
 */
function approveTwice(casino: Casino, player: CasinoPlayer, payment: Payment, money: PaymentMoney): void {
  const { random, brand, truth } = casino;
  const other: PaymentMoney = random.chance(0.7)
    ? { ...money, amount: money.amount + random.whole(1, 5) * 50 }
    : { ...money, rate: money.rate + (money.currency === brand.base_currency ? 0 : 1), amount: money.amount + 1 };
  const stamp = casino.stamp('payment', payment.lastAt);
  const first = publish(casino, player, payment, 'Approved', money, stamp, 'event', {}, true);
  const second = publish(casino, player, payment, 'Approved', other, stamp, 'conflict', {}, true);
  const amountInForce =
    fingerprint(brand.brand_id, 'payment', first) < fingerprint(brand.brand_id, 'payment', second) ? money : other;
  truth.book(player.user_id).payments.step(payment.payment_id, payment.type, 'Approved', amountInForce, stamp.at);
  payment.lastAt = stamp.at;
}

function rollBack(casino: Casino, player: CasinoPlayer, payment: Payment, money: PaymentMoney): void {
  takeBack(casino, player, payment, money);
  if (casino.plays('approved_again')) {
    casino.later(casino.random.skewed(10 * minute, 5 * hour), () => approve(casino, player, payment, money));
  }
}

/**
 * Rolls a payment back. The message sometimes states only a part of the amount. The rollback still takes back the whole
 * payment (docs/reference/decisions.md 2.5).
 */
function takeBack(casino: Casino, player: CasinoPlayer, payment: Payment, money: PaymentMoney, stamp?: Stamp): void {
  casino.books.moveMoney(player.user_id, { real: -money.amount });
  const published = casino.random.chance(0.1) ? { ...money, amount: Math.ceil(money.amount / 2) } : money;
  step(casino, player, payment, 'Rollback', published, { note: 'chargeback' }, 'event', stamp);
}

/** Records and publishes one step. */
function step(
  casino: Casino,
  player: CasinoPlayer,
  payment: Payment,
  status: PaymentStatus,
  money: PaymentMoney,
  more: Body = {},
  label: Label = 'event',
  stamp: Stamp = casino.stamp('payment', payment.lastAt),
): void {
  payment.lastAt = stamp.at;
  casino.truth.book(player.user_id).payments.step(payment.payment_id, payment.type, status, money, stamp.at);
  publish(casino, player, payment, status, money, stamp, label, more);
}

function depositWithoutId(casino: Casino, player: CasinoPlayer, money: PaymentMoney): void {
  const { random, books, truth } = casino;
  const payment = newPayment(casino, '', 'Credit');
  const id: Body = random.pick([{}, { payment_id: '' }, { payment_id: null }]);
  publish(casino, player, payment, 'Requested', money, casino.stamp('payment'), 'event', id);
  const stamp = casino.stamp('payment');
  player.deposits += 1;
  books.moveMoney(player.user_id, { real: money.amount });
  truth.book(player.user_id).payments.approvedWithoutId('Credit', money, stamp.at);
  publish(casino, player, payment, 'Approved', money, stamp, 'event', id);
}

function publish(
  casino: Casino,
  player: CasinoPlayer,
  payment: Payment,
  status: PaymentStatus,
  money: PaymentMoney,
  stamp: Stamp,
  label: Label,
  more: Body = {},
  plain = false,
): string {
  return casino.publish(
    player,
    'payment',
    {
      ...(payment.payment_id === '' ? {} : { payment_id: payment.payment_id }),
      amount: asNumber(money.amount),
      currency: money.currency,
      exchange_rate: rateAsNumber(money.rate),
      ...(money.fee === null ? {} : { fee_amount: asNumber(money.fee) }),
      deposit_count: player.deposits,
      withdraw_count: player.withdrawals,
      origin: player.origin,
      status,
      type: payment.type,
      timestamp: stamp.text,
      ...payment.vendor,
      ...more,
    },
    { label, plain },
  );
}

function newPayment(casino: Casino, payment_id: string, type: PaymentType): Payment {
  return { payment_id, type, vendor: casino.random.pick(vendors), lastAt: 0 };
}

function moneyOf(casino: Casino, player: CasinoPlayer, amount: Hundredths): PaymentMoney {
  const rate = casino.rate(player.currency, casino.now());
  const fee = casino.random.chance(0.15) ? Math.ceil(amount / 100) : null;
  return { amount, currency: player.currency, rate, fee };
}
