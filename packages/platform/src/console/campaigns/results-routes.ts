import { Readable } from 'node:stream';
import { dayOf } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  type Counts,
  countDays,
  countSteps,
  listOutcomes,
  type OutcomeFilter,
  type OutcomePlace,
  type OutcomeRow,
  outcomes,
  readCampaigns,
  readResults,
  readVersions,
  type StoredCampaign,
} from '../../campaigns/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { csvField } from '../segments/csv-field.ts';
import * as endpoints from './results-endpoints.ts';

const listCodec = new CursorCodec('campaign results', Type.Tuple([Type.Integer(), Type.String()]));
const daysShown = 30;
const longestDays = 366;
const exportedAtOnce = 5_000;
const dayMicros = 86_400_000_000;

/** Results of a campaign: counts, by day, and the players behind each. */
export function campaignResultRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, endpoints.readCampaignResultsEndpoint, async ({ brand, params, query }) => {
    const { campaign_id } = await known(brand, params.code);
    const [versions, steps, { totals, ...results }] = await Promise.all([
      readVersions(pool, [campaign_id]),
      countSteps(pool, campaign_id),
      readResults(pool, { campaign_id, brand }, { days: query.window_days, at: clock() }),
    ]);
    const numberOf = new Map(versions.map(({ version_id, version }) => [version_id, version]));
    return {
      ...totals,
      ...results,
      steps: steps
        .map(({ version_id, ...row }) => ({ ...row, version: numberOf.get(version_id) ?? 0 }))
        .toSorted((one, other) => other.version - one.version),
    };
  });

  serve(app, endpoints.readCampaignDaysEndpoint, async ({ brand, params, query }) => {
    const { campaign_id } = await known(brand, params.code);
    const zone = brand.settings.time_zone;
    const to = query.to ?? dayOf(zone, clock());
    const from = query.from ?? shifted(to, 1 - daysShown);
    if (from > to || shifted(from, longestDays) < to)
      throw new Refused('invalid_request', {
        en: `\`from\` must be at most ${longestDays} days before \`to\``,
        de: `\`from\` darf höchstens ${longestDays} Tage vor \`to\` liegen`,
      });
    const days = new Map<string, { day: string } & Counts>();
    for (const { day, outcome, count } of await countDays(pool, campaign_id, { zone, from, to })) {
      const one = days.get(day) ?? { day, ...(Object.fromEntries(outcomes.map((each) => [each, 0])) as Counts) };
      one[outcome] = count;
      days.set(day, one);
    }
    return { from, to, days: [...days.values()] };
  });

  serve(app, endpoints.listCampaignOutcomesEndpoint, async ({ brand, params, query: { limit, cursor, ...query } }) => {
    const { campaign_id } = await known(brand, params.code);
    const before = cursor === undefined ? undefined : listCodec.decode(cursor);
    const filter = await filterOf(campaign_id, query);
    const rows = await listOutcomes(pool, campaign_id, filter, { before: before as OutcomePlace, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, (row) => listCodec.encode(placeOf(row)));
    return { items: items.map((row) => ({ ...row, at: momentText(row.at) })), next };
  });

  serve(app, endpoints.exportCampaignOutcomesEndpoint, async ({ access, brand, params: { code }, query }) => {
    const { campaign_id } = await known(brand, code);
    const filter = await filterOf(campaign_id, query);
    await record(deps, access, { action: 'campaign.exported', brand, subject: `campaign ${code} ${query.outcome}` });
    async function* lines() {
      yield 'user_id,run_id,step,at,reason\r\n';
      for (let before: OutcomePlace | undefined; ; ) {
        const rows = await listOutcomes(pool, campaign_id, filter, { before, limit: exportedAtOnce });
        yield rows.map(csvLine).join('');
        const last = rows.at(-1);
        if (last === undefined || rows.length < exportedAtOnce) return;
        before = placeOf(last);
      }
    }
    return Readable.from(lines(), { highWaterMark: 1 });
  });

  async function known(brand: Brand, code: string): Promise<StoredCampaign> {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
    if (campaign === undefined) throw notFound('campaign', code);
    return campaign;
  }

  async function filterOf(
    campaignId: number,
    { version, ...filter }: Omit<OutcomeFilter, 'version_id'> & { version?: number | undefined },
  ): Promise<OutcomeFilter> {
    if ((filter.split === undefined) !== (filter.variant === undefined))
      throw new Refused('invalid_request', {
        en: '`split` and `variant` must be sent together, because both identify an arm',
        de: '`split` und `variant` müssen zusammen gesendet werden, weil erst beide einen Zweig bezeichnen',
      });
    if (version === undefined) return filter;
    const found = (await readVersions(pool, [campaignId])).find((one) => one.version === version);
    if (found === undefined)
      throw new Refused('not_found', {
        en: `version ${version} of the campaign does not exist`,
        de: `Version ${version} der Kampagne gibt es nicht`,
      });
    return { ...filter, version_id: found.version_id };
  }
}

function placeOf({ run_id, step }: OutcomeRow): OutcomePlace {
  return [run_id, step ?? ''];
}

function csvLine({ user_id, run_id, step, at, reason }: OutcomeRow): string {
  return `${csvField(user_id ?? '')},${run_id},${csvField(step ?? '')},${momentText(at)},${csvField(reason ?? '')}\r\n`;
}

/** The day a number of days later, or earlier if negative. */
function shifted(day: string, days: number): string {
  return dayOf('UTC', Date.parse(`${day}T00:00:00Z`) * 1_000 + days * dayMicros);
}
