import { bonusProducts, bonusStatuses } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedBonus, listBonuses } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  MicrosShape,
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

/** Both sets are open. Other values that an operator sends are stored unchanged, so callers can filter by them, too. */
const openSet = (known: readonly string[]) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: `Letter case is ignored. Known values: ${known.join(', ')}`,
  });

const References = Type.Object(
  {
    id: Type.Optional(Type.String()),
    activity_id: Type.Optional(Type.String()),
    action_id: Type.Optional(Type.String()),
    action_group_id: Type.Optional(Type.String()),
    trigger_hash: Type.Optional(Type.String()),
  },
  { description: 'References of the platform call that caused the bonus, as returned by the operator' },
);

const BonusEvent = Type.Object({
  status: Type.String(),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  bonus_turned_real: Nullable(Money),
  locked_amount: Nullable(Money),
  required_wagering_amount: Nullable(Money),
});

const Bonus = Type.Object({
  user_bonus_id: Type.String(),
  bonus_id: Type.String(),
  bonus_code: Nullable(Type.String()),
  product: Type.String(),
  type: Type.String(),
  status: Type.String({ description: 'Status of the latest event. Ties go to the later status in the list' }),
  status_at: Type.String({ format: 'date-time', description: 'When the status was reached' }),
  granted: Type.Boolean({ description: 'Counts in totals. False while it is Reversed' }),
  granted_at: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  base_turned_real: Money,
  turned_real_at: Nullable(Moment),
  base_locked_amount: Nullable(Money),
  base_required_wagering: Nullable(Money),
  expires_at: Nullable(Moment),
  crm_references: Nullable(References),
  origin: Type.String(),
  events: Type.Array(BonusEvent, {
    description:
      'Its history without repeats, ordered by timestamp. At most 20 versions per status and timestamp. For very many events: the 20 earliest, the 100 latest, the last of each of 60 days, and those that decide an amount',
  }),
  conflicts: Type.Integer({ description: 'Versions with different money that are not in force' }),
});

export const listBonusesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/bonuses',
  tag: 'Players',
  summary: 'Bonuses of a player with their history of statuses, latest grant first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      status: Type.Optional(openSet(bonusStatuses)),
      product: Type.Optional(openSet(bonusProducts)),
      user_bonus_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Bonus),
});

const cursor = new CursorCodec('bonuses', Type.Object({ at: MicrosShape, user_bonus_id: Type.String() }));

export function bonusRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBonusesEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const after = cursor.decode(text);
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
  expires_at,
  ...bonus
}: ListedBonus) {
  return {
    ...bonus,
    status_at: momentText(status_at),
    granted_at: momentText(at),
    turned_real_at: momentTextOrNull(turned_real_at),
    expires_at: momentTextOrNull(expires_at),
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
