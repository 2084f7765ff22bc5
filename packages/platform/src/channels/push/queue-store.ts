import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { pushLife } from './delivery.ts';

/** A message that has become live, and must be pushed to the player's devices. */
export interface NewPush {
  brand_id: number;
  player_id: number;
  message_id: number;
  /** Expiry of the message; null if it never expires. */
  expires_at: Micros | null;
}

/**
 * Queues messages for all devices of their players, in the transaction that makes them live. A player without a device gets a
 * row with that reason. Queueing a message again has no effect.
 *
 * @returns the number of deliveries that wait to be sent
 */
export async function queuePush(tx: ClientBase, pushes: readonly NewPush[], at: Micros): Promise<number> {
  if (pushes.length === 0) return 0;
  const rows = pushes.map(({ expires_at, ...push }) => ({
    ...push,
    expires_at: timestamptzText(Math.min(expires_at ?? Number.POSITIVE_INFINITY, at + pushLife)),
  }));
  const { rows: counts } = await tx.query<{ waiting: number }>({
    name: 'queue_push',
    text: `with queued as (
             insert into push_delivery (brand_id, player_id, message_id, subscription_id, host, state, reason, created_at, expires_at,
                                        due_at, ended_at)
             select p.brand_id, p.player_id, p.message_id, s.subscription_id, s.host,
                    case when s.subscription_id is null then 'dropped' else 'waiting' end,
                    case when s.subscription_id is null then 'no_device' end,
                    $2, p.expires_at,
                    case when s.subscription_id is not null then $3::timestamptz end,
                    case when s.subscription_id is null then $2::timestamptz end
               from jsonb_to_recordset($1::jsonb) as p (brand_id int, player_id bigint, message_id bigint, expires_at timestamptz)
               left join push_subscription s on s.player_id = p.player_id and s.brand_id = p.brand_id
              order by p.message_id, s.subscription_id
             on conflict (message_id, subscription_id) do nothing
             returning state
           )
           select count(*) filter (where state = 'waiting')::int as waiting from queued`,
    values: [JSON.stringify(rows), timestamptzText(at), timestamptzText(await databaseTime(tx))],
  });
  return counts[0]?.waiting ?? 0;
}
