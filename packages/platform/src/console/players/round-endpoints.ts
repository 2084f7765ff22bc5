import { Type } from 'typebox';
import { roundSources, roundStatuses } from '../../derive/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

const Text = Nullable(Type.String());

const Amounts = Type.Object({
  currency: Type.String(),
  bet: Type.String({ description: 'All parts: real, bonus and locked', examples: ['12.50'] }),
  real_bet: Money,
  bonus_bet: Money,
  locked_bet: Money,
  win: Money,
  real_win: Money,
  bonus_win: Money,
  locked_win: Money,
  result: Type.String({ description: 'win - bet: negative where the player lost', examples: ['-2.50'] }),
});

const Activity = Type.Object({
  activity_id: Type.String(),
  type: Type.Enum(['Bet', 'Win', 'Loss']),
  status: Type.Enum(['Approved', 'Rollback']),
  resolution: Type.Enum(['in_force', 'rolled_back', 'superseded', 'orphan'], {
    description:
      'in_force: it counts, or takes out what it rolls back. rolled_back: taken out. superseded: another event of its key with other money stands. orphan: a Rollback that takes out nothing',
  }),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  real: Money,
  bonus: Money,
  locked: Money,
  is_round_end: Type.Boolean(),
  origin: Type.String(),
});

const part = Type.Optional(Money);
const parts = Type.Object({ real_bet: part, bonus_bet: part, real_win: part, bonus_win: part });

const Message = Type.Object({
  timestamp: Moment,
  currency: Type.String({ description: 'Of `user`' }),
  user: parts,
  base: parts,
  device_type: Type.String(),
  origin: Type.String(),
});

const roundFields = {
  vendor_id: Type.String(),
  game_id: Type.String(),
  round_id: Type.String(),
  status: Type.Enum(roundStatuses, {
    description: 'void: all of it was taken back. unplayed: nothing but rollbacks and contradictions',
  }),
  source: Type.Enum(roundSources, { description: 'The endpoints that tell of it' }),
  first_at: Moment,
  last_at: Moment,
  bet_count: Type.Integer(),
  win_count: Type.Integer(),
  base: Nullable(Amounts),
  user: Nullable(Amounts),
  multiplier: Nullable(Type.String({ description: 'win / bet, to four digits', examples: ['3.6'] })),
  unpriced: Type.Boolean({
    description: 'Counts without amounts: its message is in a currency of which no rate is known',
  }),
  conflicts: Type.Integer({ description: 'Versions that lost against another one because their money differs' }),
  orphans: Type.Integer({ description: 'Rollbacks that take out nothing' }),
  device_type: Text,
  origin: Text,
  activities: Type.Array(Activity, { description: 'In the order of their timestamps, repeats left out' }),
  messages: Type.Array(Message, { description: 'Versions of its game round message; the first one stands' }),
};

const openLongerThan = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 5_256_000, description: 'Minutes: only open rounds that began before' }),
);
const Id = Type.Optional(Type.String({ maxLength: 255 }));

export const listRoundsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/rounds',
  tag: 'Players',
  summary: 'Rounds of casino games of a player with their activities, the newest first',
  description:
    '`base` is in the base currency, as it counts in traits, and null while that cannot be told; `user` is in the currency of the player, and null where a round knows several.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      status: Type.Optional(Type.Enum(roundStatuses)),
      open_longer_than: openLongerThan,
      vendor_id: Id,
      game_id: Id,
      round_id: Id,
      source: Type.Optional(
        Type.Enum(roundSources, { description: 'casino or gameround: rounds without a partner at the other endpoint' }),
      ),
      orphan: Type.Optional(Type.Boolean({ description: 'Only those with, or without, an orphaned Rollback' })),
      conflicting: Type.Optional(Type.Boolean({ description: 'Only those with, or without, conflicts' })),
      unpriced: Type.Optional(Type.Boolean()),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Object(roundFields)),
});

export const listBrandRoundsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rounds',
  tag: 'Players',
  summary: 'Rounds of all players that a person should look at: those without base amounts, and those open for long',
  description:
    'One of unpriced=true and open_longer_than is needed. Ordered by first_at. Beside other brands with many such rounds a page may hold fewer items than asked for, even none, although there are more: only `next` tells the end.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      unpriced: Type.Optional(Type.Boolean()),
      open_longer_than: openLongerThan,
      vendor_id: Id,
      game_id: Id,
      order: Type.Enum(['newest', 'oldest'], { default: 'newest', description: 'Which of them come first' }),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Object({ user_id: Type.String(), player_id: Type.Integer(), ...roundFields })),
});
