import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  countRunSteps,
  listRunSteps,
  type RunStepCount,
  readCampaigns,
  readVersions,
  type StepState,
} from '../../campaigns/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { listCampaignStepsEndpoint, listStepPlayersEndpoint } from './step-endpoints.ts';

const codec = new CursorCodec('players at a step', Type.Integer());

/** Counts of a campaign's runs by step, and the players behind each count. */
export function campaignStepRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listCampaignStepsEndpoint, async ({ brand, params }) => {
    const { campaign, numberOf } = await versionsOf(brand, params.code);
    const items = byStep(await countRunSteps(pool, campaign.campaign_id)).map(({ version_id, ...counts }) => ({
      version: numberOf.get(version_id) ?? 0,
      ...counts,
    }));
    return { items, next: null };
  });

  serve(app, listStepPlayersEndpoint, async ({ brand, params, query: { limit, cursor, version, ...filter } }) => {
    const { campaign, numberOf } = await versionsOf(brand, params.code);
    const version_id = [...numberOf].find(([, number]) => number === version)?.[0];
    if (version !== undefined && version_id === undefined)
      throw new Refused('not_found', {
        en: `version ${version} of the campaign does not exist`,
        de: `Version ${version} der Kampagne gibt es nicht`,
      });
    const before = codec.decode(cursor);
    const rows = await listRunSteps(pool, campaign, { ...filter, version_id }, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ run_id }) => codec.encode(run_id));
    const shown = items.map(({ version_id: of, at, ...row }) => ({
      ...row,
      version: numberOf.get(of) ?? 0,
      at: momentText(at),
    }));
    return { items: shown, next };
  });

  async function versionsOf(brand: Brand, code: string) {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
    if (campaign === undefined) throw notFound('campaign', code);
    const versions = await readVersions(pool, [campaign.campaign_id]);
    return { campaign, numberOf: new Map(versions.map(({ version_id, version }) => [version_id, version])) };
  }
}

function byStep(counts: readonly RunStepCount[]) {
  const ofStep = Map.groupBy(counts, ({ version_id, step }) => `${version_id} ${step}`);
  return [...ofStep.values()].map((rows) => {
    const [{ version_id, step }] = rows as [RunStepCount];
    const inState = (state: StepState) => rows.filter((row) => row.state === state);
    const sum = (state: StepState) => inState(state).reduce((all, { count }) => all + count, 0);
    const reasons = (state: StepState) =>
      inState(state).map(({ reason, count }) => ({ reason: reason ?? state, count }));
    return {
      version_id,
      step,
      waiting: sum('waiting'),
      held: sum('held'),
      done: sum('done'),
      withheld: sum('withheld'),
      held_by: reasons('held'),
      withheld_by: reasons('withheld'),
      arms: inState('done').flatMap(({ variant, count }) => (variant === null ? [] : [{ variant, count }])),
    };
  });
}
