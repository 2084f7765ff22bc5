import {
  type AbsentVariable,
  absentVariables,
  allSteps,
  type Campaign,
  type PolicyGap,
  policyGaps,
} from '@croupier/campaigns';
import { type Micros, namesOfCountry } from '@croupier/contracts';
import { combineConditions, compileConditions, type Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type Audience, blocksOf, findGaps, type Gap, ReadTemplate, readTemplate } from '../../channels/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import { fieldsOfEvent } from './event-fields.ts';

/** The number of players in the audience who lack fields that one template of the campaign inserts. */
export interface TemplateGaps {
  template: string;
  steps: string[];
  /** Number of players in the audience. */
  players: number;
  gaps: Gap[];
}

/** Players who satisfy a rule, as an audience to check for gaps. An empty rule means all players. */
export async function audienceOf(
  { rules, brand, at }: { rules: RuleReading; brand: Brand; at: Micros },
  rule: Rule,
): Promise<Audience> {
  const { catalog, source } = await rules.of(brand);
  return (values, names) => {
    const traits = names.filter((name) => name.startsWith('trait.') && catalog.field(name) !== undefined);
    // The conditions of the rule and the traits are combined into one rule, so that they share their joins.
    const whole: Rule = {
      combinator: 'and',
      rules: [rule, ...traits.map((field) => ({ field, operator: 'null' as const }))],
    };
    const { conditions, ...compiled } = compileConditions(whole, {
      catalog,
      source: source((column) => `${column} is not null`),
      at,
      zone: brand.settings.time_zone,
      values,
    });
    const sqlAt = (path: string) => conditions.get(path)?.condition;
    return {
      ...compiled,
      condition: combineConditions(rule, sqlAt, '/rules/0'),
      lacks: new Map(traits.map((name, place) => [name, sqlAt(`/rules/${place + 1}`) ?? 'false'])),
    };
  };
}

/** All players. */
export const everybody: Rule = { combinator: 'and', rules: [] };

/** The templates of a campaign that exist, with their steps and the variables that they insert. */
async function templatesOf(
  pool: Pool,
  brand: Brand,
  { steps }: Campaign,
): Promise<{ template: string; steps: string[]; needed: readonly string[] }[]> {
  const asked = allSteps(steps).flatMap((step) => {
    const own =
      'send' in step ? step.send : 'webhook' in step ? step.webhook : 'call_list' in step ? step.call_list : null;
    return own === null ? [] : [{ step: step.id, template: own.template }];
  });
  if (asked.length === 0) return [];
  const blocks = await blocksOf(pool, brand);
  const found: { template: string; steps: string[]; needed: readonly string[] }[] = [];
  for (const [code, of] of Map.groupBy(asked, ({ template }) => template)) {
    const template = await readTemplate(pool, brand.brand_id, code);
    if (template === null) continue;
    const { needed } = new ReadTemplate(template, brand, blocks);
    found.push({ template: code, steps: of.map(({ step }) => step), needed });
  }
  return found;
}

/**
 * Counts the players for whom messages of a campaign would lack a value: a field of the operator's details, or a trait. It counts
 * the current audience, or all players if the campaign has no audience. For a million players, it takes about a second per
 * template, plus the time to find the audience and to compute the traits.
 */
export async function templateGaps(
  pool: Pool,
  reading: { rules: RuleReading; brand: Brand; at: Micros },
  campaign: Campaign,
): Promise<TemplateGaps[]> {
  const compiled = await audienceOf(reading, campaign.audience ?? everybody);
  const found: TemplateGaps[] = [];
  for (const { needed, ...of } of await templatesOf(pool, reading.brand, campaign))
    found.push({ ...of, ...(await findGaps(pool, reading.brand.brand_id, needed, compiled)) });
  return found;
}

/** Variables of the event and the offer that no run of the campaign has when it reaches the step of the message. Reads no players. */
export async function absentOf(
  pool: Pool,
  { rules, brand }: { rules: RuleReading; brand: Brand },
  campaign: Campaign,
): Promise<AbsentVariable[]> {
  const { catalog } = await rules.of(brand);
  const templates = await templatesOf(pool, brand, campaign);
  const neededBy = new Map(templates.map(({ template, needed }) => [template, needed]));
  return absentVariables(campaign, {
    neededBy: (template) => neededBy.get(template) ?? [],
    fieldsOf: (event) => fieldsOfEvent(event, catalog),
  });
}

/**
 * Bonuses of a campaign that the policy of a market would withhold from all of its players, with the number of these players in the
 * current audience. Markets without players in the audience are left out.
 */
export async function policyGapsOf(
  pool: Pool,
  reading: { rules: RuleReading; brand: Brand; at: Micros },
  campaign: Campaign,
): Promise<(PolicyGap & { players: number })[]> {
  const found: (PolicyGap & { players: number })[] = [];
  for (const [market, gaps] of Map.groupBy(policyGaps(campaign), (gap) => gap.market)) {
    const names = namesOfCountry(market).flatMap((name) => [name, name.toLowerCase()]);
    const inMarket: Rule = {
      combinator: 'or',
      rules: [
        { field: 'profile.market', operator: 'in', value: names },
        { field: 'profile.country', operator: 'in', value: names },
      ],
    };
    const rule: Rule = { combinator: 'and', rules: [campaign.audience ?? everybody, inMarket] };
    const { players } = await findGaps(pool, reading.brand.brand_id, [], await audienceOf(reading, rule));
    if (players > 0) found.push(...gaps.map((gap) => ({ ...gap, players })));
  }
  return found;
}
