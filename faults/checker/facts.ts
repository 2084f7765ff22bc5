import type { PlayerTruth } from '@croupier/sandbox';
import Big from 'big.js';

/*
 * Compares facts beyond payments. The casino's records list a player's rounds, sessions, bets, tickets, bonuses, carts, balances
 * and custom events, and their totals; the platform has its own lists. Both sides use the terms of the truth.
 */
export type Facts = Omit<
  PlayerTruth,
  'user_id' | 'registered_at' | 'logins' | 'deposits' | 'withdrawals' | 'payments' | 'sent'
>;

/** One difference between the two sides; undefined means that this side has none. */
export interface FactDifference {
  what: string;
  truth: unknown;
  platform: unknown;
}

/** The lists of facts, with the fields that identify a fact of a player. */
const lists = {
  rounds: ['vendor_id', 'game_id', 'round_id', 'first_at'],
  sessions: ['scope', 'vendor_id', 'game_id', 'started_at'],
  bets: ['activity_id'],
  purchases: ['transaction_id'],
  tickets: ['ticket_id', 'lottery_id', 'draw_id'],
  bonuses: ['user_bonus_id'],
  carts: ['cart_id', 'status', 'at'],
  balances: ['key'],
} as const satisfies Partial<Record<keyof Facts, readonly string[]>>;

const totals = ['casino', 'sports', 'lottery', 'bonus', 'cart', 'customs'] as const;

type ListName = keyof typeof lists;
type Row = Readonly<Record<string, unknown>>;

export interface Comparison {
  differences: FactDifference[];
  /** Number of compared facts, by the name of their list. */
  compared: Record<ListName, number>;
}

/** Whether the platform may have deleted a true fact, because it is a round that is older than the history. */
export type MayBeGone = (list: ListName, fact: Row) => boolean;

/** Compares every fact of both sides, and every total. Pure. */
export function compareFacts(told: Facts, seen: Facts, mayBeGone: MayBeGone = () => false): Comparison {
  const differences: FactDifference[] = [];
  const compared = {} as Record<ListName, number>;
  for (const [list, key] of Object.entries(lists) as [ListName, readonly string[]][]) {
    const truth = byKey(told[list], key);
    const platform = byKey(seen[list], key);
    for (const [name, fact] of truth) if (!platform.has(name) && mayBeGone(list, fact)) truth.delete(name);
    compared[list] = truth.size;
    for (const name of new Set([...truth.keys(), ...platform.keys()])) {
      differences.push(...differencesOf(`${list} ${name}`, truth.get(name), platform.get(name)));
    }
  }
  for (const name of totals) differences.push(...differencesOf(name, told[name], seen[name]));
  return { differences, compared };
}

function byKey(facts: readonly object[], key: readonly string[]): Map<string, Row> {
  return new Map((facts as readonly Row[]).map((fact) => [key.map((name) => String(fact[name])).join('/'), fact]));
}

function differencesOf(what: string, truth: object | undefined, platform: object | undefined): FactDifference[] {
  if (truth === undefined || platform === undefined) return [{ what, truth, platform }];
  const [ours, theirs] = [truth as Row, platform as Row];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((field) => {
    if (plain(ours[field]) === plain(theirs[field])) return [];
    return [{ what: `${what}.${field}`, truth: ours[field], platform: theirs[field] }];
  });
}

/** 12.50 and 12.5 are the same amount. */
function plain(value: unknown): string {
  if (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)) return JSON.stringify(new Big(value).toFixed());
  return JSON.stringify(value) ?? 'undefined';
}
