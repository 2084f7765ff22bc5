import { Readable } from 'node:stream';
import { dayOf } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  type AmountFilter,
  type AmountPlace,
  type AmountRow,
  type Counts,
  countDays,
  countSteps,
  listAmounts,
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
import type { Access } from '../access/access.ts';
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
const amountCodec = new CursorCodec('amounts of campaign results', Type.Tuple([Type.Integer(), Type.String()]));
const daysShown = 30;
const longestDays = 366;
const exportedAtOnce = 5_000;
const dayMicros = 86_400_000_000;

/** Results of a campaign: counts in total and by day, and the players behind each count. */
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
    const campaign = await known(brand, params.code);
    const before = listCodec.decode(cursor);
    const filter = await filterOf(campaign.campaign_id, query);
    const rows = await listOutcomes(pool, campaign, filter, { before: before as OutcomePlace, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, (row) => listCodec.encode(placeOf(row)));
    return { items: items.map((row) => ({ ...row, at: momentText(row.at) })), next };
  });

  serve(app, endpoints.exportCampaignOutcomesEndpoint, async ({ access, brand, params: { code }, query }) =>
    outcomeFile(access, brand, code, query, csvOfOutcomes),
  );
  serve(app, endpoints.exportCampaignOutcomesAsJsonEndpoint, async ({ access, brand, params: { code }, query }) =>
    outcomeFile(access, brand, code, query, jsonLines),
  );

  serve(app, endpoints.listCampaignAmountsEndpoint, async ({ brand, params, query: { limit, cursor, ...query } }) => {
    const { campaign_id } = await known(brand, params.code);
    const before = amountCodec.decode(cursor) as AmountPlace | undefined;
    const filter = await amountFilterOf(brand, campaign_id, query);
    const rows = await listAmounts(pool, campaign_id, filter, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ run_id, key }) => amountCodec.encode([run_id, key]));
    return { items: items.map(shownAmount), next };
  });

  serve(app, endpoints.exportCampaignAmountsEndpoint, async ({ access, brand, params: { code }, query }) =>
    amountFile(access, brand, code, query, csvOfAmounts),
  );
  serve(app, endpoints.exportCampaignAmountsAsJsonEndpoint, async ({ access, brand, params: { code }, query }) =>
    amountFile(access, brand, code, query, jsonLines),
  );

  async function outcomeFile(
    access: Access,
    brand: Brand,
    code: string,
    query: OutcomeQuery,
    file: File<ShownOutcome>,
  ) {
    const campaign = await known(brand, code);
    const filter = await filterOf(campaign.campaign_id, query);
    await record(deps, access, { action: 'campaign.exported', brand, subject: `campaign ${code} ${query.outcome}` });
    return streamed(file, async (before: OutcomePlace | undefined) => {
      const rows = await listOutcomes(pool, campaign, filter, { before, limit: exportedAtOnce });
      const last = rows.length < exportedAtOnce ? undefined : rows.at(-1);
      return { rows: rows.map((row) => ({ ...row, at: momentText(row.at) })), next: last && placeOf(last) };
    });
  }

  async function amountFile(access: Access, brand: Brand, code: string, query: AmountQuery, file: File<ShownAmount>) {
    const { campaign_id } = await known(brand, code);
    const filter = await amountFilterOf(brand, campaign_id, query);
    await record(deps, access, { action: 'campaign.exported', brand, subject: `campaign ${code} ${query.of}` });
    return streamed(file, async (before: AmountPlace | undefined) => {
      const rows = await listAmounts(pool, campaign_id, filter, { before, limit: exportedAtOnce });
      const last = rows.length < exportedAtOnce ? undefined : rows.at(-1);
      return { rows: rows.map(shownAmount), next: last && ([last.run_id, last.key] as AmountPlace) };
    });
  }

  async function amountFilterOf(
    brand: Brand,
    campaignId: number,
    { of, version, step, split, variant, window_days }: AmountQuery,
  ): Promise<AmountFilter> {
    const isOfArm = of === 'measured' || of === 'depositors';
    if (isOfArm ? variant === undefined || step !== undefined : split !== undefined || variant !== undefined)
      throw new Refused('invalid_request', {
        en: '`variant`, and `split` of a split, belong to `measured` and `depositors`; `step` belongs to the costs',
        de: '`variant` und bei einer Aufteilung `split` gehören zu `measured` und `depositors`, `step` gehört zu den Kosten',
      });
    const zone = brand.settings.time_zone;
    const window = { zone, days: window_days, today: dayOf(zone, clock()) };
    return { of, step, split, variant, window, version_id: await versionIdOf(campaignId, version) };
  }

  async function known(brand: Brand, code: string): Promise<StoredCampaign> {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
    if (campaign === undefined) throw notFound('campaign', code);
    return campaign;
  }

  async function filterOf(campaignId: number, { version, ...filter }: OutcomeQuery): Promise<OutcomeFilter> {
    if ((filter.split === undefined) !== (filter.variant === undefined))
      throw new Refused('invalid_request', {
        en: '`split` and `variant` must be sent together, because both identify an arm',
        de: '`split` und `variant` müssen zusammen gesendet werden, weil erst beide einen Zweig bezeichnen',
      });
    return { ...filter, version_id: await versionIdOf(campaignId, version) };
  }

  async function versionIdOf(campaignId: number, version: number | undefined): Promise<number | undefined> {
    if (version === undefined) return undefined;
    const found = (await readVersions(pool, [campaignId])).find((one) => one.version === version);
    if (found === undefined)
      throw new Refused('not_found', {
        en: `version ${version} of the campaign does not exist`,
        de: `Version ${version} der Kampagne gibt es nicht`,
      });
    return found.version_id;
  }
}

type OutcomeQuery = Omit<OutcomeFilter, 'version_id'> & { version?: number | undefined };
type AmountQuery = Omit<AmountFilter, 'version_id' | 'window'> & { version?: number | undefined; window_days: number };
type ShownOutcome = Omit<OutcomeRow, 'at'> & { at: string };
type ShownAmount = Omit<AmountRow, 'at' | 'key'> & { at: string };

function shownAmount({ key: _, at, ...row }: AmountRow): ShownAmount {
  return { ...row, at: momentText(at) };
}

function placeOf({ run_id, step }: OutcomeRow): OutcomePlace {
  return [run_id, step ?? ''];
}

/** Defines how rows are written to a file. */
interface File<Row> {
  header: string;
  line(row: Row): string;
}

const jsonLines: File<object> = { header: '', line: (row) => `${JSON.stringify(row)}\n` };

const csvOfOutcomes: File<ShownOutcome> = {
  header: 'user_id,run_id,step,at,reason\r\n',
  line: ({ user_id, run_id, step, at, reason }) =>
    `${csvField(user_id ?? '')},${run_id},${csvField(step ?? '')},${at},${csvField(reason ?? '')}\r\n`,
};

const csvOfAmounts: File<ShownAmount> = {
  header: 'user_id,run_id,step,at,amount,reference\r\n',
  line: ({ user_id, run_id, step, at, amount, reference }) =>
    `${csvField(user_id ?? '')},${run_id},${csvField(step ?? '')},${at},${amount},${csvField(reference ?? '')}\r\n`,
};

/** Reads each page only when the client has received the previous one. */
function streamed<Row, Place>(
  { header, line }: File<Row>,
  page: (before: Place | undefined) => Promise<{ rows: Row[]; next: Place | undefined }>,
): Readable {
  async function* lines() {
    if (header !== '') yield header;
    for (let before: Place | undefined; ; ) {
      const { rows, next } = await page(before);
      if (rows.length > 0) yield rows.map(line).join('');
      if (next === undefined) return;
      before = next;
    }
  }
  return Readable.from(lines(), { highWaterMark: 1 });
}

/** The day that is this many days later, or earlier if the number is negative. */
function shifted(day: string, days: number): string {
  return dayOf('UTC', Date.parse(`${day}T00:00:00Z`) * 1_000 + days * dayMicros);
}
