import { randomBytes } from 'node:crypto';
import { type Books, type Credit, referencesIn, type Wallet } from '../../operator/index.ts';
import type { Casino } from './casino.ts';
import type { EventPublisher } from './event-publisher.ts';
import { units } from './play.ts';

/** Limits of one deposit, in whole currency units. */
export const depositLimits = { least: 5, most: 1000 };

/**
 * Number of times that a bonus has to be wagered. The recipes state the same number. It is within the limit of markets that
 * have one (GB).
 */
const wageringFactor = 10;

/** Amounts of this casino's bonuses, in hundredths. They are used if the platform states no amount. */
const baseValue: Record<string, number> = {
  WELCOME100: 10_000,
  RELOAD50: 2_500,
  FREESPINS20: 1_000,
  CASHBACK10: 1_000,
};

/**
 * Makes a deposit with a made-up card. It is requested, and then approved or declined. Each step is published to the
 * platform (docs/reference/interface.md, Payment events; docs/reference/decisions.md 2.5: Credit is a deposit).
 *
 * @param amount whole currency units.
 */
export function deposit(
  { books, events, deposits }: Pick<Casino, 'books' | 'events' | 'deposits'>,
  userId: string,
  amount: number,
  declined: boolean,
): { payment_id: string; status: 'Approved' | 'Rejected'; wallet: Wallet | undefined } {
  const payment_id = `dep-${randomBytes(6).toString('hex')}`;
  const status = declined ? 'Rejected' : 'Approved';
  const payment = {
    payment_id,
    amount,
    currency: books.player(userId)?.wallet.currency ?? 'EUR',
    exchange_rate: 1,
    type: 'Credit',
    vendor_id: 'card',
    vendor_name: 'Demo Card',
  };
  const count = deposits.get(userId) ?? 0;
  events.publish(userId, 'payment', { ...payment, status: 'Requested', deposit_count: count });
  const deposit_count = declined ? count : count + 1;
  deposits.set(userId, deposit_count);
  const note = declined ? { note: 'insufficient_funds' } : {};
  events.publish(userId, 'payment', { ...payment, status, deposit_count, ...note });
  const wallet = declined ? books.player(userId)?.wallet : books.moveMoney(userId, { real: amount * 100 });
  return { payment_id, status, wallet };
}

/**
 * Handles a bonus that the platform credited: puts its money into the wallet and publishes its bonus events.
 * The events contain the references of the call. From these, the platform recognizes its own bonuses
 * (docs/reference/decisions.md 6). Funds are already in the wallet, because the call itself put them there.
 */
export function publishCredit(books: Books, events: EventPublisher, credit: Credit): void {
  const hundredths = credit.amount === null ? (baseValue[credit.bonus_code] ?? 500) : Math.round(credit.amount * 100);
  if (credit.endpoint === 'bonus_credit') books.moveMoney(credit.user_id, { bonus: hundredths });
  events.publish(credit.user_id, 'bonus', {
    amount: units(hundredths),
    bonus_code: credit.bonus_code,
    bonus_id: credit.bonus_code.toLowerCase(),
    bonus_turned_real: 0,
    currency: books.player(credit.user_id)?.wallet.currency ?? 'EUR',
    exchange_rate: 1,
    locked_amount: 0,
    product: 'Casino',
    required_wagering_amount: units(hundredths * wageringFactor),
    status: 'Created',
    type: credit.amount === null ? 'WelcomeBonus' : 'WagerFree',
    user_bonus_id: `demo-${credit.credit_id}-${credit.at}`,
    crm_references: referencesIn(credit.headers),
  });
}
