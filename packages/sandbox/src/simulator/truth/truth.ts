import type { EventKind, Micros } from '@croupier/contracts';
import type { Label } from '../message.ts';
import { type BetTotals, type BetTruth, createBetBook } from './bet-book.ts';
import { type BonusTotals, type BonusTruth, createBonusBook } from './bonus-book.ts';
import { type CartTotals, type CartTruth, createCartBook } from './cart-book.ts';
import { createLoginBook, type LoginTruth } from './login-book.ts';
import { createLotteryBook, type LotteryTotals, type PurchaseTruth, type TicketTruth } from './lottery-book.ts';
import { type BalanceTruth, createNoticeBook } from './notice-book.ts';
import { createPaymentBook, type PaymentTotals, type PaymentTruth } from './payment-book.ts';
import type { ProductTotals } from './product-totals.ts';
import { createRoundBook, type RoundTruth } from './round-book.ts';
import type { SessionTruth } from './sessions.ts';

/**
 * The truth about each player, from the books that the casino keeps while playing. It shares no code with the platform. The
 * platform derives its data from messages, but the casino knows the truth from its own actions.
 *
 * The truth is ahead of the messages: a step is true as soon as it is taken, while its message may not have been sent yet.
 * Compare only after every message was delivered (`simulation.finish()`).
 */
export interface PlayerTruth {
  user_id: string;
  /** Time of the registration. Null if the registration was never published. */
  registered_at: Micros | null;
  logins: LoginTruth;
  deposits: PaymentTotals;
  withdrawals: PaymentTotals;
  /** Orphans are not payments and are not included. */
  payments: PaymentTruth[];
  rounds: RoundTruth[];
  sessions: SessionTruth[];
  casino: ProductTotals & { round_count: number };
  bets: BetTruth[];
  sports: BetTotals;
  purchases: PurchaseTruth[];
  tickets: TicketTruth[];
  lottery: LotteryTotals;
  bonuses: BonusTruth[];
  bonus: BonusTotals;
  carts: CartTruth[];
  cart: CartTotals;
  /** The last one of each key. */
  balances: BalanceTruth[];
  /** Custom events by their type. */
  customs: Record<string, number>;
  /** Number of messages sent about the player, by kind and label. Retries that a helper adds later are not included. */
  sent: Partial<Record<EventKind, Partial<Record<Label, number>>>>;
}

export interface Truth {
  /** Returns undefined if no valid message about the player was sent, because the platform cannot know such a player. */
  player(userId: string): PlayerTruth | undefined;
  userIds(): IterableIterator<string>;
  readonly size: number;
}

/** The part of the interface that writes, which only the casino uses. */
export type PlayerBook = ReturnType<typeof createPlayerBook>;

function createPlayerBook(userId: string) {
  const logins = createLoginBook();
  const payments = createPaymentBook();
  const rounds = createRoundBook();
  const bets = createBetBook();
  const lottery = createLotteryBook();
  const bonuses = createBonusBook();
  const carts = createCartBook();
  const notices = createNoticeBook();
  const sent: PlayerTruth['sent'] = {};
  let registeredAt: Micros | null = null;
  return {
    logins,
    payments,
    rounds,
    bets,
    lottery,
    bonuses,
    carts,
    notices,
    registered(at: Micros): void {
      registeredAt ??= at;
    },
    sent(kind: EventKind, label: Label): void {
      const counts = sent[kind] ?? {};
      sent[kind] = counts;
      counts[label] = (counts[label] ?? 0) + 1;
    },
    truth: (): PlayerTruth => ({
      user_id: userId,
      registered_at: registeredAt,
      logins: logins.truth(),
      deposits: payments.totals('Credit'),
      withdrawals: payments.totals('Debit'),
      payments: payments.payments(),
      rounds: rounds.rounds(),
      sessions: rounds.sessions(),
      casino: rounds.totals(),
      bets: bets.bets(),
      sports: bets.totals(),
      purchases: lottery.purchases(),
      tickets: lottery.tickets(),
      lottery: lottery.totals(),
      bonuses: bonuses.bonuses(),
      bonus: bonuses.totals(),
      carts: carts.carts(),
      cart: carts.totals(),
      balances: notices.balances(),
      customs: notices.customs(),
      sent,
    }),
  };
}

export interface TruthKeeper extends Truth {
  book(userId: string): PlayerBook;
}

export function createTruth(): TruthKeeper {
  const books = new Map<string, PlayerBook>();
  return {
    get size() {
      return books.size;
    },
    userIds: () => books.keys(),
    player: (userId) => books.get(userId)?.truth(),
    book(userId) {
      let book = books.get(userId);
      if (book === undefined) {
        book = createPlayerBook(userId);
        books.set(userId, book);
      }
      return book;
    },
  };
}
