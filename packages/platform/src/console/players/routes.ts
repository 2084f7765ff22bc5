import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { windowsInWords } from '../../derive/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { readSyncedPlayer, requestRefresh } from '../../operator/players/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, momentText, Nullable, PlayerParams } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { chosenFields, chosenQuery, chosenTraits, pick } from './chosen.ts';
import { knownPlayer } from './known-player.ts';
import { presentBlock, presentConsent, presentProfile, presentSync } from './present-player.ts';
import { Block, Consent, Profile, Sync } from './schemas.ts';
import { requireTraits, shownTraits, Trait, windowsIn, windowsOf } from './shown-traits.ts';

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

export function playerRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, showPlayer, async ({ access, brand, params, query, language }) => {
    const names = chosenTraits(query.traits);
    const fields = chosenFields(query.fields);
    if (names) requireTraits(names, brand);
    const windows = names === undefined ? windowsOf(query.windows) : windowsIn(names);
    const { player_id, user_id } = await knownPlayer(pool, brand, params.user_id);
    const synced = await readSyncedPlayer(pool, player_id);
    const unmasked = access.may('personal.read', brand);
    const traits = await shownTraits(deps, brand, player_id, synced.profile, unmasked, windows);
    const profile = synced.profile && presentProfile(synced.profile, unmasked);
    return {
      user_id,
      player_id,
      profile: profile && fields ? pick(profile, fields) : profile,
      consents: synced.consents.map(presentConsent),
      blocks: synced.blocks.map((block) => presentBlock(block, unmasked)),
      traits: names === undefined ? traits : pick(traits, names),
      sync: presentSync(synced.sync, language),
    };
  });

  serve(app, refreshPlayer, async ({ access, brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    if (brand.operator === null)
      throw new Refused('conflict', { en: 'the brand has no operator', de: 'Die Marke hat keinen Betreiber' });
    const subject = `player ${player.player_id}`;
    await transaction(pool, async (tx) => {
      await requestRefresh(tx, player);
      await record(deps, access, { action: 'player.refresh_requested', brand, subject }, tx);
    });
    return { requested: [...lookUps], requested_at: momentText(clock()) };
  });
}
