import { type Catalog, checkRule, conditionsOf, type Rule } from '@croupier/rules';

/** The sentence that describes a rule of a document. */
export interface RuleSentence {
  /** JSON path of the rule, such as /steps/0/branch/0/when. */
  path: string;
  sentence: string;
}

/** Fields of a document that hold a rule about the player. `where` holds a rule about the event next to it. */
const rulesOfPlayers = ['audience', 'exit_when', 'when', 'rule'];

/** Every rule of a document as a sentence, in its order. Invalid rules are left out. Accepts any JSON. */
export function ruleSentences(document: unknown, catalog: Catalog, path = ''): RuleSentence[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => {
    const at = `${path}/${key}`;
    if (rulesOfPlayers.includes(key))
      return checkRule(value, catalog, 'stored').length > 0 ? [] : sentenceAt(at, value as Rule, catalog);
    if (key !== 'where') return ruleSentences(value, catalog, at);
    const fact = 'event' in document ? String(document.event) : '';
    const rule = countOf(fact, value);
    return checkRule(rule, catalog, 'stored').length > 0 ? [] : sentenceAt(at, value as Rule, catalog, fact);
  });
}

function sentenceAt(path: string, rule: Rule, catalog: Catalog, fact?: string): RuleSentence[] {
  return rule.rules.length === 0 ? [] : [{ path, sentence: conditionsOf(rule, catalog, fact) }];
}

/** The rule that evaluates conditions on an event: a count of facts with these conditions. */
export function countOf(fact: string, where: unknown): Rule {
  const field = `did.${fact}` as const;
  const match = { mode: 'atLeast', threshold: 1 } as const;
  return { combinator: 'and', rules: [{ field, match, value: where as Rule }] };
}
