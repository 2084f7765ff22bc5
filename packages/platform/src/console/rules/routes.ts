import { checkRule, evaluate, type FieldKind, fieldKinds, hashOf, type Rule, sentenceOf } from '@croupier/rules';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { windowsInWords } from '../../derive/index.ts';
import { KnownValues, listFacts, listFields, loadPlayerViews, needsOf } from '../../segments/fields/index.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import { RulePreviews } from '../../segments/preview/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { errorsIn } from '../language/translate.ts';
import { PageOf } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';
import { conditionSentences, presentTrace } from './present-trace.ts';
import { asRefusal, usableRule, userIdsOf } from './usable-rule.ts';

const described = {
  title: Type.String({
    description: 'Its name in sentences',
    examples: ['the number of deposits in the last 7 days'],
  }),
  unit: Nullable(Type.String({ examples: ['EUR'] })),
  operators: Type.Array(Type.String(), { description: 'Its operators, in the order in which to offer them' }),
  values: Type.Array(Type.String(), {
    description: 'Known values, at most 200. Rare values may be missing. Empty: not listed',
  }),
  sample: Type.Unknown({ description: 'Example of a value' }),
};

const FactField = Type.Object({
  field: Type.String({ description: 'Name in conditions within `value`' }),
  kind: Type.Enum([...fieldKinds]),
  ...described,
});

const RuleField = Type.Object({
  field: Type.String({ description: 'Name in rules', examples: ['trait.deposit_count_7d'] }),
  kind: Type.Enum([...fieldKinds, 'fact'], {
    description: 'Kind of its value. fact: the field counts facts, with conditions on `fields`',
  }),
  ...described,
  group: Type.String({ description: 'Heading under which a builder offers it' }),
  meaning: Nullable(Type.String()),
  windows: Nullable(
    Type.Enum(['every', 'favorite'], {
      description: `Windows that rules can append to the field, such as _7d. every: ${windowsInWords}. favorite: 30d and 90d. Null: none`,
    }),
  ),
  fields: Nullable(Type.Array(FactField, { description: 'Fields of a fact. Null for all other kinds' })),
});

export const listRuleFieldsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rule-fields',
  tag: 'Rules',
  summary: 'Every field that rules can use, with its operators',
  description:
    'Traits are listed for the lifetime and with the usual windows. `windows` names the others. Groups of breakdowns are also fields: trait.deposit_count_by_vendor.<vendor_id>, trait.custom_events.<type>.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      memberships: Type.Boolean({
        default: true,
        description:
          'false: without the fields segment.<code> and tag.<tag>, of which a brand may have thousands. `GET segments` and `GET tags` search them',
      }),
    },
    { additionalProperties: false },
  ),
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
  summary: 'Check a rule, and return it as a sentence in plain English',
  may: 'player.read',
  params: BrandParams,
  body: RuleBody,
  status: 200,
  answer: Type.Object({
    errors: Type.Array(RuleError, { description: 'Empty if the rule can be used' }),
    sentence: Nullable(Type.String({ description: 'Null for a rule with errors' })),
    hash: Nullable(Type.String({ description: 'Equal for rules with the same meaning. Null for a rule with errors' })),
  }),
});

const refusedRule = 'A rule with errors is answered 400. Each error has its JSON path after `rule`.';

export const previewRuleEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rules/preview',
  tag: 'Rules',
  summary: 'Number of players that a rule selects, and that each condition removes',
  description: `The count is exact if all players can be checked within 0.8 s. Otherwise it is estimated from a random sample, with an error. ${refusedRule}`,
  may: 'player.read',
  params: BrandParams,
  body: RuleBody,
  tooMany: 'Too many previews are waiting. Retry after a second.',
  status: 200,
  answer: Type.Object({
    count: Type.Integer({ description: 'Players who would be members now' }),
    protected: Type.Integer({
      description: 'Players who satisfy the rule but are excluded or blocked. They are not in `count`',
    }),
    sample: Type.Array(Type.String(), { description: 'user_ids of at most 10 of the players' }),
    per_condition: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['/rules/0'] }),
        field: Type.String(),
        removes: Type.Integer({
          description:
            'How many more players the rule would select without the condition. Negative if the condition adds players',
        }),
      }),
    ),
    exact: Type.Boolean(),
    error: Nullable(
      Type.Integer({
        description: 'Error of the estimate: 19 of 20 estimates are at least this close. Null for an exact count',
      }),
    ),
    took_ms: Type.Integer(),
  }),
});

const TriedValue = Type.Unknown({ description: 'Times are RFC 3339 strings. Null: no value' });

export const tryRuleEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rules/try',
  tag: 'Rules',
  summary: 'Whether a rule holds for a player, with the actual value for each condition',
  description: `Personal values are masked for callers without personal.read. ${refusedRule}`,
  may: 'player.read',
  params: BrandParams,
  body: Type.Object({ rule: RuleShown, user_id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  status: 200,
  answer: Type.Object({
    value: Type.Boolean({ description: 'Whether the rule holds now' }),
    protected: Type.Boolean({ description: 'The player is excluded or blocked' }),
    holds_until: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the answer may change without new events. Null: it does not change',
      }),
    ),
    trace: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['/rules/0'] }),
        sentence: Type.String({
          description: 'The condition in plain English',
          examples: ['the number of deposits in the last 7 days is at least 1'],
        }),
        field: Type.String(),
        operator: Type.String({ description: 'For a count of facts: atLeast, atMost or exactly' }),
        value: TriedValue,
        actual: TriedValue,
        holds: Type.Boolean(),
      }),
      { description: 'Each condition, even if an earlier one already decided' },
    ),
  }),
});

export function ruleRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  const previews = new RulePreviews({ pool });
  const known = new KnownValues({ pool, clock });
  serve(app, listRuleFieldsEndpoint, async ({ brand, query: { memberships } }) => {
    const catalog = await readCatalog(pool, brand, { isWhole: memberships });
    const seen = await known.of(brand.brand_id);
    const shown = (field: string, kind: FieldKind) => {
      const values = [...(seen.get(field) ?? [])];
      return { values, sample: sampleOf(kind, values) };
    };
    const segmentation = new Map(
      catalog.names.segmentation.map(({ key, sample }) => [`profile.segmentation.${key}`, sample]),
    );
    const fields = listFields(catalog).map(({ name, unit, ...field }) => {
      const values = shown(name, field.kind);
      const own = { ...values, sample: segmentation.get(name) ?? values.sample };
      return { ...field, ...own, field: name, unit: unit ?? null, operators: [...field.operators], fields: null };
    });
    const facts = listFacts(catalog).map(({ name, title, meaning, fields: ofFact }) => ({
      field: name,
      kind: 'fact' as const,
      title,
      meaning,
      unit: null,
      windows: null,
      operators: ['atLeast', 'atMost', 'exactly'],
      group: 'Facts',
      values: [],
      sample: null,
      fields: ofFact.map(({ name: field, unit, ...own }) => {
        return {
          ...own,
          ...shown(`${name}.${field}`, own.kind),
          field,
          unit: unit ?? null,
          operators: [...own.operators],
        };
      }),
    }));
    return { items: [...fields, ...facts], next: null };
  });

  serve(app, checkRuleEndpoint, async ({ brand, body, language }) => {
    const catalog = await readCatalog(pool, brand);
    const errors = errorsIn(checkRule(body.rule, catalog), language);
    if (errors.length > 0) return { errors, sentence: null, hash: null };
    const rule = body.rule as Rule;
    return { errors, sentence: sentenceOf(rule, catalog), hash: hashOf(rule) };
  });

  serve(app, previewRuleEndpoint, async ({ brand, body }) => {
    const { catalog, rule } = await usableRule(pool, brand, body.rule);
    const { sample, ...previewed } = await previews.preview({ catalog, rule, at: clock() }).catch(asRefusal);
    return { ...previewed, sample: await userIdsOf(pool, sample) };
  });

  serve(app, tryRuleEndpoint, async ({ brand, body, access }) => {
    const { catalog, rule } = await usableRule(pool, brand, body.rule);
    const { player_id } = await knownPlayer(pool, brand, body.user_id);
    const at = clock();
    const views = await loadPlayerViews(pool, catalog, { players: [player_id], needs: needsOf([rule]), at });
    const view = views.get(player_id);
    if (view === undefined) throw notFound('player', body.user_id);
    const { value, holds_until, trace } = evaluate(rule, view, { at, zone: brand.settings.time_zone, catalog });
    const unmasked = access.may('personal.read', brand);
    const sentences = conditionSentences(rule, catalog);
    return {
      value,
      protected: view.protected,
      holds_until: momentTextOrNull(holds_until),
      trace: trace.map((row) => ({
        ...presentTrace(row, catalog, unmasked),
        sentence: sentences.get(row.path) ?? row.field,
      })),
    };
  });
}

const samples: Record<FieldKind, unknown> = {
  number: 1,
  text: 'text',
  moment: '2026-05-04T12:00:00Z',
  date: '1990-05-04',
  status: true,
  flag: true,
  list: 'text',
};

/** One of the values that occurred. If none did, a value of the right form. */
function sampleOf(kind: FieldKind, values: readonly string[]): unknown {
  return values[0] ?? samples[kind];
}
