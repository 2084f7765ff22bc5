import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  deliveryStates,
  type ListedDelivery,
  type ListedPair,
  listDeliveries,
  listDevices,
  listPairs,
  maxDevices,
  maxFormerPairs,
  readPushHealth,
  rotateKeys,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { maskText } from '../access/masking.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFromSearch, pageQuery, searchedInPages } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable, PlayerParams } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const tag = 'Messages';

const State = Type.Enum([...deliveryStates], {
  description: 'unknown: it may have arrived, so it is not sent again. dropped: no longer wanted or allowed',
});

const Reason = Nullable(
  Type.String({
    description:
      'no_device, push_off, unsubscribed, logout, moved, gone, key_revoked, read, deleted, withdrawn, expired; of the gate: excluded, blocked, no_consent, ...; of the push service: rate_limited, server_error, unreachable, connect_timeout, invalid, too_large, vapid_refused, redirected, private_address; lost, timeout, cut; keys_unreadable',
  }),
);

const Host = Nullable(Type.String({ description: 'The push service. The full address is a secret of the device' }));

const Delivery = Type.Object({
  delivery_id: Type.Integer(),
  message_id: Type.Integer(),
  user_id: Nullable(Type.String()),
  state: State,
  reason: Reason,
  host: Host,
  status: Nullable(Type.Integer({ description: 'Last status of the push service' })),
  detail: Nullable(
    Type.String({
      description: 'Last message of the push service, or why the call failed. Null for callers who may not see it',
    }),
  ),
  attempts: Type.Integer(),
  created_at: Moment,
  expires_at: Type.String({ format: 'date-time', description: 'Expiry. Nothing is sent after it' }),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'Time of the next try' })),
  sent_at: Nullable(Type.String({ format: 'date-time', description: 'Start of the last call' })),
  ended_at: Nullable(Moment),
  clicked_at: Nullable(Moment),
});

export const listPushDeliveries = endpoint({
  method: 'GET',
  path: '/brands/:brand/push-deliveries',
  tag,
  summary: 'Pushes to devices, one entry per message and device, newest first',
  description: `Kept for 90 days after their end. ${searchedInPages}`,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String()),
      message_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      state: Type.Optional(State),
      reason: Type.Optional(Type.String()),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Delivery),
});

const Pair = Type.Object({
  key_id: Type.Integer(),
  public_key: Type.String({ description: 'Public key with which devices subscribe' }),
  created_at: Moment,
  replaced_at: Nullable(
    Type.String({ format: 'date-time', description: 'Null: the current pair, with which devices subscribe' }),
  ),
  revoked_at: Nullable(
    Type.String({ format: 'date-time', description: 'A revoked pair signs nothing, and its devices are removed' }),
  ),
  readable: Type.Boolean({ description: 'False: it was encrypted with another CROUPIER_SECRET, and signs nothing' }),
  devices: Type.Integer({ description: 'Counted up to 10,000' }),
});

export const showPush = endpoint({
  method: 'GET',
  path: '/brands/:brand/push',
  tag,
  summary: 'Push of a brand: its devices, and the results of the pushes of the last 24 hours',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    enabled: Type.Boolean(),
    devices: Type.Integer({ description: 'Counted up to 10,000' }),
    keys: Type.Array(Pair, { description: 'Push key pairs: the current one, then former ones that devices still use' }),
    counts: Type.Array(
      Type.Object({ state: State, reason: Reason, host: Host, count: Type.Integer(), oldest_at: Moment }),
      { description: 'The 100 most frequent of the newest 100,000' },
    ),
  }),
});

export const rotatePushKeys = endpoint({
  method: 'POST',
  path: '/brands/:brand/push-keys',
  tag,
  summary: 'Create a new pair of push keys. Within two seconds, devices in every process subscribe with it',
  description: `Devices of former pairs get pushes as before, until a page is opened on them. They then subscribe again without a prompt. Pairs that cannot be read with the current CROUPIER_SECRET are revoked. If there are already ${maxFormerPairs} former pairs, the call is refused unless it revokes them.`,
  may: 'key.manage',
  conflict: 'The current keys cannot be replaced now. `detail` states why',
  params: BrandParams,
  body: Type.Object(
    {
      revoke: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'For a leaked key: revokes all former pairs, and their devices get no more pushes',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({
    key_id: Type.Integer(),
    public_key: Type.String(),
    created_at: Moment,
    devices_kept: Type.Integer({
      description: 'Devices that get pushes signed with their former pair, until a page is opened on them',
    }),
    devices_dropped: Type.Integer({ description: 'Devices that get no pushes until a page is opened on them' }),
  }),
});

export const listPushDevices = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/push-devices',
  tag,
  summary: `Devices that a player subscribed, most recently seen first; at most ${maxDevices}`,
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        subscription_id: Type.Integer(),
        host: Type.String({ description: 'The push service' }),
        created_at: Moment,
        seen_at: Type.String({ format: 'date-time', description: 'When a signed-in page last confirmed it' }),
      }),
    ),
  }),
});

const cursor = new CursorCodec('push-deliveries', Type.Integer());
const dayMicros = 24 * 3_600_000_000;

export function pushRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, push } = deps;

  serve(app, listPushDeliveries, async ({ access, brand, query }) => {
    const { limit, cursor: after, user_id, ...rest } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const filter = { ...rest, player_id: player?.player_id };
    const before = cursor.decode(after);
    const found = await listDeliveries(pool, brand.brand_id, filter, { limit: limit + 1, before });
    const { items, next } = pageFromSearch(found, limit, ({ delivery_id }) => delivery_id, cursor);
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((one) => present(one, unmasked)), next };
  });

  serve(app, showPush, async ({ brand }) => {
    const [{ devices, counts }, pairs] = await Promise.all([
      readPushHealth(pool, brand.brand_id, clock() - dayMicros),
      listPairs(pool, push.vault, brand),
    ]);
    return {
      enabled: brand.settings.push.enabled,
      devices,
      keys: pairs.map(presentPair),
      counts: counts.map((one) => ({ ...one, oldest_at: momentText(one.oldest_at) })),
    };
  });

  serve(app, rotatePushKeys, async ({ access, brand, body: { revoke = false } }) => {
    const rotation = await transaction(pool, async (tx) => {
      const made = await rotateKeys(tx, push.vault, brand, { revoke }, clock());
      if (made === null) return null;
      const { key_id, devices_kept, devices_dropped } = made;
      const details = { revoke, devices_kept, devices_dropped };
      await record(deps, access, { action: 'push_key.rotated', brand, subject: `push_key ${key_id}`, details }, tx);
      return made;
    });
    if (rotation === null) {
      const detail = {
        en: `there are already ${maxFormerPairs} former pairs, which are kept until their devices return, for at least an hour; wait, or revoke them`,
        de: `Es gibt bereits ${maxFormerPairs} frühere Paare, die mindestens eine Stunde und bis zur Rückkehr ihrer Geräte erhalten bleiben; warten Sie, oder widerrufen Sie sie`,
      };
      throw new Refused('conflict', detail);
    }
    push.keys.forget(brand);
    return { ...rotation, created_at: momentText(rotation.created_at) };
  });

  serve(app, listPushDevices, async ({ brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const devices = await listDevices(pool, player.player_id);
    return {
      items: devices.map((one) => ({
        ...one,
        created_at: momentText(one.created_at),
        seen_at: momentText(one.seen_at),
      })),
    };
  });
}

function presentPair(pair: ListedPair) {
  return {
    ...pair,
    created_at: momentText(pair.created_at),
    replaced_at: momentTextOrNull(pair.replaced_at),
    revoked_at: momentTextOrNull(pair.revoked_at),
  };
}

/** A push service's answer may quote the address of the device. */
function present({ player_id: _, ...delivery }: ListedDelivery, unmasked: boolean) {
  return {
    ...delivery,
    detail: unmasked ? delivery.detail : maskText(delivery.detail),
    created_at: momentText(delivery.created_at),
    expires_at: momentText(delivery.expires_at),
    due_at: momentTextOrNull(delivery.due_at),
    sent_at: momentTextOrNull(delivery.sent_at),
    ended_at: momentTextOrNull(delivery.ended_at),
    clicked_at: momentTextOrNull(delivery.clicked_at),
  };
}
