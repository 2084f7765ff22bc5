import { checkRule, hashOf, type Rule, sentenceOf } from '@croupier/rules';
import type { FastifyInstance } from 'fastify';
import { listFacts, listFields, readBrandNames, ruleCatalogue } from '../../segments/fields/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { checkRuleEndpoint, listRuleFieldsEndpoint } from './endpoints.ts';

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
