import { conditionsOf, eachCondition, type Rule, type TraceRow } from '@croupier/rules';
import { personalTraits } from '../../derive/index.ts';
import type { RuleCatalog } from '../../segments/fields/index.ts';
import { mask, maskProfile } from '../access/masking.ts';
import { momentText } from '../routing/fields.ts';

/** One condition with the player's value. Times are text, and personal values are masked. */
export function presentTrace(
  { path, field, operator, value, actual, holds }: TraceRow,
  catalog: RuleCatalog,
  unmasked: boolean,
) {
  const shown = catalog.field(field)?.kind === 'moment' && typeof actual === 'number' ? momentText(actual) : actual;
  const hidden = !unmasked && actual !== null && isPersonal(field);
  return { path, field, operator, value: value ?? null, actual: hidden ? mask : shown, holds };
}

/** Each condition of a checked rule in plain English, by its path. Pure. */
export function conditionSentences(rule: Rule, catalog: RuleCatalog): Map<string, string> {
  const sentences = new Map<string, string>();
  eachCondition(rule, (condition, path) => {
    sentences.set(path, conditionsOf({ combinator: 'and', rules: [condition] }, catalog));
  });
  return sentences;
}

function isPersonal(field: string): boolean {
  const [namespace, ...rest] = field.split('.');
  const name = rest.join('.');
  if (namespace === 'trait') return personalTraits.has(name);
  if (namespace !== 'profile' || name.startsWith('segmentation.')) return false;
  return maskProfile({ [name]: 'x' })[name] === mask;
}
