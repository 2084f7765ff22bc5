import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type ListedPayment, listPayments, readTraits } from '../../packages/platform/src/derive/index.ts';
import type { PaymentSeen, PlayerReader } from './player-truth.ts';
import { playerIdOf, readFacts } from './read-facts.ts';

/** Payments per page. */
const pageItems = 500;

/** Reads players through derive's own read functions, for runs without an API server. */
export function readFromDerive(pool: Pool, brand: { brand_id: number; time_zone: string }): PlayerReader {
  return async (userId) => {
    const playerId = await playerIdOf(pool, brand.brand_id, userId);
    if (playerId === undefined) return undefined;
    const player = { player_id: playerId, time_zone: brand.time_zone };
    const traits = await readTraits(pool, player, Date.now() * 1000, []);
    const value = (name: string) => traits[name]?.value ?? null;
    const moment = (name: string): Micros | null => value(name) as Micros | null;
    const totals = (what: 'deposit' | 'withdrawal') => ({
      count: Number(value(`${what}_count`)),
      sum: String(value(`${what}_sum`)),
      first_at: moment(`${what}_first_at`),
      last_at: moment(`${what}_last_at`),
    });
    return {
      registered_at: moment('registered_at'),
      logins: {
        count: Number(value('login_count')),
        first_at: moment('login_first_at'),
        last_at: moment('login_last_at'),
        logouts: Number(value('logout_count')),
      },
      deposits: totals('deposit'),
      withdrawals: totals('withdrawal'),
      payments: await paymentsOf(pool, playerId),
      facts: await readFacts(pool, playerId),
    };
  };
}

async function paymentsOf(pool: Pool, playerId: number): Promise<PaymentSeen[]> {
  const payments: PaymentSeen[] = [];
  for (let page: ListedPayment[] | undefined; page === undefined || page.length === pageItems; ) {
    page = await listPayments(pool, playerId, {}, pageItems, page?.at(-1)?.token);
    payments.push(...page.map(({ at, ...payment }) => ({ ...payment, timestamp: at })));
  }
  return payments;
}
