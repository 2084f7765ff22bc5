import { checkCampaign, type RunState } from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  absentOf,
  countRuns,
  knownTo,
  type ListedRun,
  listOutcomes,
  listRuns,
  listStarts,
  mostStepRecords,
  type OutcomePlace,
  policyGapsOf,
  readCampaignPage,
  readCampaigns,
  readStepRecords,
  readVersions,
  type StoredCampaign,
  templateGaps,
  warningsOf,
} from '../../campaigns/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { errorsIn } from '../language/translate.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { NamedPlace, namedPageOf, pageFrom } from '../paging/page.ts';
import { RowLimit } from '../paging/row-limit.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import * as endpoints from './endpoints.ts';
import { presentCampaign, presentRun, presentStart, presentVersion, type WholeCampaign } from './present.ts';

const campaignCodec = new CursorCodec('campaigns', NamedPlace);
const runCodec = new CursorCodec('campaign runs', Type.Integer());
const startCodec = new CursorCodec('starts', Type.Object({ due_at: Type.Integer(), local: Type.String() }));
const withheldCodec = new CursorCodec('withheld effects', Type.Tuple([Type.Integer(), Type.String()]));

export function campaignRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  const rules = new PlatformRules({ pool });

  serve(app, endpoints.listCampaignsEndpoint, async ({ brand, language, query }) => {
    const { state, awaits_approval: awaitsApproval } = query;
    const page = { state, awaitsApproval, ...namedPageOf(query, campaignCodec) };
    const rows = await readCampaignPage(pool, brand.brand_id, page);
    const { items, next } = pageFrom(rows, query.limit, ({ name: last, code }) =>
      campaignCodec.encode({ name: last, code }),
    );
    return { items: (await wholeCampaigns(pool, items)).map((one) => presentCampaign(one, language)), next };
  });

  serve(app, endpoints.readCampaignEndpoint, async ({ brand, params, language }) => {
    const [whole] = await wholeCampaigns(pool, [await known(brand, params.code)]);
    return presentCampaign(whole as WholeCampaign, language);
  });

  serve(app, endpoints.listCampaignVersionsEndpoint, async ({ brand, params, language }) => {
    const { campaign_id } = await known(brand, params.code);
    const [versions, counts] = await Promise.all([readVersions(pool, [campaign_id]), countRuns(pool, [campaign_id])]);
    const ended = ({ done, goal_reached, exited, failed }: (typeof counts)[number]) =>
      done + goal_reached + exited + failed;
    const running = new Map(counts.map((one) => [one.version_id, one.entered - ended(one)]));
    const items = versions.map((one) => ({
      ...presentVersion(one, language),
      running: running.get(one.version_id) ?? 0,
    }));
    return { items, next: null };
  });

  serve(app, endpoints.campaignGapsEndpoint, async ({ brand, params, language }) => {
    const { campaign_id } = await known(brand, params.code);
    const versions = await readVersions(pool, [campaign_id]);
    const version =
      versions.find(({ state }) => state === 'draft') ?? versions.find(({ state }) => state === 'published');
    if (version === undefined) return { templates: [], absent: [], policies: [], warnings: [] };
    const errors = checkCampaign(version.document, await knownTo(pool, brand));
    if (errors.length > 0)
      throw new Refused(
        'invalid_request',
        { en: 'the draft has errors', de: 'Der Entwurf hat Fehler' },
        {
          errors: errors.map((one) => ({ ...one, rule: 'campaign' })),
        },
      );
    rules.forget();
    const reading = { rules, brand, at: clock() };
    return {
      templates: await templateGaps(pool, reading, version.document),
      absent: await absentOf(pool, reading, version.document),
      policies: await policyGapsOf(pool, reading, version.document),
      warnings: errorsIn(warningsOf(brand, version.document, reading.at), language),
    };
  });

  serve(app, endpoints.listCampaignRunsEndpoint, async ({ brand, params, query: { limit, cursor, state } }) => {
    const { campaign_id } = await known(brand, params.code);
    const before = runCodec.decode(cursor);
    const states = state === 'running' ? openRunStates : state && [state];
    return runPage(brand, await listRuns(pool, { campaign_id }, { before, states, limit: limit + 1 }), limit);
  });

  serve(app, endpoints.listPlayerRunsEndpoint, async ({ brand, params, query: { limit, cursor } }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const before = runCodec.decode(cursor);
    return runPage(brand, await listRuns(pool, { player_id }, { before, limit: limit + 1 }), limit);
  });

  serve(app, endpoints.readRunEndpoint, async ({ brand, params: { run_id } }) => {
    const [shown] = await presented(brand, await listRuns(pool, { run_id }, { limit: 1 }));
    if (shown === undefined) throw notFound('run', run_id);
    return shown;
  });

  serve(app, endpoints.listCampaignWithheldEndpoint, async ({ brand, params, query: { limit, cursor } }) => {
    const campaign = await known(brand, params.code);
    const before = withheldCodec.decode(cursor);
    // Lists the same rows that the results count, because both answers read one relation.
    const filter = { outcome: 'withheld' } as const;
    const rows = await listOutcomes(pool, campaign, filter, { before: before as OutcomePlace, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ run_id, step }) => withheldCodec.encode([run_id, step ?? '']));
    return { items: items.map((row) => ({ ...row, step: row.step ?? '', at: momentText(row.at) })), next };
  });

  serve(app, endpoints.listCampaignStartsEndpoint, async ({ brand, params, query: { limit, cursor } }) => {
    const { campaign_id } = await known(brand, params.code);
    const before = startCodec.decode(cursor);
    const rows = await listStarts(pool, campaign_id, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ due_at, local }) => startCodec.encode({ due_at, local }));
    return { items: items.map(presentStart), next };
  });

  async function known(brand: Brand, code: string): Promise<StoredCampaign> {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
    if (campaign === undefined) throw notFound('campaign', code);
    return campaign;
  }

  async function runPage(brand: Brand, rows: readonly ListedRun[], limit: number) {
    const { items, next } = pageFrom(rows, limit, ({ run_id }) => runCodec.encode(run_id));
    return { items: await presented(brand, items), next };
  }

  /** Presents these runs. Runs of campaigns of other brands are left out. */
  async function presented(brand: Brand, runs: readonly ListedRun[]) {
    const campaigns = new Map((await readCampaigns(pool, brand.brand_id)).map((one) => [one.campaign_id, one.code]));
    const own = runs.filter(({ campaign_id }) => campaigns.has(campaign_id));
    const versions = await readVersions(pool, [...new Set(own.map(({ campaign_id }) => campaign_id))]);
    const numberOf = new Map(versions.map(({ version_id, version }) => [version_id, version]));
    const runIds = own.map(({ run_id }) => run_id);
    const limit = new RowLimit(mostStepRecords);
    const read = limit.keep(await readStepRecords(pool, runIds, limit.requested));
    const records = Map.groupBy(read, ({ run_id }) => run_id);
    return own.map((run) =>
      presentRun(run, {
        campaign: campaigns.get(run.campaign_id) ?? '',
        version: numberOf.get(run.version_id) ?? 0,
        records: records.get(run.run_id) ?? [],
        areRecordsCut: limit.isExceeded,
      }),
    );
  }
}

/** The states of runs that have not ended. */
const openRunStates: readonly RunState[] = ['active', 'waiting', 'held'];

export async function wholeCampaigns(
  pool: ConsoleDeps['pool'],
  campaigns: readonly StoredCampaign[],
): Promise<WholeCampaign[]> {
  const ids = campaigns.map(({ campaign_id }) => campaign_id);
  const [versions, counts] = await Promise.all([readVersions(pool, ids), countRuns(pool, ids)]);
  return campaigns.map((campaign) => {
    const own = counts.filter(({ campaign_id }) => campaign_id === campaign.campaign_id);
    const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((all, one) => all + of(one), 0);
    return {
      campaign,
      versions: versions.filter(({ campaign_id }) => campaign_id === campaign.campaign_id),
      entered: sum(({ entered }) => entered),
      running: sum(({ waiting, held }) => waiting + held),
    };
  });
}
