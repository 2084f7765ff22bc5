import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedDelivery, listDeliveries, listDevices, readPushHealth } from '../../channels/index.ts';
import { maskText } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listPushDeliveries, listPushDevices, showPush } from './endpoints.ts';

const cursor = new CursorCodec('push-deliveries', Type.Integer());
const dayMicros = 24 * 3_600_000_000;

export function pushRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listPushDeliveries, async ({ access, brand, query }) => {
    const { limit, cursor: after, user_id, ...rest } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const filter = { ...rest, player_id: player?.player_id };
    const before = after === undefined ? undefined : cursor.decode(after);
    const rows = await listDeliveries(pool, brand.brand_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ delivery_id }) => cursor.encode(delivery_id));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((one) => shown(one, unmasked)), next };
  });

  serve(app, showPush, async ({ brand }) => {
    const { devices, counts } = await readPushHealth(pool, brand.brand_id, clock() - dayMicros);
    return {
      ...{ enabled: brand.settings.push.enabled, devices },
      counts: counts.map((one) => ({ ...one, oldest_at: momentText(one.oldest_at) })),
    };
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

/** What a push service says may quote the address of the device. */
function shown({ player_id: _, ...delivery }: ListedDelivery, unmasked: boolean) {
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
