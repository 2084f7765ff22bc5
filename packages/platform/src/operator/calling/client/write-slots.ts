import type { OperatorEndpoint } from './endpoints.ts';

/*
 * How many calls that change something run at once: a bulkhead per operator and endpoint. Each endpoint has a pool of connections
 * of its own, of exactly so many: in one pool with others that hang, a bonus call would wait for a socket until its time is up,
 * never sent, and yet of unknown outcome.
 *
 * At the default of 32 connections six of each kind of bonus: with answers in 50 ms some 100 credits a second. Players unsubscribe
 * by ones, and four writes at a time carry 40 a second at 100 ms each.
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
