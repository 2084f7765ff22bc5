import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import type { Access } from '../access/access.ts';
import { maskProfile } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { defaultPage, largestPage, PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { chosenFields, chosenQuery, chosenTraits, pick } from './chosen.ts';
import { presentProfile } from './present-player.ts';
import { Profile, Text } from './schemas.ts';
import { type PersonalSearch, searchPlayers, ways } from './search.ts';
import { requireTraits, shownTraits, Trait, windowsIn } from './shown-traits.ts';
import type { PlayerFound } from './store.ts';

/** Minimum number of letters for a search by e-mail or name: fewer would match half of the players. */
const personalSearchFrom = 3;

const playerFound = {
  player_id: Type.Integer(),
  user_id: Type.String(),
  email: Text,
  first_name: Text,
  last_name: Text,
  country: Text,
  created_at: Moment,
};

const PlayersFound = PageOf(
  Type.Object({
    ...playerFound,
    profile: Type.Optional(Nullable(Type.Partial(Profile))),
    traits: Type.Optional(Type.Record(Type.String(), Trait, { description: 'Only with `traits`' })),
  }),
);

export const searchPlayersEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players',
  tag: 'Players',
  summary: 'Players by prefix of their user_id',
  description:
    'POST players/find searches e-mails, phone numbers and names: personal data must not appear in addresses, which logs and histories keep.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    { search: Type.String({ default: '', maxLength: 255 }), ...chosenQuery, ...pageQuery },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PlayersFound,
});

export const findPlayersEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/find',
  tag: 'Players',
  summary:
    'Players by the beginning of their user_id, e-mail or a word of their name, or by the end of their phone number',
  description: `With \`personal.read\`, e-mails and names (\`ann berg\` or \`berg ann\`) match by their beginning, from ${personalSearchFrom} letters on. The last word of a first or last name also matches by its beginning: \`berg\` finds Van der Berg. Phone numbers match as a whole, with or without the country, or by their last digits, from four digits on. With \`personal.reveal\`, only a complete e-mail or phone number matches. Players found by their user_id come first, then those found by e-mail, phone number, name, and end of the phone number.`,
  may: 'player.read',
  params: BrandParams,
  body: Type.Object(
    {
      search: Type.String({ maxLength: 255 }),
      ...chosenQuery,
      // It has no `default`, because generated clients would then require it.
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: largestPage, description: `Items of a page. Default: ${defaultPage}` }),
      ),
      cursor: pageQuery.cursor,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PlayersFound,
});

const cursor = new CursorCodec(
  'players',
  Type.Object({ way: Type.Enum(ways), user_id: Type.String(), player_id: Type.Integer({ minimum: 0 }) }),
);

interface Search {
  search: string;
  traits?: string;
  fields?: string;
  limit?: number;
  cursor?: string;
}

/** Without permission for personal data, a caller may look up what a player stated, but must not guess data letter by letter. */
function personalSearchOf(access: Access, brand: Brand, text: string): PersonalSearch {
  if (access.may('personal.read', brand)) return text.trim().length >= personalSearchFrom ? 'beginning' : 'none';
  return access.may('personal.reveal', brand) ? 'whole' : 'none';
}

export function playerSearchRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;

  serve(app, searchPlayersEndpoint, ({ access, brand, query }) => found(access, brand, query, 'none'));
  serve(app, findPlayersEndpoint, ({ access, brand, body }) =>
    found(access, brand, body, personalSearchOf(access, brand, body.search)),
  );

  async function found(access: Access, brand: Brand, query: Search, personal: PersonalSearch) {
    const { search: text, limit = defaultPage } = query;
    const names = chosenTraits(query.traits);
    const fields = chosenFields(query.fields);
    if (names) requireTraits(names, brand);
    const unmasked = access.may('personal.read', brand);
    const after = cursor.decode(query.cursor) ?? null;
    const search = { brandId: brand.brand_id, text, personal };
    const rows = await searchPlayers(pool, search, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ way, user_id, player_id }) =>
      cursor.encode({ way, user_id, player_id }),
    );
    const shown = [];
    // Reads the players one after the other, because a page must not use all connections of the pool.
    for (const { way: _, ...player } of items) {
      const found = presentFound(player, unmasked);
      if (names === undefined && fields === undefined) {
        shown.push(found);
        continue;
      }
      const synced = await readSyncedPlayer(pool, player.player_id);
      const traits =
        names && (await shownTraits(deps, brand, player.player_id, synced.profile, unmasked, windowsIn(names)));
      shown.push({
        ...found,
        ...(fields && { profile: synced.profile && pick(presentProfile(synced.profile, unmasked), fields) }),
        ...(names && traits && { traits: pick(traits, names) }),
      });
    }
    return { items: shown, next };
  }
}

function presentFound(player: PlayerFound, unmasked: boolean) {
  const { player_id, user_id, created_at, ...details } = player;
  return { player_id, user_id, created_at: momentText(created_at), ...(unmasked ? details : maskProfile(details)) };
}
