import { eventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { marksOf, positionName, readNamedRounds, roundStatuses } from '../../derive/index.ts';
import { type HistoryFilter, playerHash } from '../../ledger/index.ts';
import { maskProfile } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeEvent, readStored } from '../feed/described-event.ts';
import { positionText } from '../feed/position.ts';
import { Summary } from '../feed/schemas.ts';
import { withGameNames } from '../feed/with-game-names.ts';
import { readGameNames } from '../games/game-names.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { presentRound, roundFields } from '../players/round-routes.ts';
import { playersByUserId } from '../players/store.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { firstOfEach } from './first-of-each.ts';

/*
 * The players and game rounds that are active now, by their latest event.
 *
 * Neither players nor rounds have an index by time over a brand. None is needed, because the newest events of the
 * ledger name them. A page reads `limit` events and returns their players or rounds, so its cost does not depend on the
 * number of players and rounds.
 */

const Text = Nullable(Type.String());

const paging =
  'A page reads `limit` events, so it may contain fewer items, or none, although there are more. Only `next` shows the end. An item may appear again on a later page, with an older event.';

const latest = {
  position: Type.String({ description: 'Of its latest event in the ledger: GET .../feed/:position' }),
  received_at: Moment,
};

export const latestPlayers = endpoint({
  method: 'GET',
  path: '/brands/:brand/latest/players',
  tag: 'Feed',
  summary: 'Players by their latest event, the newest first',
  description: paging,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      kind: Type.Optional(Type.Enum(eventKinds, { description: 'Only events of this kind' })),
      country: Type.Optional(Type.String({ maxLength: 2 })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      ...latest,
      kind: Type.Enum(eventKinds),
      summary: Nullable(Summary),
      user_id: Type.String(),
      player_id: Nullable(Type.Integer({ description: 'null: the first event of the player is not derived yet' })),
      first_name: Text,
      last_name: Text,
      country: Text,
      excluded: Type.Boolean(),
      blocked: Type.Boolean(),
    }),
  ),
});

export const latestRounds = endpoint({
  method: 'GET',
  path: '/brands/:brand/latest/rounds',
  tag: 'Feed',
  summary: 'Rounds of casino games by their latest event, the newest first',
  description: paging,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String()),
      vendor_id: Type.Optional(Type.String()),
      game_id: Type.Optional(Type.String()),
      status: Type.Optional(Type.Enum(roundStatuses)),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      ...latest,
      user_id: Type.String(),
      player_id: Type.Integer(),
      ...roundFields,
    }),
  ),
});

const cursor = new CursorCodec('latest', Type.String());

export function latestRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, ledger, clock } = deps;

  /** A page of the ledger with derive's verdicts on its events. */
  async function newest(
    brand: Brand,
    filter: Omit<HistoryFilter, 'brand_id'>,
    query: { limit: number; cursor?: string },
  ) {
    const before = cursor.decode(query.cursor);
    const { events, next } = await ledger.newest({ brand_id: brand.brand_id, ...filter }, query.limit, before);
    const marks = await marksOf(pool, events);
    return { events, marks, next: next && cursor.encode(next) };
  }

  serve(app, latestPlayers, async ({ access, brand, query, language }) => {
    const { kind, country } = query;
    const { events, marks, next } = await newest(brand, kind === undefined ? {} : { kinds: [kind] }, query);
    const now = clock();
    const described = events.map((event) =>
      describeEvent(event, marks.get(positionName(event.position)), { brand, now }),
    );
    const found = await withGameNames(
      pool,
      brand.brand_id,
      firstOfEach(described, ({ user_id }) => user_id),
    );
    const ids = found.flatMap(({ user_id }) => user_id ?? []);
    const players = await playersByUserId(pool, brand.brand_id, ids);
    const unmasked = access.may('personal.read', brand);
    const items = found.flatMap(({ user_id, position, received_at, kind, summary }) => {
      if (user_id === null) return [];
      const {
        player_id = null,
        first_name = null,
        last_name = null,
        country = null,
        excluded = false,
        blocked = false,
      } = players.get(user_id) ?? {};
      const names = { first_name, last_name, country };
      const latest = { position, received_at: momentText(received_at), kind, summary: summary?.(language) ?? null };
      return { ...latest, user_id, player_id, excluded, blocked, ...(unmasked ? names : maskProfile(names)) };
    });
    return { items: items.filter((item) => country === undefined || item.country === country), next };
  });

  serve(app, latestRounds, async ({ brand, query }) => {
    const { user_id, vendor_id, game_id, status } = query;
    const player = user_id === undefined ? {} : { player_hash: playerHash(brand.brand_id, user_id) };
    const { events, marks, next } = await newest(brand, { kinds: ['casino', 'gameround'], ...player }, query);
    const played = events.flatMap((stored) => {
      const { event } = readStored(stored, brand);
      const player_id = marks.get(positionName(stored.position))?.player_id ?? null;
      // Events that derive has not processed yet appear as rounds a moment later.
      if (event === null || player_id === null || (event.kind !== 'casino' && event.kind !== 'gameround')) return [];
      const { user_id, vendor_id, game_id, round_id } = event;
      const { position, received_at } = stored;
      return { player_id, user_id, vendor_id, game_id, round_id, position: positionText(position), received_at };
    });
    const wanted = played.filter(
      (one) =>
        (user_id === undefined || one.user_id === user_id) &&
        (vendor_id === undefined || one.vendor_id === vendor_id) &&
        (game_id === undefined || one.game_id === game_id),
    );
    const named = firstOfEach(wanted, (one) =>
      JSON.stringify([one.player_id, one.vendor_id, one.game_id, one.round_id]),
    );
    const { base_currency } = brand.settings;
    const [rounds, namesOf] = await Promise.all([
      readNamedRounds(pool, { base_currency }, named),
      readGameNames(pool, brand.brand_id, named),
    ]);
    const items = named.flatMap(({ user_id, player_id, position, received_at, ...ids }, place) => {
      const round = rounds[place];
      if (round === undefined || (status !== undefined && round.status !== status)) return [];
      const latest = { position, received_at: momentText(received_at) };
      return { ...latest, user_id, player_id, ...presentRound(round), ...namesOf(ids) };
    });
    return { items, next };
  });
}
