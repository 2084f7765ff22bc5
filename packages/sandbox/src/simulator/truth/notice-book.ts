import type { DecimalText, Micros } from '@croupier/contracts';
import { amountText, baseText, type Hundredths, type Millionths, toBase } from '../money.ts';

/** The book of messages without further effects: balances and custom events. Of the balances, the last one counts. */
export interface BalanceTruth {
  key: string;
  at: Micros;
  amount: DecimalText;
  currency: string;
  base_amount: DecimalText;
}

export type NoticeBook = ReturnType<typeof createNoticeBook>;

export function createNoticeBook() {
  const balances = new Map<string, BalanceTruth>();
  const customs = new Map<string, number>();
  return {
    /** Balances are added in the order of time. */
    balance(key: string, at: Micros, amount: Hundredths, currency: string, rate: Millionths): void {
      const base_amount = baseText(toBase(amount, rate));
      balances.set(key, { key, at, amount: amountText(amount), currency, base_amount });
    },
    /** Adds a custom event. Each one has its own timestamp, so no two are equal. */
    custom(type: string): void {
      customs.set(type, (customs.get(type) ?? 0) + 1);
    },
    balances: (): BalanceTruth[] => [...balances.values()],
    /** Returns the number of custom events of each type. */
    customs: (): Record<string, number> => Object.fromEntries(customs),
  };
}
