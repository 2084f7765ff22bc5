import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { type Found, findNewest, mostSearched, type NewestPage } from '../newest-first.ts';
import type { DeliveryState } from './delivery.ts';

/** A push as shown to people. It never contains the endpoint, which is a secret of the device. */
export interface ListedDelivery {
  delivery_id: number;
  message_id: number;
  player_id: number;
  /** Null if the player no longer exists. */
  user_id: string | null;
  state: DeliveryState;
  reason: string | null;
  /** The host of the push service; null without a device, or if the player was erased. */
  host: string | null;
  status: number | null;
  detail: string | null;
  attempts: number;
  created_at: Micros;
  expires_at: Micros;
  due_at: Micros | null;
  sent_at: Micros | null;
  ended_at: Micros | null;
  clicked_at: Micros | null;
}

const columns = `m.delivery_id, m.message_id, m.player_id, p.user_id, m.state, m.reason, m.host, m.status, m.detail, m.attempts,
  m.created_at, m.expires_at, m.due_at, m.sent_at, m.ended_at, m.clicked_at`;

/** The pushes of one message: one row per device. */
export async function deliveriesOf(
  db: Pool | ClientBase,
  brandId: number,
  messageId: number,
): Promise<ListedDelivery[]> {
  const { rows } = await db.query<ListedDelivery>(
    `select ${columns} from push_delivery m left join player p using (player_id)
      where m.message_id = $2 and m.brand_id = $1 order by m.delivery_id`,
    [brandId, messageId],
  );
  return rows;
}

export interface DeliveryFilter {
  player_id?: number | undefined;
  message_id?: number | undefined;
  state?: DeliveryState | undefined;
  reason?: string | undefined;
}

/** Newest first. A page searches the next 100,000 pushes (newest-first.ts): those of a message, of a player, or of the brand. */
export function listDeliveries(
  pool: Pool,
  brandId: number,
  { player_id, message_id, state, reason }: DeliveryFilter,
  page: NewestPage,
): Promise<Found<ListedDelivery>> {
  const values: unknown[] = [];
  const given = (column: string, value: unknown) =>
    value === undefined ? [] : [`m.${column} = $${values.push(value)}`];
  const ofBrand = given('brand_id', brandId);
  const ofMessage = given('message_id', message_id);
  const ofPlayer = given('player_id', player_id);
  const others = [...given('state', state), ...given('reason', reason)];
  const [among, wanted] =
    message_id === undefined
      ? [[...ofBrand, ...ofPlayer], others]
      : [
          [...ofBrand, ...ofMessage],
          [...ofPlayer, ...others],
        ];
  return findNewest(pool, { table: 'push_delivery', id: 'delivery_id', columns, among, wanted, values }, page);
}

/** The devices of a brand, and its recent pushes by state, reason and push service, each with the creation time of the oldest push. */
export interface PushHealth {
  devices: number;
  counts: { state: DeliveryState; reason: string | null; host: string | null; count: number; oldest_at: Micros }[];
}

/** The count of devices stops here; the number then means "at least". */
export const mostDevicesCounted = 10_000;

export async function readPushHealth(pool: Pool, brandId: number, since: Micros): Promise<PushHealth> {
  const [devices, counts] = await Promise.all([
    pool.query<{ devices: number }>(
      `select count(*)::int as devices from (select from push_subscription where brand_id = $1 limit ${mostDevicesCounted}) d`,
      [brandId],
    ),
    pool.query<PushHealth['counts'][number]>(
      `select state, reason, host, count(*)::int as count, min(created_at) as oldest_at
         from (select state, reason, host, created_at from push_delivery
                where brand_id = $1 order by delivery_id desc limit ${mostSearched}) d
        where created_at >= $2
        group by state, reason, host order by count(*) desc limit 100`,
      [brandId, timestamptzText(since)],
    ),
  ]);
  return { devices: devices.rows[0]?.devices ?? 0, counts: counts.rows };
}
