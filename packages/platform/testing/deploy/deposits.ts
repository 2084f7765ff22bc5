import type { Pool } from 'pg';
import { expect } from 'vitest';

/** A way to publish to a platform, whichever processes it has. */
export interface Publisher {
  url: string;
  key: string;
}

/** Publishes the deposits from number `from` to number `to - 1`, each with its own payment. All must be acknowledged. */
export async function deposit(publisher: Publisher, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) expect(await depositOne(publisher, n)).toBe(200);
}

async function depositOne({ url, key }: Publisher, n: number): Promise<number> {
  const answer = await fetch(`${url}/v1/integration/payment`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      user_id: `player-${n % 5}`,
      payment_id: `payment-${n}`,
      type: 'Credit',
      status: 'Approved',
      amount: 10,
      currency: 'EUR',
      exchange_rate: 1,
      vendor_id: 'card',
      origin: 'demo',
      timestamp: '2026-05-01T08:27:58Z',
    }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** How many deposits are stored, and how many of them the state of the players contains. */
export async function countDeposits(db: Pick<Pool, 'query'>): Promise<{ stored: number; applied: number }> {
  const { rows } = await db.query<{ stored: number; applied: number }>(
    `select (select coalesce(sum(event_count), 0)::int from ledger_block) as stored,
            (select count(*)::int from live.payment) as applied`,
  );
  return rows[0] ?? { stored: 0, applied: 0 };
}
