import type { OperatorEndpoint } from './endpoints.ts';

/*
 * Limits how many calls that change something run at once, for each operator and endpoint. Each endpoint has its own pool
 * with exactly this many connections. In a pool shared with calls that hang, a bonus call would wait for a connection until
 * its timeout. It would never be sent, but its outcome would be unknown.
 *
 * With the default of 32 connections, each kind of bonus gets 6: about 100 credits a second if answers take 50 ms. Players
 * unsubscribe one at a time; 4 concurrent writes carry 40 a second at 100 ms each.
 */
const shares = {
  bonus_credit: { of: 5, atMost: Number.POSITIVE_INFINITY },
  bonus_credit_funds: { of: 5, atMost: Number.POSITIVE_INFINITY },
  userconsents_write: { of: 8, atMost: 4 },
  userblocks_write: { of: 8, atMost: 4 },
} as const satisfies Partial<Record<OperatorEndpoint, { of: number; atMost: number }>>;
export type WritingEndpoint = keyof typeof shares;

/** @param maxConnections the operator's setting max_connections */
export function slotsToWrite(endpoint: WritingEndpoint, maxConnections: number): number {
  const { of, atMost } = shares[endpoint];
  return Math.min(atMost, Math.max(1, Math.floor(maxConnections / of)));
}
