import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readNextOfferExpiry } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { readMessageCounts } from '../../channels/index.ts';
import {
  personalTraits,
  readTraits,
  readWindow,
  type TraitReading,
  usualWindows,
  type Window,
  windowsInWords,
} from '../../derive/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { type Profile as PlayerProfile, readSyncedPlayer, requestRefresh } from '../../operator/players/index.ts';
import type { Access } from '../access/access.ts';
import { mask, maskProfile } from '../access/masking.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { defaultPage, largestPage, PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable, PlayerParams } from '../routing/fields.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentSegmentationTraits } from '../segmentation/player-traits.ts';
import { knownPlayer } from './known-player.ts';
import { presentBlock, presentConsent, presentProfile, presentSync } from './present-player.ts';
import { type PersonalSearch, searchPlayers, ways } from './search.ts';
import type { PlayerFound } from './store.ts';

const Text = Nullable(Type.String());

const Flag = Nullable(Type.Boolean());

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

/** The user details record of docs/reference/interface.md; each field is null until the operator has sent it. */
export const Profile = Type.Object({
  address: Text,
  birth_date: Text,
  city: Text,
  country: Text,
  currency: Text,
  email: Text,
  first_name: Text,
  is_blocked: Flag,
  is_excluded: Flag,
  language: Text,
  last_name: Text,
  mobile: Text,
  mobile_prefix: Text,
  origin: Text,
  postal_code: Text,
  roles: Nullable(Type.Array(Type.String())),
  sex: Text,
  title: Text,
  username: Text,
  verified_at: Nullable(Moment),
  registration_code: Text,
  registration_date: Nullable(Moment),
  affiliate_reference: Text,
  market: Text,
  segmentation: Type.Record(Type.String(), Type.Unknown()),
  extra: Type.Record(Type.String(), Type.Unknown(), { description: 'Fields that are not part of the interface' }),
  as_of: Nullable(Moment),
  source: Type.String(),
  older: Type.Record(Type.String(), Moment, {
    description: 'Fields whose last value was unusable, with the time of the value in use',
  }),
  in_doubt: Type.Array(Type.Enum(['is_blocked', 'is_excluded']), {
    description: 'Flags whose last value was not a boolean. They count as true',
  }),
});

const Consent = Type.Object({
  type: Type.String({ examples: ['Email'] }),
  opted_in: Nullable(Type.Boolean({ description: 'Null: unknown. It counts as not given' })),
  in_doubt: Type.Boolean(),
  as_of: Nullable(Moment),
  source: Text,
});

export const Block = Type.Object({
  type: Type.String({ examples: ['Excluded'] }),
  active: Nullable(Type.Boolean()),
  note: Text,
  in_doubt: Type.Boolean({ description: 'The last value was neither true nor false. It counts as in force' }),
  as_of: Nullable(Moment),
  source: Text,
});

const SyncError = Type.Object({
  at: Moment,
  look_up: Type.String(),
  reason: Type.String(),
  detail: Type.String(),
});

const states = ['never', 'waiting', 'refreshing', 'current', 'retrying', 'details_missing'] as const;

const LookUp = Type.Object({
  state: Type.Enum(states),
  as_of: Nullable(Moment),
  attempts: Type.Integer({ description: 'Failures in a row' }),
  due_at: Nullable(Moment),
  failing_since: Nullable(Moment),
  last_error: Nullable(SyncError),
});

const Sync = Type.Object({
  state: Type.Enum(states, { description: 'The worst state of the three look-ups' }),
  last_success: Nullable(Moment),
  last_error: Nullable(SyncError),
  look_ups: Type.Object({ details: LookUp, consents: LookUp, blocks: LookUp }),
  problems: Type.Array(
    Type.Object({
      look_up: Type.String(),
      path: Type.String(),
      reason: Type.String(),
      message: Type.String(),
      since: Moment,
    }),
    { description: 'Parts of the last answers that could not be used' },
  ),
});

const Trait = Type.Object({
  value: Type.Union(
    [
      Type.Boolean(),
      Type.Number(),
      Type.String(),
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
      Type.Null(),
    ],
    {
      description:
        'Counts are numbers, amounts and ratios exact decimal strings, times RFC 3339, breakdowns a value per name. Null: never',
    },
  ),
  unit: Type.String({
    description: '`count`, `ratio`, `days`, `seconds`, `timestamp`, `id`, `text`, or the currency of an amount',
  }),
  as_of: Moment,
});

const chosenQuery = {
  traits: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description:
        'Names of traits, separated by commas: deposit_count,deposit_sum_90d. The name includes the window. At most 50. Without it, a list returns no traits',
    }),
  ),
  fields: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description:
        'Names of profile fields, separated by commas: country,language,verified_at. Without it, a list returns no profile',
    }),
  ),
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

export const showPlayer = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id',
  tag: 'Players',
  summary: 'One player: profile, consents, blocks, traits with windows, state of the synchronization',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      windows: Type.Optional(
        Type.String({
          maxLength: 200,
          description: `Windows of the traits: ${windowsInWords}, separated by commas. Default: 24h,today,7d,30d`,
        }),
      ),
      ...chosenQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({
    user_id: Type.String(),
    player_id: Type.Integer(),
    profile: Nullable(Type.Partial(Profile)),
    consents: Type.Array(Consent),
    blocks: Type.Array(Block),
    traits: Type.Record(Type.String(), Trait),
    sync: Sync,
  }),
});

export const refreshPlayer = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/refresh',
  tag: 'Players',
  summary: 'Refresh details, consents and blocks from the operator now',
  description: 'Returns immediately. `sync` of the player shows when the answers have arrived.',
  may: 'player.refresh',
  conflict: 'The brand has no operator',
  params: PlayerParams,
  status: 202,
  answer: Type.Object({ requested: Type.Array(Type.String()), requested_at: Moment }),
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

export function playerRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, searchPlayersEndpoint, ({ access, brand, query }) => found(access, brand, query, 'none'));
  serve(app, findPlayersEndpoint, ({ access, brand, body }) =>
    found(access, brand, body, personalSearchOf(access, brand, body.search)),
  );

  async function found(access: Access, brand: Brand, query: Search, personal: PersonalSearch) {
    const { search: text, limit = defaultPage } = query;
    const unmasked = access.may('personal.read', brand);
    const after = query.cursor === undefined ? null : cursor.decode(query.cursor);
    const search = { brandId: brand.brand_id, text, personal };
    const rows = await searchPlayers(pool, search, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ way, user_id, player_id }) =>
      cursor.encode({ way, user_id, player_id }),
    );
    const names = chosenTraits(query.traits);
    const fields = chosenFields(query.fields);
    const shown = [];
    // Reads the players one after the other, because a page must not use all connections of the pool.
    for (const { way: _, ...player } of items) {
      const found = presentFound(player, unmasked);
      if (names === undefined && fields === undefined) {
        shown.push(found);
        continue;
      }
      const synced = await readSyncedPlayer(pool, player.player_id);
      const traits = names && (await traitsOf(brand, player.player_id, synced.profile, unmasked, windowsIn(names)));
      shown.push({
        ...found,
        ...(fields && { profile: synced.profile && pick(presentProfile(synced.profile, unmasked), fields) }),
        ...(names && traits && { traits: pickTraits(traits, names, brand) }),
      });
    }
    return { items: shown, next };
  }

  serve(app, showPlayer, async ({ access, brand, params, query }) => {
    const names = chosenTraits(query.traits);
    const fields = chosenFields(query.fields);
    const windows = names === undefined ? windowsOf(query.windows) : windowsIn(names);
    const { player_id, user_id } = await knownPlayer(pool, brand, params.user_id);
    const synced = await readSyncedPlayer(pool, player_id);
    const unmasked = access.may('personal.read', brand);
    const traits = await traitsOf(brand, player_id, synced.profile, unmasked, windows);
    const profile = synced.profile && presentProfile(synced.profile, unmasked);
    return {
      user_id,
      player_id,
      profile: profile && fields ? pick(profile, fields) : profile,
      consents: synced.consents.map(presentConsent),
      blocks: synced.blocks.map((block) => presentBlock(block, unmasked)),
      traits: names === undefined ? traits : pickTraits(traits, names, brand),
      sync: presentSync(synced.sync),
    };
  });

  /** The traits as shown, including the operator's own. */
  async function traitsOf(
    brand: Brand,
    player_id: number,
    profile: PlayerProfile | null,
    unmasked: boolean,
    windows: readonly Window[],
  ) {
    const { base_currency, time_zone } = brand.settings;
    const { registration_date = null, birth_date = null } = profile ?? {};
    const offer_expires_at = await readNextOfferExpiry(pool, player_id, clock());
    const messages = await readMessageCounts(pool, player_id);
    const described = { player_id, time_zone, registration_date, birth_date, offer_expires_at, messages };
    const traits = await readTraits(pool, described, clock(), windows);
    const shown = Object.entries(traits).map(([name, trait]) => [
      name,
      presentTrait(unmasked || !personalTraits.has(name) ? trait : maskTrait(trait), base_currency),
    ]);
    return {
      ...(Object.fromEntries(shown) as Record<string, ReturnType<typeof presentTrait>>),
      ...(await presentSegmentationTraits(pool, brand, profile, clock())),
    };
  }

  serve(app, refreshPlayer, async ({ access, brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    if (brand.operator === null)
      throw new Refused('conflict', { en: 'the brand has no operator', de: 'Die Marke hat keinen Betreiber' });
    await requestRefresh(pool, player);
    const subject = `player ${player.player_id}`;
    await record(deps, access, { action: 'player.refresh_requested', brand, subject });
    return { requested: [...lookUps], requested_at: momentText(clock()) };
  });
}

/** Comma-separated names; undefined if none were chosen. */
function chosen(text: string | undefined, limit: number, path: string): string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(',').filter(Boolean))];
  if (names.length <= limit) return names;
  const message = { en: `at most ${limit} names`, de: `Höchstens ${limit} Namen` };
  throw refusedField(path, 'maxItems', message);
}

const chosenTraits = (text: string | undefined) => chosen(text, 50, 'traits');

function chosenFields(text: string | undefined): string[] | undefined {
  const names = chosen(text, 50, 'fields');
  const wrong = names?.filter((name) => !(name in Profile.properties)) ?? [];
  if (wrong.length === 0) return names;
  const message = {
    en: `the profile has no field ${wrong.join(', ')}`,
    de: `Das Profil hat kein Feld ${wrong.join(', ')}`,
  };
  throw refusedField('fields', 'enum', message);
}

/** The windows at the ends of trait names: deposit_sum_prev_7d has 7d and prev_7d. */
function windowsIn(names: readonly string[]): Window[] {
  const endings = names.flatMap((name) => {
    const words = name.split('_');
    return words.map((_, from) => words.slice(from).join('_'));
  });
  return [...new Set(endings)].map(readWindow).filter((window) => window !== undefined);
}

/** @throws for a name that neither the platform nor the operator's segmentation has */
function pickTraits<T>(traits: Record<string, T>, names: readonly string[], { settings }: Brand): Record<string, T> {
  const mapped = new Set(Object.values(settings.segmentation_traits).map(({ name }) => name));
  // If a player's details do not contain the key, the player lacks the trait, but the name is valid.
  const isOperators = (name: string) => mapped.has(name) || name.startsWith('segmentation_');
  const wrong = names.filter((name) => !Object.hasOwn(traits, name) && !isOperators(name));
  if (wrong.length === 0) return pick(traits, names);
  const message = {
    en: `unknown trait ${wrong.join(', ')}; GET traits lists all traits`,
    de: `Unbekanntes Merkmal ${wrong.join(', ')}; GET traits listet alle Merkmale auf`,
  };
  throw refusedField('traits', 'enum', message);
}

function pick<T extends object>(from: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as T;
}

function presentFound(player: PlayerFound, unmasked: boolean) {
  const { player_id, user_id, created_at, ...details } = player;
  return { player_id, user_id, created_at: momentText(created_at), ...(unmasked ? details : maskProfile(details)) };
}

function maskTrait(trait: TraitReading): TraitReading {
  return trait.value === null ? trait : { ...trait, value: mask };
}

/** Amounts include their currency; times are text, as everywhere in the API. */
function presentTrait({ value, unit, as_of }: TraitReading, baseCurrency: string) {
  return {
    value: unit === 'timestamp' && typeof value === 'number' ? momentText(value) : value,
    unit: unit === 'base_currency' ? baseCurrency : unit,
    as_of: momentText(as_of),
  };
}

function windowsOf(names: string | undefined): readonly Window[] {
  if (names === undefined) return usualWindows;
  return names.split(',').map((name) => {
    const window = readWindow(name);
    if (window !== undefined) return window;
    const message = {
      en: `${name} is not a window; use ${windowsInWords}`,
      de: `${name} ist kein Zeitraum; möglich sind ${windowsInWords}`,
    };
    throw refusedField('windows', 'window', message);
  });
}
