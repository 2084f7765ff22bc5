import type { Micros } from '@croupier/contracts';
import { type Did, eachCondition, type Group, type Rule, readDuration } from '@croupier/rules';

/** What rules need to know about a player. */
export interface RuleNeeds {
  /** Full names. */
  readonly fields: ReadonlySet<string>;
  readonly facts: ReadonlyMap<string, FactNeeds>;
}

export interface FactNeeds {
  /** Fields of the fact that conditions use. */
  readonly fields: Set<string>;
  /** The furthest that any condition looks back. Undefined: all facts count. */
  within: Micros | undefined;
}

/** @param rules checked by `checkRule` */
export function needsOf(rules: Iterable<Rule>): RuleNeeds {
  const fields = new Set<string>();
  const facts = new Map<string, FactNeeds>();
  for (const rule of rules) {
    eachCondition(rule, (condition) => {
      if ('match' in condition) addFact(facts, condition);
      else fields.add(condition.field);
    });
  }
  return { fields, facts };
}

function addFact(facts: Map<string, FactNeeds>, { field, within, value }: Did): void {
  const kind = field.slice('did.'.length);
  const length = within === undefined ? undefined : readDuration(within);
  const known = facts.get(kind);
  const needs = known ?? { fields: new Set(), within: length };
  facts.set(kind, needs);
  if (length === undefined || needs.within === undefined) needs.within = undefined;
  else needs.within = Math.max(needs.within, length);
  if (value !== undefined) addFields(needs.fields, value);
}

function addFields(fields: Set<string>, group: Group): void {
  for (const node of group.rules) {
    if ('rules' in node) addFields(fields, node);
    else fields.add(node.field);
  }
}
