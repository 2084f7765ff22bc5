import { checkRule, fieldKinds, hashOf, type Rule, sentenceOf } from '@croupier/rules';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { windowsInWords } from '../../derive/index.ts';
import { listFacts, listFields, readBrandNames, ruleCatalogue } from '../../segments/fields/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const described = {
  title: Type.String({
    description: 'Its words in sentences',
    examples: ['the number of deposits in the last 7 days'],
  }),
  unit: Nullable(Type.String({ examples: ['EUR'] })),
  operators: Type.Array(Type.String(), { description: 'Those that it takes, in the order in which to offer them' }),
};

const FactField = Type.Object({
  field: Type.String({ description: 'As conditions within `value` name it' }),
  kind: Type.Enum([...fieldKinds]),
  ...described,
});

const RuleField = Type.Object({
  field: Type.String({ description: 'As rules name it', examples: ['trait.deposit_count_7d'] }),
  kind: Type.Enum([...fieldKinds, 'fact'], {
    description: 'What kind of value it has. fact: the field counts facts, with conditions on `fields`',
  }),
  ...described,
  group: Type.String({ description: 'The heading under which a builder should offer it' }),
  meaning: Nullable(Type.String()),
  windows: Nullable(
    Type.Enum(['every', 'favourite'], {
      description: `Further windows that rules can name behind the field, as _7d. every: ${windowsInWords}; favourite: 30d and 90d. null: none`,
    }),
  ),
  fields: Nullable(Type.Array(FactField, { description: 'Of a fact; null for all others' })),
});

export const listRuleFieldsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rule-fields',
  tag: 'Rules',
  summary: 'Every field that rules can ask, with its operators',
  description:
    'Traits are listed for the lifetime and with the usual windows; `windows` says which others exist. Groups of breakdowns are fields, too: trait.deposit_count_by_vendor.<vendor_id>, trait.custom_events.<type>.',
  may: 'player.read',
  params: BrandParams,
  status: 200,
  answer: PageOf(RuleField),
});

const RuleShown = Type.Unknown({
  description:
    'A rule in the format of react-querybuilder: { "combinator": "and", "rules": [ { "field": "trait.deposit_count_7d", "operator": ">=", "value": 2 } ] }',
});

const RuleBody = Type.Object({ rule: RuleShown }, { additionalProperties: false });

const RuleError = Type.Object({
  path: Type.String({ description: 'JSON path in the rule', examples: ['/rules/0/value'] }),
  message: Type.String(),
});

export const checkRuleEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rules/check',
  tag: 'Rules',
  summary: 'What is wrong with a rule, and what it says in plain English',
  may: 'player.read',
  params: BrandParams,
  body: RuleBody,
  status: 200,
  answer: Type.Object({
    errors: Type.Array(RuleError, { description: 'Empty for a rule that can be used' }),
    sentence: Nullable(Type.String({ description: 'null for a rule with errors' })),
    hash: Nullable(Type.String({ description: 'Equal for rules of the same meaning; null for a rule with errors' })),
  }),
});

export function ruleRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listRuleFieldsEndpoint, async ({ brand }) => {
    const catalogue = ruleCatalogue(brand, await readBrandNames(pool, brand));
    const fields = listFields(catalogue).map(({ name, unit, ...field }) => {
      return { ...field, field: name, unit: unit ?? null, operators: [...field.operators], fields: null };
    });
    const facts = listFacts(catalogue).map(({ name, title, meaning, fields: ofFact }) => ({
      ...{ field: name, kind: 'fact' as const, title, meaning, unit: null, windows: null },
      operators: ['atLeast', 'atMost', 'exactly'],
      group: 'Facts',
      fields: ofFact.map(({ name: field, unit, ...shown }) => {
        return { ...shown, field, unit: unit ?? null, operators: [...shown.operators] };
      }),
    }));
    return { items: [...fields, ...facts], next: null };
  });

  serve(app, checkRuleEndpoint, async ({ brand, body }) => {
    const catalogue = ruleCatalogue(brand, await readBrandNames(pool, brand));
    const errors = checkRule(body.rule, catalogue);
    if (errors.length > 0) return { errors, sentence: null, hash: null };
    const rule = body.rule as Rule;
    return { errors, sentence: sentenceOf(rule, catalogue), hash: hashOf(rule) };
  });
}
