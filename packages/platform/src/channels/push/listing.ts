import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
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

const columns = `d.delivery_id, d.message_id, d.player_id, p.user_id, d.state, d.reason, d.host, d.status, d.detail, d.attempts,
  d.created_at, d.expires_at, d.due_at, d.sent_at, d.ended_at, d.clicked_at`;

/** The pushes of one message: one row per device. */
export async function deliveriesOf(
  db: Pool | ClientBase,
  brandId: number,
  messageId: number,
): Promise<ListedDelivery[]> {
  const { rows } = await db.query<ListedDelivery>(
    `select ${columns} from push_delivery d left join player p using (player_id)
      where d.message_id = $2 and d.brand_id = $1 order by d.delivery_id`,
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

/**
 * Maximum number of rows searched per page, so that a search for a reason that does not occur does not read 90 days of a brand.
 */
export const mostSearched = 100_000;

/** The conditions that select the rows to search. Each uses an index. */
const sources = {
  message: 'message_id = $3 and brand_id = $1',
  player: 'player_id = $3 and brand_id = $1',
  brand: '$3::bigint is null and brand_id = $1',
};

/** Newest first, starting before `before`; searches only the newest `mostSearched` from there. */
export async function listDeliveries(
  pool: Pool,
  brandId: number,
  { player_id, message_id, state, reason }: DeliveryFilter,
  limit: number,
  before?: number,
): Promise<ListedDelivery[]> {
  const source = message_id !== undefined ? 'message' : player_id !== undefined ? 'player' : 'brand';
  const { rows } = await pool.query<ListedDelivery>(
    `select ${columns}
       from (select * from push_delivery where ${sources[source]} and delivery_id < $2
              order by delivery_id desc limit ${mostSearched}) d
       left join player p using (player_id)
      where ($4::bigint is null or d.player_id = $4) and ($5::text is null or d.state = $5) and ($6::text is null or d.reason = $6)
      order by d.delivery_id desc limit $7`,
    [
      brandId,
      before ?? Number.MAX_SAFE_INTEGER,
      message_id ?? player_id ?? null,
      player_id ?? null,
      state ?? null,
      reason ?? null,
      limit,
    ],
  );
  return rows;
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
