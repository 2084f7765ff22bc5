import { spanWords } from './duration.ts';
import { type Catalog, type Field, factNameOf } from './field.ts';
import { operatorOf } from './operators/index.ts';
import {
  type Comparison,
  type Did,
  type Group,
  isDid,
  isGroup,
  type MatchMode,
  type Rule,
  type RuleNode,
} from './rule.ts';

/** The rule as an English sentence. @param rule checked by `checkRule` */
export function sentenceOf(rule: Rule, catalog: Catalog): string {
  if (rule.rules.length === 0) return rule.not ? 'No player.' : 'Every player.';
  const text = groupWords(rule, (name) => catalog.field(name), catalog);
  return `Players for whom ${text}.`;
}

/**
 * The condition of a rule as words without a subject, for texts that name the subject themselves, such as "if the
 * number of deposits is 1".
 *
 * @param rule checked by `checkRule`
 * @param fact the rule reads the fields of this fact, like conditions on an event; omitted: the fields of a player
 */
export function conditionsOf(rule: Rule, catalog: Catalog, fact?: string): string {
  const fields = fact === undefined ? undefined : new Map(catalog.fact(fact)?.fields.map((one) => [one.name, one]));
  return groupWords(rule, (name) => (fields ? fields.get(name) : catalog.field(name)), catalog);
}

type FieldOf = (name: string) => Field | undefined;

function groupWords(group: Group, fieldOf: FieldOf, catalog: Catalog): string {
  const parts = group.rules.map((node) => {
    const words = nodeWords(node, fieldOf, catalog);
    return isGroup(node) && node.rules.length > 1 && !node.not ? `(${words})` : words;
  });
  const joined = parts.length === 0 ? 'anything holds' : parts.join(group.combinator === 'and' ? ' and ' : ' or ');
  return group.not ? `it is not true that (${joined})` : joined;
}

function nodeWords(node: RuleNode, fieldOf: FieldOf, catalog: Catalog): string {
  if (isGroup(node)) return groupWords(node, fieldOf, catalog);
  if (isDid(node)) return didWords(node, catalog);
  const { field: name, operator, value } = node as Comparison;
  const field = fieldOf(name);
  const words = field && operatorOf(field, operator)?.words(value, field);
  return `${field?.title ?? name} ${words ?? operator}`;
}

const modeWords: Record<MatchMode, string> = { atLeast: 'at least', atMost: 'at most', exactly: 'exactly' };

function didWords({ field, match, within, value }: Did, catalog: Catalog): string {
  const fact = catalog.fact(factNameOf(field));
  const fields = new Map(fact?.fields.map((one) => [one.name, one]));
  const when = within === undefined ? '' : ` in the last ${spanWords(within)}`;
  const where =
    value === undefined || value.rules.length === 0
      ? ''
      : ` where ${groupWords(value, (name) => fields.get(name), catalog)}`;
  return `the number of ${fact?.title ?? field}${when}${where} is ${modeWords[match.mode]} ${match.threshold}`;
}
