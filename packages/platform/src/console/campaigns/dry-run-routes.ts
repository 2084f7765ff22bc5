import { checkCampaign } from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { knownTo, nextOfAudience, readCampaigns, readVersions } from '../../campaigns/index.ts';
import { dryRun } from '../../scenarios/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { dryRunEndpoint } from './dry-run-endpoint.ts';
import { presentEntry } from './timeline.ts';

const codec = new CursorCodec('players of a dry run', Type.Integer());
const usualPlayers = 5;
const usualLength = 30 * 86_400_000_000;
const lockNotAvailable = '55P03';

export function dryRunRoutes(app: FastifyInstance, { pool, clock, ledger, brands }: ConsoleDeps): void {
  const rules = new PlatformRules({ pool });
  const deps = { pool, brands, rules, ledger };

  serve(app, dryRunEndpoint, async ({ access, brand, params: { code }, body }) => {
    const { user_id, players = usualPlayers, after, version: wanted } = body;
    const at = clock();
    const unmasked = access.may('personal.read', brand);
    const until = readMoment('until', body.until) ?? at + usualLength;
    rules.forget();
    const { campaign, version } = await versionToTry(deps.pool, brand, code, wanted);
    const { brand_id } = brand;
    const { campaign_id, share } = campaign;
    const runnable = { ...version, campaign_id, brand_id, code };
    const chosen =
      user_id === undefined
        ? await nextOfAudience(
            deps,
            { brand, version: runnable, at },
            { after: codec.decode(after) ?? 0, limit: players },
          )
        : { players: [(await knownPlayer(pool, brand, user_id)).player_id], next: null };
    const names = await userIds(chosen.players);
    const items = [];
    for (const player of names) {
      const tried = await refusing(() => dryRun(deps, { brand, version: runnable, share, player, at, until }));
      items.push({
        user_id: tried.user_id,
        enters: tried.refusal === null,
        reason: tried.refusal,
        has_cause: tried.hasCause,
        timeline: tried.timeline.map((entry) => presentEntry(entry, unmasked)),
      });
    }
    const next = chosen.next === null ? null : codec.encode(chosen.next);
    return { version: version.version, state: version.state, until: momentText(until), items, next };
  });

  async function userIds(players: readonly number[]) {
    const { rows } = await pool.query<{ player_id: number; user_id: string }>(
      'select player_id, user_id from player where player_id = any($1::bigint[]) and erased_at is null order by player_id',
      [players],
    );
    return rows;
  }
}

/**
 * Returns the version to try: the wanted one; by default the draft, or the published version if there is no draft.
 *
 * @throws {Refused} if there is no such version, or it has errors
 */
export async function versionToTry(
  pool: ConsoleDeps['pool'],
  brand: Brand,
  code: string,
  wanted?: 'draft' | 'published',
) {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw notFound('campaign', code);
  const versions = await readVersions(pool, [campaign.campaign_id]);
  const find = (state: string) => versions.find((one) => one.state === state);
  const version = wanted === undefined ? (find('draft') ?? find('published')) : find(wanted);
  if (version === undefined)
    throw new Refused('not_found', {
      en: `campaign ${code} has no ${wanted ?? 'version'}`,
      de: `Die Kampagne ${code} hat keine solche Version`,
    });
  const errors = checkCampaign(version.document, await knownTo(pool, brand));
  if (errors.length > 0)
    throw new Refused(
      'invalid_request',
      { en: 'the campaign has errors', de: 'Die Kampagne hat Fehler' },
      {
        errors: errors.map((one) => ({ ...one, rule: 'campaign' })),
      },
    );
  return { campaign, version };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable)
      throw new Refused('conflict', {
        en: 'the player is locked; retry',
        de: 'Der Spieler ist gesperrt; versuchen Sie es erneut',
      });
    throw error;
  }
}
