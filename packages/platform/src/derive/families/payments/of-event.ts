import type { ClientBase } from 'pg';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { listPayments } from './list.ts';
import { settle } from './payment.ts';

/**
 * The payment that an event belongs to, with all its events. Undefined without a payment_id, because then no two events
 * can be linked.
 */
export async function paymentOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'payment'>,
): Promise<FactOfEvent | undefined> {
  const { payment_id, type } = event;
  if (payment_id === undefined) return undefined;
  const [payment] = await listPayments(db, player_id, { type, payment_id }, 1);
  if (payment === undefined) return undefined;
  const { in_force } = settle(payment.events);
  return {
    fact: 'payment',
    key: { payment_id, type },
    status: payment.status,
    orphan: payment.orphan,
    times: payment.events.map(({ timestamp }) => timestamp),
    inForce: new Set(in_force === undefined ? [] : [in_force.fingerprint]),
    isOf: ({ event: other }) => other.kind === 'payment' && other.payment_id === payment_id && other.type === type,
  };
}
