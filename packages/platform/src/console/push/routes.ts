import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type ListedDelivery,
  type ListedPair,
  listDeliveries,
  listDevices,
  listPairs,
  maxFormerPairs,
  readPushHealth,
  rotateKeys,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { maskText } from '../access/masking.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { listPushDeliveries, listPushDevices, rotatePushKeys, showPush } from './endpoints.ts';

const cursor = new CursorCodec('push-deliveries', Type.Integer());
const dayMicros = 24 * 3_600_000_000;

export function pushRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, push } = deps;

  serve(app, listPushDeliveries, async ({ access, brand, query }) => {
    const { limit, cursor: after, user_id, ...rest } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const filter = { ...rest, player_id: player?.player_id };
    const before = after === undefined ? undefined : cursor.decode(after);
    const rows = await listDeliveries(pool, brand.brand_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ delivery_id }) => cursor.encode(delivery_id));
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
      const detail = `${maxFormerPairs} former pairs are kept until their devices come back, an hour at least: wait for them, or revoke them`;
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

/** What a push service says may quote the address of the device. */
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
