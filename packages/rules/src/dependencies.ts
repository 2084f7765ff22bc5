import { eachCondition } from './check.ts';
import { factNameOf } from './field.ts';
import { isDid, type Rule } from './rule.ts';

/** What a rule depends on. Only changes of these, and time, can change its answer. */
export interface Dependencies {
  /** Fields of the player, by full name: `trait.deposit_count_7d`, `profile.country`. */
  fields: ReadonlySet<string>;
  /** Kinds of facts that are counted. */
  facts: ReadonlySet<string>;
  /** Codes of segments. */
  segments: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

export function dependenciesOf(rule: Rule): Dependencies {
  const fields = new Set<string>();
  const facts = new Set<string>();
  eachCondition(rule, (condition) => {
    if (isDid(condition)) facts.add(factNameOf(condition.field));
    else fields.add(condition.field);
  });
  const named = (prefix: string) =>
    new Set([...fields].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
  return { fields, facts, segments: named('segment.'), tags: named('tag.') };
}
