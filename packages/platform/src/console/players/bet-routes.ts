import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type BetSelection, type ListedBet, listBets } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listBetsEndpoint } from './bet-endpoints.ts';
import { knownPlayer } from './known-player.ts';

/** The token of derive's list, which it checks itself. */
const cursor = new CursorCodec('bets', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9a-f]{32}$' }));

export function betRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBetsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: after, from, to, status, ...rest } = query;
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const before = after === undefined ? undefined : cursor.decode(after);
    const rows = await listBets(pool, player_id, { ...rest, state: status, ...bounds }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((bet) => present(bet, unmasked)), next };
  });
}

function present(
  { state: status, at, settled_at, details, activities, token: _, ...bet }: ListedBet,
  unmasked: boolean,
) {
  const { parts, selections = [], outcomes = null, user_bonus_id = null, device_type = null } = details ?? {};
  const { origin = null, meta } = details ?? {};
  const { real = null, bonus = null, locked = null } = parts ?? {};
  return {
    ...bet,
    status,
    timestamp: momentText(at),
    settled_at: momentTextOrNull(settled_at),
    real,
    bonus,
    locked,
    selections: selections.map(presentSelection),
    outcomes,
    user_bonus_id,
    device_type,
    origin,
    meta: meta === undefined || unmasked ? (meta ?? null) : maskMeta(meta),
    activities: activities.map(({ at, ...activity }) => ({ ...activity, timestamp: momentText(at) })),
  };
}

function presentSelection({ match_start, ...selection }: BetSelection) {
  return {
    ...selection,
    match_start: typeof match_start === 'number' ? momentText(match_start) : null,
    match_start_text: typeof match_start === 'string' ? match_start : null,
  };
}
