import { canonicalJson, type EventOf, parseBody, readEvent } from '@croupier/contracts';
import { Big } from 'big.js';
import type { Message } from '../src/index.ts';

/**
 * What a simple receiver concludes from the messages alone, with the simplest implementation of docs/reference/decisions.md 2:
 * collect everything, sort, and decide at the end. It knows neither labels nor the truth, so the casino's own books can be
 * compared with it.
 */
export interface Conclusion {
  registered_at: number | null;
  logins: { count: number; first_at: number | null; last_at: number | null; impersonated: number };
  payments: Map<
    string,
    { status: string; in_force: { base_amount: string; timestamp: number; amount: string } | null }
  >;
  deposits: { count: number; sum: string; first_at: number | null; last_at: number | null };
  withdrawals: { count: number; sum: string; first_at: number | null; last_at: number | null };
  /** Payment corrections without a payment to correct, and payment keys that were published with different amounts. */
  orphans: number;
  conflicts: number;
}

type Payment = EventOf<'payment'>;
interface Received {
  event: Payment;
  print: string;
  /** Every amount, currency and rate published under this key. */
  money: Set<string>;
}

const rank: Record<string, number> = { Rejected: 0, Cancelled: 1, Approved: 2, Rollback: 3 };

/**
 * Derives the registration, logins and payments of each player.
 *
 * @param print returns the fingerprint of a body; only the order of fingerprints matters
 */
export function deriveFromMessages(
  messages: readonly Message[],
  brand: { base_currency: string; zoneless_timestamps: string },
  print: (kind: 'payment', body: unknown) => string,
): Map<string, Conclusion> {
  const registrations = new Map<string, number>();
  const logins = new Map<string, Map<number, boolean>>();
  const payments = new Map<string, Map<string, Received>>();
  const users = new Set<string>();

  for (const message of messages) {
    const parsed = parseBody(message.body);
    if (!parsed.ok) continue;
    const context = { ...brand, now: Date.UTC(2030, 0) * 1000 };
    if (message.kind === 'payment') {
      const reading = readEvent('payment', parsed.body, context);
      if (!reading.ok) continue;
      const event = reading.event;
      users.add(event.user_id);
      const mine = payments.get(event.user_id) ?? new Map<string, Received>();
      payments.set(event.user_id, mine);
      const money = new Set([`${event.amount} ${event.currency} ${event.exchange_rate}`]);
      const received = { event, print: print('payment', parsed.body), money };
      const key =
        event.payment_id === undefined
          ? canonicalJson(parsed.body)
          : JSON.stringify([event.payment_id, event.type, event.status, event.timestamp]);
      const known = mine.get(key);
      if (known !== undefined) received.money = new Set([...known.money, ...money]);
      mine.set(
        key,
        known !== undefined && known.print < received.print ? { ...known, money: received.money } : received,
      );
      continue;
    }
    const reading = readEvent(message.kind, parsed.body, context);
    if (!reading.ok) continue;
    const event = reading.event;
    users.add(event.user_id);
    if (event.kind === 'registration') {
      registrations.set(event.user_id, Math.min(registrations.get(event.user_id) ?? Infinity, event.timestamp));
    }
    if (event.kind === 'login') {
      const mine = logins.get(event.user_id) ?? new Map<number, boolean>();
      logins.set(event.user_id, mine.set(event.timestamp, event.is_impersonated === true));
    }
  }

  return new Map(
    [...users].map((user) => {
      const mine = [...(payments.get(user)?.values() ?? [])];
      const decided = decide(mine);
      const times = [...(logins.get(user) ?? [])];
      const own = times.filter(([, impersonated]) => !impersonated).map(([at]) => at);
      return [
        user,
        {
          registered_at: registrations.get(user) ?? null,
          logins: { count: own.length, ...ends(own), impersonated: times.length - own.length },
          payments: decided,
          deposits: totals(decided, 'Credit'),
          withdrawals: totals(decided, 'Debit'),
          orphans: mine.filter(({ event }) => isOrphan(event, decided)).length,
          conflicts: mine.filter(({ money }) => money.size > 1).length,
        },
      ];
    }),
  );
}

function decide(received: Received[]): Conclusion['payments'] {
  const groups = Map.groupBy(
    received,
    ({ event, print }) => `${event.type}/${event.payment_id ?? `without id ${print}`}`,
  );
  const decided: Conclusion['payments'] = new Map();
  for (const [key, members] of groups) {
    const events = members.map((member) => member.event);
    if (events[0]?.payment_id === undefined && events[0]?.status !== 'Approved') continue;
    if (!events.some(({ status }) => status === 'Requested' || status === 'Approved')) continue;
    const final = events
      .filter((event) => event.status in rank)
      .sort((a, b) => a.timestamp - b.timestamp || (rank[a.status] ?? 0) - (rank[b.status] ?? 0));
    const last = final.at(-1);
    if (last === undefined) decided.set(key, { status: 'Requested', in_force: null });
    else if (last.status !== 'Approved') decided.set(key, { status: last.status, in_force: null });
    else {
      const broken = final.findLastIndex((event) => event.status !== 'Approved');
      const { amount, exchange_rate, timestamp } = final[broken + 1] ?? last;
      const base_amount = Big(amount).times(exchange_rate).toFixed();
      decided.set(key, { status: 'Approved', in_force: { amount, base_amount, timestamp } });
    }
  }
  return decided;
}

function isOrphan({ payment_id, type, status }: Payment, decided: Conclusion['payments']): boolean {
  return status !== 'Requested' && status !== 'Approved' && !decided.has(`${type}/${payment_id}`);
}

function totals(payments: Conclusion['payments'], type: string): Conclusion['deposits'] {
  const counted = [...payments].flatMap(([key, { in_force }]) => (key.startsWith(type) && in_force ? [in_force] : []));
  const sum = counted.reduce((total, { base_amount }) => total.plus(base_amount), Big(0));
  return { count: counted.length, sum: sum.toFixed(), ...ends(counted.map(({ timestamp }) => timestamp)) };
}

function ends(times: number[]): { first_at: number | null; last_at: number | null } {
  if (times.length === 0) return { first_at: null, last_at: null };
  return { first_at: Math.min(...times), last_at: Math.max(...times) };
}
