import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type BetSelection, betStates, type ListedBet, listBets } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  Moment,
  Money,
  momentText,
  momentTextOrNull,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const Text = Nullable(Type.String());

const Mark = Type.Optional(Type.Boolean());

const Selection = Type.Object({
  event_name: Type.Optional(Type.String()),
  sports_name: Type.Optional(Type.String()),
  tournament_name: Type.Optional(Type.String()),
  market: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.String()),
  odds: Type.Optional(Money),
  match_start: Nullable(Moment),
  match_start_text: Nullable(Type.String({ description: 'A match_start that is not a timestamp, as sent' })),
  is_live: Mark,
  is_free_bet: Mark,
  is_risk_free_bet: Mark,
});

const Activity = Type.Object({
  activity_id: Type.String(),
  type: Type.Enum(['Bet', 'Settlement']),
  in_force: Type.Boolean({
    description: 'Approved and not rolled back. A settlement counts if its Bet is also in force',
  }),
  rolled_back: Type.Boolean(),
  cashout: Type.Boolean(),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  outcomes: Type.Unknown({ description: 'As sent with this activity. Null if there are none' }),
  conflicts: Type.Integer(),
});

const Bet = Type.Object({
  bet_id: Type.String({ description: 'activity_id of the Bet' }),
  status: Type.Enum(betStates, {
    description:
      'cashed_out: every settlement so far is a full or partial cashout. rolled_back: the Bet and all its settlements were cancelled. orphan: settlements or rollbacks without their Bet',
  }),
  timestamp: Moment,
  settled_at: Nullable(Moment),
  bet_type: Text,
  live: Nullable(Type.Boolean({ description: 'At least one selection was live' })),
  free: Nullable(Type.Boolean({ description: 'Only free selections: the stake is bonus money' })),
  risk_free: Nullable(Type.Boolean({ description: 'Only risk-free selections' })),
  odds: Nullable(Type.String({ description: "As sent, else the product of the selections' odds", examples: ['3.9'] })),
  amount: Nullable(Money),
  currency: Text,
  exchange_rate: Nullable(Money),
  base_amount: Nullable(Money),
  base_payout: Type.String({ description: 'The sum of the settlements that count', examples: ['12.50'] }),
  base_result: Nullable(
    Type.String({ description: 'base_payout - base_amount. Negative if the player lost', examples: ['-2.50'] }),
  ),
  real: Nullable(Money),
  bonus: Nullable(Money),
  locked: Nullable(Money),
  settlement_count: Type.Integer(),
  cashout_count: Type.Integer(),
  selections: Type.Array(Selection),
  outcomes: Type.Unknown(),
  user_bonus_id: Text,
  device_type: Text,
  origin: Text,
  meta: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'As sent. Masked for callers who may not see personal data',
    }),
  ),
  orphans: Type.Integer({ description: 'Settlements and rollbacks without their counterpart' }),
  conflicts: Type.Integer({ description: 'Versions with different money that are not in force' }),
  activities: Type.Array(Activity, { description: 'The Bet and its settlements, oldest first, at most 100' }),
});

export const listBetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/bets',
  tag: 'Players',
  summary: 'Sports bets of a player with their selections and settlements, newest first',
  description: '`real`, `bonus` and `locked` are the parts of the stake, in its own currency.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      status: Type.Optional(Type.Enum(betStates)),
      bet_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      live: Type.Optional(Type.Boolean()),
      free: Type.Optional(Type.Boolean()),
      orphan: Type.Optional(
        Type.Boolean({
          description: 'Filter by settlements or rollbacks without their counterpart',
        }),
      ),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Bet),
});

/** The token of derive's list, which derive validates. */
const cursor = new CursorCodec('bets', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9a-f]{32}$' }));

export function betRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBetsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: after, from, to, status, ...rest } = query;
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const before = cursor.decode(after);
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
