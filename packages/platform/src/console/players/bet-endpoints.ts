import { Type } from 'typebox';
import { betStates } from '../../derive/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

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
  match_start_text: Nullable(Type.String({ description: 'A match_start that is no timestamp, as it was sent' })),
  is_live: Mark,
  is_free_bet: Mark,
  is_risk_free_bet: Mark,
});

const Activity = Type.Object({
  activity_id: Type.String(),
  type: Type.Enum(['Bet', 'Settlement']),
  in_force: Type.Boolean({
    description: 'Approved and not rolled back. A settlement counts when its Bet is in force, too',
  }),
  rolled_back: Type.Boolean(),
  cashout: Type.Boolean(),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  outcomes: Type.Unknown({ description: 'As sent with this activity; null where there are none' }),
  conflicts: Type.Integer(),
});

const Bet = Type.Object({
  bet_id: Type.String({ description: 'activity_id of the Bet' }),
  status: Type.Enum(betStates, {
    description:
      'cashed_out: every settlement so far is a cashout, in whole or in part. rolled_back: the Bet was taken out, with all its settlements. orphan: settlements or rollbacks of a Bet that is not there',
  }),
  timestamp: Moment,
  settled_at: Nullable(Moment),
  bet_type: Text,
  live: Nullable(Type.Boolean({ description: 'At least one selection was live' })),
  free: Nullable(Type.Boolean({ description: 'Nothing but free selections: the stake is bonus money' })),
  risk_free: Nullable(Type.Boolean({ description: 'Nothing but risk-free selections' })),
  odds: Nullable(Type.String({ description: 'As sent, else the product of the selections', examples: ['3.9'] })),
  amount: Nullable(Money),
  currency: Text,
  exchange_rate: Nullable(Money),
  base_amount: Nullable(Money),
  base_payout: Type.String({ description: 'The sum of the settlements that count', examples: ['12.50'] }),
  base_result: Nullable(
    Type.String({ description: 'base_payout - base_amount: negative where the player lost', examples: ['-2.50'] }),
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
      description: 'As sent; masked for callers that may not see personal data',
    }),
  ),
  orphans: Type.Integer({ description: 'Settlements and rollbacks without their counterpart' }),
  conflicts: Type.Integer({ description: 'Versions that lost against another one because their money differs' }),
  activities: Type.Array(Activity, { description: 'The Bet and its settlements, the oldest first, at most 100' }),
});

export const listBetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/bets',
  tag: 'Players',
  summary: 'Sports bets of a player with their selections and settlements, the newest first',
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
          description: 'Only those with, or without, settlements or rollbacks without their counterpart',
        }),
      ),
      conflicting: Type.Optional(Type.Boolean({ description: 'Only those with, or without, conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Bet),
});
