import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { Queue, type RunnerPlace } from '../../outgoing/index.ts';
import type { DeliveryState } from './delivery.ts';

/*
 * Every statement on push_delivery but the queueing of new ones. A worker that dies loses its rows by itself (outgoing/queue.ts): before
 * the call that costs nothing, afterwards the delivery is unknown.
 */

export interface DeliveryPlace extends RunnerPlace {
  host: string;
}

/** So many deliveries to a host are due; counted no further than was asked for. */
export interface HostDue {
  host: string;
  due: number;
}

export interface DeliveryClaim {
  delivery_id: number;
  claim: number;
  brand_id: number;
  host: string;
}

export interface Delivery {
  delivery_id: number;
  brand_id: number;
  player_id: number;
  message_id: number;
  subscription_id: number;
  state: DeliveryState;
  attempts: number;
  expires_at: Micros;
  /** When it was locked, by the database's clock. */
  locked_at: Micros;
}

export const deliveryQueue = new Queue<DeliveryPlace, DeliveryClaim, Delivery>({
  table: 'push_delivery',
  key: { delivery_id: 'bigint' },
  place: { host: 'text' },
  waits: `q.state = 'waiting'`,
  brings: ['q.brand_id'],
  reads: `q.delivery_id, q.brand_id, q.player_id, q.message_id, q.subscription_id, q.state, q.attempts, q.expires_at, now() as locked_at`,
});

/** Of the host `h.host`, by one look into an index; $1: counted no further. */
const dueThere = `(select count(*)::int from (
    select from push_delivery d where d.state = 'waiting' and d.host = h.host and d.due_at <= now() limit $1) due)`;

/** What is due to each of these hosts, in their order. */
export async function dueOf(pool: Pool, hosts: readonly string[], counted: number): Promise<HostDue[]> {
  if (hosts.length === 0) return [];
  const { rows } = await pool.query<HostDue>({
    name: 'push_due_of_hosts',
    text: `select h.host, ${dueThere} as due from unnest($2::text[]) with ordinality as h (host, place) order by h.place`,
    values: [counted, hosts],
  });
  return rows;
}

/**
 * Hosts for which something waits, due or not, in the order of their names, beginning with `from`. What is not due is stepped over by
 * host and not by row: a service that is away may have 100,000 rows waiting for the next try.
 */
export async function waitingHosts(
  pool: Pool,
  from: string,
  { limit, counted }: { limit: number; counted: number },
): Promise<HostDue[]> {
  const { rows } = await pool.query<HostDue>({
    name: 'push_waiting_hosts',
    text: `with recursive waiting as (
             (select host, 1 as place from push_delivery where state = 'waiting' and host >= $2 order by host limit 1)
             union all
             select (select d.host from push_delivery d where d.state = 'waiting' and d.host > w.host order by d.host limit 1), w.place + 1
               from waiting w where w.host is not null and w.place < $3
           )
           select h.host, ${dueThere} as due from waiting h where h.host is not null order by h.place`,
    values: [counted, from, limit],
  });
  return rows;
}

/** A call begins, and counts as lost after so long. */
export async function beginCall(
  tx: ClientBase,
  { delivery_id, locked_at }: Pick<Delivery, 'delivery_id' | 'locked_at'>,
  lostAfterMs: number,
  at: Micros,
): Promise<void> {
  await tx.query({
    name: 'begin_push_call',
    text: `update push_delivery set state = 'sending', reason = null, attempts = attempts + 1, sent_at = $3, due_at = $2
            where delivery_id = $1`,
    values: [delivery_id, timestamptzText(locked_at + lostAfterMs * 1_000), timestamptzText(at)],
  });
}

/** Where a delivery goes on: again later, or nowhere. */
export interface DeliveryStep {
  state: DeliveryState;
  reason: string | null;
  status: number | null;
  detail: string | null;
  /** Of one that waits. */
  in_ms: number | null;
}

/**
 * Writes what came of a claimed delivery. An answer that comes after its call had counted as lost is written all the same, unless it
 * would send again.
 *
 * @returns false when the row has gone on without us.
 */
export async function stepDelivery(
  tx: ClientBase,
  claimed: DeliveryClaim,
  step: DeliveryStep,
  at: Micros,
): Promise<boolean> {
  const ends = step.state !== 'waiting';
  const due_at = ends ? null : timestamptzText((await databaseTime(tx)) + (step.in_ms ?? 0) * 1_000);
  const { rowCount } = await tx.query({
    name: 'step_push_delivery',
    text: `update push_delivery
              set state = $3, reason = $4, status = coalesce($5, status), detail = coalesce($6, detail), claim = case when $7 then claim end,
                  due_at = $8,
                  ended_at = case when $7 then $9::timestamptz end
            where delivery_id = $1 and claim = $2 and (state in ('waiting', 'sending') or (state = 'unknown' and $7))`,
    values: [
      claimed.delivery_id,
      claimed.claim,
      step.state,
      step.reason,
      step.status,
      step.detail,
      ends,
      due_at,
      timestamptzText(at),
    ],
  });
  return (rowCount ?? 0) > 0;
}

/** Calls whose worker never said what came of them. The claim stays, so that a late answer is still written. */
export async function giveUpLost(pool: Pool, limit: number, at: Micros): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'give_up_lost_pushes',
    text: `update push_delivery d set state = 'unknown', reason = 'lost', due_at = null, ended_at = $2
             from (select delivery_id from push_delivery where state = 'sending' and due_at <= $3
                    order by due_at limit $1 for update skip locked) lost
            where d.delivery_id = lost.delivery_id`,
    values: [limit, timestamptzText(at), timestamptzText(await databaseTime(pool))],
  });
  return rowCount ?? 0;
}

/** What waits for these players is looked at now. */
export async function hurryDeliveries(tx: ClientBase, playerIds: readonly number[]): Promise<number> {
  if (playerIds.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'hurry_push_deliveries',
    text: `update push_delivery d set due_at = $2
             from (select delivery_id from push_delivery where player_id = any($1::bigint[]) and state = 'waiting' and claim is null
                    order by delivery_id for update) w
            where d.delivery_id = w.delivery_id`,
    values: [playerIds, timestamptzText(await databaseTime(tx))],
  });
  return rowCount ?? 0;
}

/** Whose message a delivery brings; null: no such delivery. Locks nothing. */
export async function pushedMessage(
  db: ClientBase,
  { brand_id, delivery_id }: { brand_id: number; delivery_id: number },
): Promise<{ player_id: number; message_id: number } | null> {
  const { rows } = await db.query<{ player_id: number; message_id: number }>(
    'select player_id, message_id from push_delivery where delivery_id = $1 and brand_id = $2',
    [delivery_id, brand_id],
  );
  return rows[0] ?? null;
}

/** The player pressed the notification. The first press counts. Where its message changes too, that is locked first. */
export async function noteClick(tx: ClientBase, deliveryId: number, at: Micros): Promise<void> {
  await tx.query('update push_delivery set clicked_at = coalesce(clicked_at, $2) where delivery_id = $1', [
    deliveryId,
    timestamptzText(at),
  ]);
}

/** Rows of pushes that ended before then. @returns how many were deleted, at most `limit`. */
export async function deleteEnded(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from push_delivery where delivery_id in (
       select delivery_id from push_delivery where ended_at < $1 order by ended_at limit $2 for update skip locked)`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
