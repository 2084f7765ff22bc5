import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedBonus, listBonuses } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, momentTextOrNull, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listBonusesEndpoint } from './bonus-endpoints.ts';
import { knownPlayer } from './known-player.ts';

const cursor = new CursorCodec('bonuses', Type.Object({ at: MicrosShape, user_bonus_id: Type.String() }));

export function bonusRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBonusesEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const after = text === undefined ? undefined : cursor.decode(text);
    const rows = await listBonuses(pool, player.player_id, filter, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ at, user_bonus_id }) => cursor.encode({ at, user_bonus_id }));
    return { items: items.map(present), next };
  });
}

function present({
  at,
  day: _,
  status_at,
  status_day: __,
  turned_real_at,
  turned_real_day: ___,
  ...bonus
}: ListedBonus) {
  return {
    ...bonus,
    status_at: momentText(status_at),
    granted_at: momentText(at),
    turned_real_at: momentTextOrNull(turned_real_at),
    events: bonus.events.map(presentEvent),
  };
}

function presentEvent(event: ListedBonus['events'][number]) {
  const { status, timestamp, amount, currency, exchange_rate } = event;
  const { bonus_turned_real = null, locked_amount = null, required_wagering_amount = null } = event;
  return {
    status,
    timestamp: momentText(timestamp),
    amount,
    currency,
    exchange_rate,
    bonus_turned_real,
    locked_amount,
    required_wagering_amount,
  };
}
