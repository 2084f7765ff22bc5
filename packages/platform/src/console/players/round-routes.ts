import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedRound, listBrandRounds, listRounds, roundSources, roundStatuses } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { readGameNames } from '../games/game-names.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  BrandParams,
  MicrosShape,
  Moment,
  Money,
  momentText,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

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
  result: Type.String({ description: 'win - bet. Negative if the player lost', examples: ['-2.50'] }),
});

const Activity = Type.Object({
  activity_id: Type.String(),
  type: Type.Enum(['Bet', 'Win', 'Loss']),
  status: Type.Enum(['Approved', 'Rollback']),
  resolution: Type.Enum(['in_force', 'rolled_back', 'superseded', 'orphan'], {
    description:
      'in_force: it counts, or its rollback takes effect. rolled_back: cancelled by a rollback. superseded: another event of its key with different money is in force. orphan: a Rollback without effect',
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
  currency: Type.String({ description: 'Currency of the amounts in `user`' }),
  user: parts,
  base: parts,
  device_type: Type.String(),
  origin: Type.String(),
});

export const roundFields = {
  vendor_id: Type.String(),
  vendor_name: Text,
  game_id: Type.String(),
  game_name: Text,
  round_id: Type.String(),
  status: Type.Enum(roundStatuses, {
    description: 'void: completely rolled back. unplayed: only rollbacks and contradictions',
  }),
  source: Type.Enum(roundSources, { description: 'The endpoints that reported it' }),
  first_at: Moment,
  last_at: Moment,
  bet_count: Type.Integer(),
  win_count: Type.Integer(),
  base: Nullable(Amounts),
  user: Nullable(Amounts),
  multiplier: Nullable(Type.String({ description: 'win / bet, rounded to four digits', examples: ['3.6'] })),
  unpriced: Type.Boolean({
    description: 'Counts without amounts, because its message is in a currency without a known rate',
  }),
  conflicts: Type.Integer({ description: 'Versions with different money that are not in force' }),
  orphans: Type.Integer({ description: 'Rollbacks without effect' }),
  device_type: Text,
  origin: Text,
  activities: Type.Array(Activity, { description: 'Ordered by timestamp, without repeats' }),
  messages: Type.Array(Message, { description: 'Versions of its game round message. The first one is in force' }),
};

const openLongerThan = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 5_256_000,
    description: 'Only rounds that have been open for longer than this number of minutes',
  }),
);

const Id = Type.Optional(Type.String({ maxLength: 255 }));

export const listRoundsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/rounds',
  tag: 'Players',
  summary: 'Rounds of casino games of a player with their activities, newest first',
  description:
    "`base` is in the base currency, as used in traits, and null if it is unknown. `user` is in the player's currency, and null if the round has several currencies.",
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
        Type.Enum(roundSources, { description: 'casino or gameround: rounds that the other endpoint did not report' }),
      ),
      orphan: Type.Optional(Type.Boolean({ description: 'Filter by an orphaned Rollback' })),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
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
  summary: 'Rounds of all players that need attention: without base amounts, or open for long',
  description:
    'Requires unpriced=true or open_longer_than. Ordered by first_at. If other brands have many such rounds, a page may have fewer items than requested, or none, although there are more. Only a null `next` marks the end.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      unpriced: Type.Optional(Type.Boolean()),
      open_longer_than: openLongerThan,
      vendor_id: Id,
      game_id: Id,
      order: Type.Enum(['newest', 'oldest'], { default: 'newest', description: 'Order by first_at' }),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Object({ user_id: Type.String(), player_id: Type.Integer(), ...roundFields })),
});

/** The token of derive's list, which derive validates. */
const cursor = new CursorCodec('rounds', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9]{1,16}$' }));

/** The cursor includes the sort order, because a position is valid in one order only. */
const brandCursor = new CursorCodec(
  'brand-rounds',
  Type.Object({
    order: Type.Enum(['newest', 'oldest']),
    first_at: MicrosShape,
    player_id: Type.Integer({ minimum: 1 }),
    round_key: Type.Integer({ minimum: 0 }),
  }),
);

const minute = 60_000_000;

export function roundRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listRoundsEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: after, from, to, open_longer_than, ...rest } = query;
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const age = open_longer_than === undefined ? {} : { open_since: clock() - open_longer_than * minute };
    const before = cursor.decode(after);
    const player = { player_id, base_currency: brand.settings.base_currency };
    const rows = await listRounds(pool, player, { ...rest, ...bounds, ...age }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    const namesOf = await readGameNames(pool, brand.brand_id, items);
    return { items: items.map(({ token: _, ...round }) => ({ ...presentRound(round), ...namesOf(round) })), next };
  });

  serve(app, listBrandRoundsEndpoint, async ({ brand, query }) => {
    const { limit, order, unpriced, open_longer_than, vendor_id, game_id } = query;
    if (unpriced !== true && open_longer_than === undefined) {
      const message = {
        en: 'unpriced=true or open_longer_than is required; other rounds are listed only by player',
        de: 'unpriced=true oder open_longer_than ist erforderlich; andere Runden werden nur je Spieler aufgelistet',
      };
      throw refusedField('unpriced', 'required', message);
    }
    const after = brandCursor.decode(query.cursor);
    if (after !== undefined && after.order !== order) {
      throw new Refused('invalid_request', {
        en: 'the cursor belongs to the other order',
        de: 'Der Cursor gehört zu einer anderen Sortierung',
      });
    }
    const open_since = open_longer_than === undefined ? undefined : clock() - open_longer_than * minute;
    const owner = { brand_id: brand.brand_id, base_currency: brand.settings.base_currency };
    const filter = { unpriced, open_since, vendor_id, game_id };
    const { rounds, next } = await listBrandRounds(pool, owner, filter, { limit, order, after });
    const namesOf = await readGameNames(pool, brand.brand_id, rounds);
    const items = rounds.map((round) => ({ ...presentRound(round), ...namesOf(round) }));
    return { items, next: next && brandCursor.encode({ order, ...next }) };
  });
}

export function presentRound<R extends Omit<ListedRound, 'token'>>({
  first_at,
  last_at,
  activities,
  messages,
  ...round
}: R) {
  return {
    ...round,
    first_at: momentText(first_at),
    last_at: momentText(last_at),
    activities: activities.map(({ timestamp, fingerprint: _, day: __, ...activity }) => ({
      ...activity,
      timestamp: momentText(timestamp),
    })),
    messages: messages.map(({ timestamp, fingerprint: _, day: __, ...message }) => ({
      ...message,
      timestamp: momentText(timestamp),
    })),
  };
}
