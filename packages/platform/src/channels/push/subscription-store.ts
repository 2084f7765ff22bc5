import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { SessionEnded } from '../channel.ts';
import { type DropReason, maxDevices } from './delivery.ts';
import { holdPair } from './key-store.ts';

/**
 * All SQL statements on push_subscription. If deliveries change too, subscriptions are locked first, each in the order of its
 * key.
 */

export interface NewSubscription {
  brand_id: number;
  player_id: number;
  endpoint_hash: Buffer;
  sealed: Buffer;
  host: string;
  sid_hash: string | null;
  /** The brand's key with which the device subscribed, if its page reports it. */
  public_key?: string | undefined;
}

/** The stored device, and the brand's key whose pushes it accepts. */
export interface Saved {
  subscription_id: number;
  public_key: string;
}

/*
 * If a subscription and the end of its session run at the same time, neither sees the uncommitted changes of the other, and the
 * device would stay. So both take one lock before they read anything. The second one sees what the first did: an end finds the
 * device, or a subscription finds its session ended.
 *
 * Ends take a shared lock, because they do not conflict with each other. There is one lock per bucket instead of one per player,
 * because each lock takes space in a table of fixed size in the database, and one transaction may contain hundreds of ends. A
 * subscription takes an exclusive lock. Otherwise, two devices of one player that subscribe at the same time would not count
 * each other.
 */
const lockBuckets = 64;
const lockOf = (playerId: string) => `hashtext('push_subscription'), (${playerId} % ${lockBuckets})::int`;

async function lockOutEnds(tx: ClientBase, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${lockOf('$1::bigint')})`, [playerId]);
}

async function lockOutSubscriptions(tx: ClientBase, playerIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${lockOf('p.bucket')})
       from (select distinct id % ${lockBuckets} as bucket from unnest($1::bigint[]) id order by 1) p`,
    [playerIds],
  );
}

/**
 * Binds a device to a player. A device of another player moves, and that player's pushes waiting for it are dropped.
 *
 * @param isSignedIn whether the session is still active; called under a lock, so that the session cannot end before the
 * device is stored
 * @returns `unknown`: the session has ended, or the player no longer exists; `key`: the brand no longer uses the key
 */
export async function saveSubscription(
  tx: ClientBase,
  device: NewSubscription,
  isSignedIn: (tx: ClientBase) => Promise<boolean>,
  at: Micros,
): Promise<Saved | 'unknown' | 'key'> {
  const { brand_id, player_id, endpoint_hash, sealed, host, sid_hash } = device;
  await lockOutEnds(tx, player_id);
  if (!(await isSignedIn(tx))) return 'unknown';
  const pair = await holdPair(tx, device, device.public_key);
  if (pair === null) return 'key';
  const { rows: before } = await tx.query<{ subscription_id: number; player_id: number }>(
    `select subscription_id, player_id from push_subscription where brand_id = $1 and endpoint_hash = $2 for update`,
    [brand_id, endpoint_hash],
  );
  const [held] = before;
  if (held !== undefined && held.player_id !== player_id)
    await dropDevices(tx, { by: 'number', subscription_ids: [held.subscription_id] }, 'moved', at);
  const { rows } = await tx.query<{ subscription_id: number }>(
    `insert into push_subscription (brand_id, player_id, endpoint_hash, sealed, host, sid_hash, created_at, seen_at, key_id)
     select $1, p.player_id, $3, $4, $5, $6, $7, $7, $8 from player p where p.player_id = $2 and p.brand_id = $1 and p.erased_at is null
        for key share
     on conflict (brand_id, endpoint_hash) do update
       set player_id = excluded.player_id, sealed = excluded.sealed, sid_hash = excluded.sid_hash, seen_at = excluded.seen_at,
           key_id = excluded.key_id
     returning subscription_id`,
    [brand_id, player_id, endpoint_hash, sealed, host, sid_hash, timestamptzText(at), pair.key_id],
  );
  await dropBeyondLimit(tx, player_id, at);
  const [saved] = rows;
  return saved === undefined ? 'unknown' : { ...saved, public_key: pair.public_key };
}

async function dropBeyondLimit(tx: ClientBase, playerId: number, at: Micros): Promise<void> {
  const { rows } = await tx.query<{ subscription_id: number }>(
    `select subscription_id from push_subscription where player_id = $1
      order by seen_at desc, subscription_id desc offset $2`,
    [playerId, maxDevices],
  );
  const subscription_ids = rows.map(({ subscription_id }) => subscription_id);
  if (subscription_ids.length > 0) await dropDevices(tx, { by: 'number', subscription_ids }, 'unsubscribed', at);
}

/** Which devices to remove. */
export type Whose =
  | { by: 'number'; subscription_ids: readonly number[] }
  | { by: 'player'; player_ids: readonly number[] }
  | { by: 'endpoint'; brand_id: number; player_id: number; endpoint_hash: Buffer }
  | { by: 'logout'; ends: readonly SessionEnded[] };

/** The SQL conditions. Each uses an index. */
const conditions: Readonly<Record<Whose['by'], string>> = {
  number: 'subscription_id = any($1::bigint[])',
  player: 'player_id = any($1::bigint[])',
  endpoint: 'brand_id = $1 and player_id = $2 and endpoint_hash = $3',
  logout: `player_id = any($1::bigint[]) and exists (
             select from unnest($1::bigint[], $2::text[]) as e (player_id, sid_hash)
              where e.player_id = push_subscription.player_id and e.sid_hash in ('', push_subscription.sid_hash))`,
};

/** For a logout and an exclusion: a concurrent subscription finishes first, or finds that the session has ended. */
const endsOf = (whose: Whose): readonly number[] =>
  whose.by === 'logout' ? whose.ends.map(({ player_id }) => player_id) : whose.by === 'player' ? whose.player_ids : [];

/** Removes devices, and drops the pushes that wait for them with this reason. @returns devices removed */
export async function dropDevices(tx: ClientBase, whose: Whose, reason: DropReason, at: Micros): Promise<number> {
  const ended = endsOf(whose);
  if (ended.length > 0) await lockOutSubscriptions(tx, ended);
  const { rows } = await tx.query<{ subscription_id: number }>({
    name: `drop_push_devices_by_${whose.by}`,
    text: `delete from push_subscription s
            using (select subscription_id from push_subscription where ${conditions[whose.by]}
                    order by subscription_id for update) gone
            where s.subscription_id = gone.subscription_id
           returning s.subscription_id`,
    values: valuesOf(whose),
  });
  if (rows.length === 0) return 0;
  await tx.query({
    name: 'drop_push_deliveries',
    text: `update push_delivery d set state = 'dropped', reason = $2, due_at = null, claim = null, ended_at = $3
             from (select delivery_id from push_delivery where subscription_id = any($1::bigint[]) and state = 'waiting'
                    order by delivery_id for update) waiting
            where d.delivery_id = waiting.delivery_id`,
    values: [rows.map(({ subscription_id }) => subscription_id), reason, timestamptzText(at)],
  });
  return rows.length;
}

function valuesOf(whose: Whose): unknown[] {
  switch (whose.by) {
    case 'number':
      return [whose.subscription_ids];
    case 'player':
      return [whose.player_ids];
    case 'endpoint':
      return [whose.brand_id, whose.player_id, whose.endpoint_hash];
    case 'logout':
      return [whose.ends.map(({ player_id }) => player_id), whose.ends.map(({ sid_hash }) => sid_hash)];
    default:
      return whose satisfies never;
  }
}

interface Device {
  subscription_id: number;
  brand_id: number;
  player_id: number;
  sealed: Buffer;
  host: string;
}

export interface StoredSubscription extends Device, Pair {}

/** The pair with which a device subscribed. */
interface Pair {
  public_key: string;
  key_sealed: Buffer;
  is_revoked: boolean;
}

export async function readSubscription(
  db: ClientBase | Pool,
  subscriptionId: number,
): Promise<StoredSubscription | null> {
  const { rows: devices } = await db.query<Device & { key_id: number }>({
    name: 'read_push_subscription',
    text: `select subscription_id, brand_id, player_id, sealed, host, key_id
             from push_subscription where subscription_id = $1`,
    values: [subscriptionId],
  });
  const [device] = devices;
  if (device === undefined) return null;
  const { key_id, ...rest } = device;
  const { rows: pairs } = await db.query<Pair>({
    name: 'read_push_pair',
    text: `select public_key, sealed as key_sealed, revoked_at is not null as is_revoked from push_key where key_id = $1`,
    values: [key_id],
  });
  const [pair] = pairs;
  return pair === undefined ? null : { ...rest, ...pair };
}

/** Stores the new endpoint that a browser gave its device. @returns false if the device is unknown, or another device has this endpoint */
export async function replaceEndpoint(
  tx: ClientBase,
  device: { subscription_id: number; brand_id: number; endpoint_hash: Buffer; sealed: Buffer; host: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update push_subscription s set endpoint_hash = $3, sealed = $4, host = $5
      where subscription_id = $1 and brand_id = $2
        and not exists (select from push_subscription o where o.brand_id = $2 and o.endpoint_hash = $3 and o.subscription_id <> $1)`,
    [device.subscription_id, device.brand_id, device.endpoint_hash, device.sealed, device.host],
  );
  if (rowCount === 0) return false;
  await tx.query(`update push_delivery set host = $2 where subscription_id = $1 and state = 'waiting'`, [
    device.subscription_id,
    device.host,
  ]);
  return true;
}

export interface ListedDevice {
  subscription_id: number;
  host: string;
  created_at: Micros;
  seen_at: Micros;
}

/** Most recently seen first; at most `maxDevices`. */
export async function listDevices(pool: Pool, playerId: number): Promise<ListedDevice[]> {
  const { rows } = await pool.query<ListedDevice>(
    `select subscription_id, host, created_at, seen_at from push_subscription
      where player_id = $1 order by seen_at desc, subscription_id desc`,
    [playerId],
  );
  return rows;
}
