import { allSteps, type Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { compileToSql, type Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type Audience, blocksOf, findGaps, type Gap, ReadTemplate, readTemplate } from '../../channels/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';

/** For one template of a campaign: how many players of its audience lack the fields that it inserts. */
export interface TemplateGaps {
  template: string;
  steps: string[];
  /** Number of players in the audience. */
  players: number;
  gaps: Gap[];
}

/** Players who satisfy a rule, as an audience to check for gaps. */
export async function audienceOf(
  { rules, brand, at }: { rules: RuleReading; brand: Brand; at: Micros },
  rule: Rule,
): Promise<Audience> {
  const { catalogue, source } = await rules.of(brand);
  return (values) =>
    compileToSql(rule, {
      catalogue,
      source: source((column) => `${column} is not null`),
      at,
      zone: brand.settings.time_zone,
      values,
    });
}

/**
 * Which fields messages of a campaign would lack, over its current audience, or over all players if it has none. Only fields of
 * the operator's details can be counted before a message is written. Takes about a second per template for a million players,
 * plus the time to find the audience.
 */
export async function campaignGaps(
  pool: Pool,
  reading: { rules: RuleReading; brand: Brand; at: Micros },
  { audience, steps }: Campaign,
): Promise<TemplateGaps[]> {
  const { brand } = reading;
  const asked = allSteps(steps).flatMap((step) => {
    const own =
      'send' in step ? step.send : 'webhook' in step ? step.webhook : 'call_list' in step ? step.call_list : null;
    return own === null ? [] : [{ step: step.id, template: own.template }];
  });
  const compiled = audience === undefined ? undefined : await audienceOf(reading, audience);
  const blocks = await blocksOf(pool, brand);
  const found: TemplateGaps[] = [];
  for (const [code, of] of Map.groupBy(asked, ({ template }) => template)) {
    const template = await readTemplate(pool, brand.brand_id, code);
    if (template === null) continue;
    const { needed } = new ReadTemplate(template, brand, blocks);
    const counted = await findGaps(pool, brand.brand_id, needed, compiled);
    found.push({ template: code, steps: of.map(({ step }) => step), ...counted });
  }
  return found;
}
