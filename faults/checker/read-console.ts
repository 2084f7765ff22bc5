import { type DecimalText, type Micros, readTimestampText } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Console } from '../installation/console.ts';
import type { PaymentSeen, PlayerReader } from './player-truth.ts';
import { playerIdOf, readFacts } from './read-facts.ts';

/** The parts of the console API's answers that are compared. Times are texts there. */
export interface ShownPlayer {
  user_id: string;
  traits: Record<string, { value: number | string | null; unit: string | null } | undefined>;
  profile: {
    email: string | null;
    first_name: string | null;
    as_of: string | null;
    registration_date: string | null;
  } | null;
  consents: { type: string; opted_in: boolean | null }[];
  sync: { state: string };
}
export type ShownPayment = Omit<PaymentSeen, 'timestamp'> & {
  timestamp: string;
  events: { status: string; timestamp: string; amount: DecimalText }[];
  conflicts: number;
};

/** Reads players as a staff member would see them, and the facts behind the numbers from the database. */
export function readFromConsole(console: Console, pool: Pool, brandId: number): PlayerReader {
  return async (userId) => {
    const path = `players/${encodeURIComponent(userId)}`;
    const player = await console.get<ShownPlayer>(path);
    if (player === undefined) return undefined;
    const playerId = await playerIdOf(pool, brandId, userId);
    if (playerId === undefined) return undefined;
    const payments = await console.list<ShownPayment>(`${path}/payments`);
    const trait = (name: string) => {
      const found = player.traits[name];
      if (found === undefined) throw new Error(`the console API has no trait ${name}`);
      return found.value;
    };
    const totals = (what: 'deposit' | 'withdrawal') => ({
      count: Number(trait(`${what}_count`)),
      sum: String(trait(`${what}_sum`)),
      first_at: moment(trait(`${what}_first_at`)),
      last_at: moment(trait(`${what}_last_at`)),
    });
    return {
      registered_at: moment(trait('registered_at')),
      registration_date: moment(player.profile?.registration_date ?? null),
      logins: {
        count: Number(trait('login_count')),
        first_at: moment(trait('login_first_at')),
        last_at: moment(trait('login_last_at')),
        logouts: Number(trait('logout_count')),
      },
      deposits: totals('deposit'),
      withdrawals: totals('withdrawal'),
      payments: payments.map((payment) => ({ ...payment, timestamp: moment(payment.timestamp) ?? 0 })),
      facts: await readFacts(pool, playerId),
    };
  };
}

export function moment(text: number | string | null): Micros | null {
  if (text === null) return null;
  const read = readTimestampText(String(text));
  if (read === undefined) throw new Error(`${text} is not a time`);
  return read.micros;
}
