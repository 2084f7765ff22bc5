import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  personalTraits,
  readTraits,
  readWindow,
  type TraitReading,
  usualWindows,
  type Window,
  windowsInWords,
} from '../../derive/index.ts';
import { lookUps } from '../../operator/calling/index.ts';
import { readSyncedPlayer, requestRefresh } from '../../operator/players/index.ts';
import { mask, maskProfile } from '../access/masking.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentSegmentationTraits } from '../segmentation/player-traits.ts';
import { emailSearchFrom, refreshPlayer, searchPlayersEndpoint, showPlayer } from './endpoints.ts';
import { knownPlayer } from './known-player.ts';
import { presentBlock, presentConsent, presentProfile, presentSync } from './present-player.ts';
import { type PlayerFound, searchPlayers } from './store.ts';

const cursor = new CursorCodec('players', Type.String());

export function playerRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, searchPlayersEndpoint, async ({ access, brand, query }) => {
    const { search: text, limit } = query;
    const unmasked = access.may('personal.read', brand);
    const after = query.cursor === undefined ? null : cursor.decode(query.cursor);
    // Who may not see e-mails may not guess them letter by letter either.
    const email = unmasked && text.length >= emailSearchFrom;
    const rows = await searchPlayers(pool, brand.brand_id, { text, email }, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.user_id));
    return { items: items.map((player) => presentFound(player, unmasked)), next };
  });

  serve(app, showPlayer, async ({ access, brand, params, query }) => {
    const windows = windowsOf(query.windows);
    const { player_id, user_id } = await knownPlayer(pool, brand, params.user_id);
    const { base_currency, time_zone } = brand.settings;
    const synced = await readSyncedPlayer(pool, player_id);
    const { registration_date = null, birth_date = null } = synced.profile ?? {};
    const described = { player_id, time_zone, registration_date, birth_date };
    const traits = await readTraits(pool, described, clock(), windows);
    const unmasked = access.may('personal.read', brand);
    return {
      user_id,
      player_id,
      profile: synced.profile && presentProfile(synced.profile, unmasked),
      consents: synced.consents.map(presentConsent),
      blocks: synced.blocks.map((block) => presentBlock(block, unmasked)),
      traits: {
        ...Object.fromEntries(
          Object.entries(traits).map(([name, trait]) => [
            name,
            presentTrait(unmasked || !personalTraits.has(name) ? trait : maskTrait(trait), base_currency),
          ]),
        ),
        ...(await presentSegmentationTraits(pool, brand, synced.profile, clock())),
      },
      sync: presentSync(synced.sync),
    };
  });

  serve(app, refreshPlayer, async ({ access, brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    if (brand.operator === null) throw new Refused('conflict', 'the brand has no operator to ask');
    await requestRefresh(pool, player);
    const subject = `player ${player.player_id}`;
    await record(deps, access, { action: 'player.refresh_requested', brand, subject });
    return { requested: [...lookUps], requested_at: momentText(clock()) };
  });
}

function presentFound(player: PlayerFound, unmasked: boolean) {
  const { player_id, user_id, created_at, ...details } = player;
  return { player_id, user_id, created_at: momentText(created_at), ...(unmasked ? details : maskProfile(details)) };
}

function maskTrait(trait: TraitReading): TraitReading {
  return trait.value === null ? trait : { ...trait, value: mask };
}

/** Amounts carry their currency; moments leave as text, as everywhere in the API. */
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
    const message = `${name} is no window: ${windowsInWords}`;
    throw new Refused('invalid_request', message, { errors: [{ path: 'windows', rule: 'window', message }] });
  });
}
