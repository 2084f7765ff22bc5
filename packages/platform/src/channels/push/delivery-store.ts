import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { Queue, type RunnerPlace } from '../../outgoing/index.ts';
import type { DeliveryState } from './delivery.ts';

/*
 * All SQL statements on push_delivery, except those that queue new rows. The rows of a dead worker become due automatically
 * (outgoing/queue.ts). If its call had not begun, the delivery is claimed again. If the call had begun, the delivery is unknown.
 */

export interface DeliveryPlace extends RunnerPlace {
  host: string;
}

/** The number of due deliveries to a host; the count stops at the requested limit. */
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
  /** Why it waits. */
  reason: string | null;
  /** Consecutive calls that failed in the same way (Ladder.triesAfter). */
  tries: number;
  expires_at: Micros;
  /** The time at which the row was locked, on the database's clock. */
  locked_at: Micros;
}

export const deliveryQueue = new Queue<DeliveryPlace, DeliveryClaim, Delivery>({
  table: 'push_delivery',
  key: { delivery_id: 'bigint' },
  place: { host: 'text' },
  waits: `q.state = 'waiting'`,
  brings: ['q.brand_id'],
  reads: `q.delivery_id, q.brand_id, q.player_id, q.message_id, q.subscription_id, q.state, q.reason, q.tries, q.expires_at, now() as locked_at`,
});

/** Counts for the host `h.host`, with one index probe; the count stops at $1. */
const dueThere = `(select count(*)::int from (
    select from push_delivery d where d.state = 'waiting' and d.host = h.host and d.due_at <= now() limit $1) due)`;

/** The number of due deliveries of each of these hosts, in the order of the hosts. */
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
 * Hosts with waiting deliveries, due or not, in the order of their names, beginning with `from`. Deliveries that are not due
 * are skipped by host and not by row: a service that is unavailable may have 100,000 rows that wait for the next try.
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

/** Marks that a call begins; it counts as lost after the given time. */
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

/** The next state of a delivery: a retry later, or an end. */
export interface DeliveryStep {
  state: DeliveryState;
  reason: string | null;
  status: number | null;
  detail: string | null;
  /** For a waiting delivery: milliseconds until it is due. */
  in_ms: number | null;
  /** After a failed call: how many consecutive calls failed in the same way. */
  tries?: number;
}

/**
 * Writes the outcome of a claimed delivery. An answer that arrives after its call has counted as lost is still written, unless it would
 * cause another call.
 *
 * @returns false if another worker has already moved the row
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
                  ended_at = case when $7 then $9::timestamptz end, tries = coalesce($10, tries)
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
      step.tries ?? null,
    ],
  });
  return (rowCount ?? 0) > 0;
}

/** Ends calls whose worker never reported an outcome. The claim stays, so that a late answer is still written. */
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

/** Makes waiting deliveries of these players due now. */
export async function makeDeliveriesDue(tx: ClientBase, playerIds: readonly number[]): Promise<number> {
  if (playerIds.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'make_push_deliveries_due',
    text: `update push_delivery d set due_at = $2
             from (select delivery_id from push_delivery where player_id = any($1::bigint[]) and state = 'waiting' and claim is null
                    order by delivery_id for update) w
            where d.delivery_id = w.delivery_id`,
    values: [playerIds, timestamptzText(await databaseTime(tx))],
  });
  return rowCount ?? 0;
}

/** The player whose message a delivery announces; null if there is no such delivery. Takes no locks. */
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

/** The player clicked the notification. Only the first click counts. If its message changes too, lock the message first. */
export async function noteClick(tx: ClientBase, deliveryId: number, at: Micros): Promise<void> {
  await tx.query('update push_delivery set clicked_at = coalesce(clicked_at, $2) where delivery_id = $1', [
    deliveryId,
    timestamptzText(at),
  ]);
}

/** Deletes rows of pushes that ended before the given time. @returns how many, at most `limit` */
export async function deleteEnded(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from push_delivery where delivery_id in (
       select delivery_id from push_delivery where ended_at < $1 order by ended_at limit $2 for update skip locked)`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
