import { allSteps, type Campaign } from '@croupier/campaigns';
import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { listTemplates, readTemplate } from '../channels/index.ts';
import { readSegments, readVersions } from '../segments/membership/index.ts';
import type { Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

const mostBlocks = 1_000;

/** A segment as a document, or the code of a segment of the brand. */
export type TriedSegment = string | { code: string; rule: Rule; include_protected?: boolean };

/** What is needed to try a campaign of a brand: the brand's settings, and the templates and segments that the campaign uses. */
export type BrandSetup = Required<Pick<Scenario, 'brand' | 'campaigns' | 'templates' | 'segments'>>;

export async function brandSetup(pool: Pool, brand: Brand, campaign: Campaign): Promise<BrandSetup> {
  return {
    brand: settingsOf(brand),
    campaigns: [campaign],
    templates: await templatesOf(pool, brand, campaign),
    segments: await segmentsOf(pool, brand, campaign),
  };
}

/** What is needed to try a segment of a brand. A document may refer to segments of the brand. */
export async function segmentSetup(
  pool: Pool,
  brand: Brand,
  segment: TriedSegment,
): Promise<BrandSetup & Pick<Scenario, 'watched'>> {
  const code = typeof segment === 'string' ? segment : segment.code;
  const named = typeof segment === 'string' ? [segment] : namesIn(segment.rule);
  const others = (await segmentsNamed(pool, brand, named)).filter(
    (one) => typeof segment === 'string' || one.code !== code,
  );
  const segments = typeof segment === 'string' ? others : [...others, segment];
  if (!segments.some((one) => one.code === code)) throw new ScenarioError(`the segment ${code} has no published rule`);
  return { brand: settingsOf(brand), campaigns: [], templates: [], segments, watched: code };
}

/** The code decides which players are in the control group. A trial publishes without approval, because no second person could approve it. */
function settingsOf({ settings, code }: Brand): NonNullable<Scenario['brand']> {
  return { ...settings, code, campaign_approval: { players: 0, money: '' } };
}

/** The templates that the campaign sends, and the blocks that they may include. */
async function templatesOf(pool: Pool, brand: Brand, campaign: Campaign): Promise<BrandSetup['templates']> {
  const named = allSteps(campaign.steps ?? []).flatMap((step) => {
    if ('send' in step) return [step.send.template];
    if ('webhook' in step) return [step.webhook.template];
    return 'call_list' in step ? [step.call_list.template] : [];
  });
  const blocks = await listTemplates(pool, brand.brand_id, { channel: 'block', limit: mostBlocks });
  const sent = await Promise.all([...new Set(named)].map((code) => readTemplate(pool, brand.brand_id, code)));
  return [...blocks, ...sent.filter((one) => one !== null)].map(({ code, name, channel, purpose, content }) => ({
    code,
    name,
    channel,
    purpose,
    content,
  }));
}

/** The segments that the campaign uses, after the segments that they use themselves. */
async function segmentsOf(pool: Pool, brand: Brand, campaign: Campaign): Promise<BrandSetup['segments']> {
  const { entry } = campaign;
  return segmentsNamed(pool, brand, [
    ...(typeof entry === 'object' && 'segment' in entry ? [entry.segment] : []),
    ...(typeof entry === 'object' && 'to' in entry && entry.to !== undefined ? [entry.to] : []),
    ...namesIn(campaign),
  ]);
}

async function segmentsNamed(
  pool: Pool,
  { brand_id }: Brand,
  names: readonly string[],
): Promise<BrandSetup['segments']> {
  const segments = await readSegments(pool, brand_id);
  const versions = await readVersions(
    pool,
    segments.map(({ segment_id }) => segment_id),
  );
  const byCode = new Map(segments.map((one) => [one.code, one]));
  const needed = new Map<string, BrandSetup['segments'][number]>();
  const add = (code: string): void => {
    const segment = byCode.get(code);
    const version = versions.find(
      ({ segment_id, rule, published_at }) =>
        segment_id === segment?.segment_id && rule !== null && published_at !== null,
    );
    if (segment === undefined || version === undefined || version.rule === null || needed.has(code)) return;
    for (const other of namesIn(version.rule)) if (other !== code) add(other);
    needed.set(code, { code, name: segment.name, rule: version.rule, include_protected: version.include_protected });
  };
  for (const code of names) add(code);
  return [...needed.values()];
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"segment\.([^"]+)"/g)].map(([, code = '']) => code);
}
