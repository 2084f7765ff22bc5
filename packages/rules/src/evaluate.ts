import type { Micros } from '@croupier/contracts';
import { readDuration } from './duration.ts';
import { type Catalog, type Field, factNameOf } from './field.ts';
import { operatorOf } from './operators/index.ts';
import { firstAfter } from './operators/operator.ts';
import type { FactRow, PlayerView } from './player-view.ts';
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
import type { Reading, Value } from './value.ts';

/*
 * Evaluates a rule for one player. The result is true or false, never unknown: a comparison with an absent value is false, and
 * complements are exact.
 *
 * Time changes answers in three ways: by spans before the moment of evaluation ("in the last hour"), by
 * windows of traits (the view knows when they move), and by days of the brand. Each condition returns the
 * next moment at which its answer may change. `holdsUntil` goes from one such moment to the next until the
 * answer of the whole rule changes.
 */

/** One condition and its result. */
export interface TraceRow {
  /** JSON path in the rule. */
  path: string;
  field: string;
  operator: string;
  value: unknown;
  /** The player's value. For a condition on facts, it is the count. */
  actual: Value;
  holds: boolean;
}

export interface Evaluation {
  value: boolean;
  /**
   * The first moment at which the answer changes if nothing new arrives. If this is beyond the horizon, the answer may or may not change
   * then. null: it does not change.
   */
  holds_until: Micros | null;
  trace: TraceRow[];
}

export interface EvaluateOptions extends Reading {
  readonly catalog: Catalog;
  /**
   * How far ahead `holds_until` looks. Default: `horizon`. A shorter time costs less, but callers have to
   * evaluate again sooner.
   */
  readonly ahead?: Micros;
}

/**
 * How far ahead `holds_until` looks, and at how many moments. If a rule has not changed by then, it returns the next
 * moment at which the rule may change: never later than the true moment, but possibly earlier. The caller then
 * evaluates again. Without these limits, it would follow anniversaries for centuries.
 */
export const horizon: Micros = 800 * 86_400_000_000;
const maxMoments = 1_000;

/** @param rule checked by `checkRule`; throws for a rule that does not fit the catalog */
export function evaluate(rule: Rule, player: PlayerView, options: EvaluateOptions): Evaluation {
  const trace: TraceRow[] = [];
  const context = { player, ...options, counted: {} };
  const value = holds(rule, { ...context, visit: (row) => trace.push(row) });
  return { value, holds_until: holdsUntil(rule, value, context) ?? null, trace };
}

/** Returns the answer of `evaluate` without a trace, for stages that evaluate rules thousands of times a second. */
export function answerOf(rule: Rule, player: PlayerView, options: EvaluateOptions): Omit<Evaluation, 'trace'> {
  const context = { player, ...options, counted: {} };
  const value = holds(rule, context);
  return { value, holds_until: holdsUntil(rule, value, context) ?? null };
}

/** Whether the rule holds, without computing until when. */
export function ruleHolds(rule: Rule, player: PlayerView, options: Omit<EvaluateOptions, 'ahead'>): boolean {
  return holds(rule, { player, ...options, counted: {} });
}

function holdsUntil(rule: Rule, value: boolean, context: Context): Micros | undefined {
  const limit = context.at + (context.ahead ?? horizon);
  let later = context;
  for (let moments = 0; moments < maxMoments; moments++) {
    const at = nextChange(rule, later);
    if (at === undefined || at > limit) return at;
    later = { ...context, at };
    if (holds(rule, later) !== value) return at;
  }
  return later.at;
}

interface Context extends EvaluateOptions {
  readonly player: PlayerView;
  /**
   * The facts that meet the conditions on their fields. The clock does not change these conditions, so one search is enough
   * for all moments. Most rules have no condition on facts, so the map is created with the first one.
   */
  readonly counted: { byCondition?: Map<Did, readonly FactRow[]> };
  readonly visit?: (row: TraceRow) => void;
}

/**
 * With `visit`, evaluates every condition even if an earlier one already decides the result, because the trace shows all of
 * them.
 */
function holds(group: Group, context: Context, path = ''): boolean {
  const { combinator, rules, not } = group;
  const { visit } = context;
  const isAll = combinator === 'and';
  let answer = isAll || rules.length === 0;
  let index = 0;
  for (const node of rules) {
    const nodePath = visit && `${path}/rules/${index}`;
    index += 1;
    if (nodeHolds(node, context, nodePath) === isAll) continue;
    answer = !isAll;
    if (visit === undefined) break;
  }
  return answer !== (not === true);
}

function nodeHolds(node: RuleNode, context: Context, path = ''): boolean {
  if (isGroup(node)) return holds(node, context, path);
  if (isDid(node)) {
    const actual = countFacts(node, context);
    const { match } = node;
    const answer = matches[match.mode](actual, match.threshold);
    context.visit?.({ path, field: node.field, operator: match.mode, value: match.threshold, actual, holds: answer });
    return answer;
  }
  const actual = context.player.value(node.field, context.at);
  const answer = compare(node, fieldOf(node.field, context.catalog), actual, context);
  const { field, operator, value } = node;
  context.visit?.({ path, field, operator, value, actual, holds: answer });
  return answer;
}

const matches: Record<MatchMode, (count: number, threshold: number) => boolean> = {
  atLeast: (count, threshold) => count >= threshold,
  atMost: (count, threshold) => count <= threshold,
  exactly: (count, threshold) => count === threshold,
};

function compare({ operator: name, value }: Comparison, field: Field, actual: Value, reading: Reading): boolean {
  const operator = operatorNamed(field, name);
  return actual === null ? operator.withoutValue === true : operator.holds({ actual, value, field, reading });
}

/** The time span does not include its old end and includes its new end, like that of `inLast`. */
function countFacts(did: Did, context: Context): number {
  const facts = factsOf(did, context);
  if (did.within === undefined) return facts.length;
  const { at } = context;
  const after = at - (readDuration(did.within) ?? 0);
  let count = 0;
  for (const fact of facts) if (fact.at > after && fact.at <= at) count += 1;
  return count;
}

/** The facts that meet the conditions on their fields, whenever they happened. */
function factsOf(did: Did, { player, catalog, at, zone, counted }: Context): readonly FactRow[] {
  counted.byCondition ??= new Map();
  const known = counted.byCondition.get(did);
  if (known !== undefined) return known;
  const { field, value } = did;
  const name = factNameOf(field);
  let facts = player.facts(name);
  if (value !== undefined) {
    const fields = fieldsOfFact(catalog, name);
    facts = facts.filter((fact) => factHolds(value, fact, fields, { at, zone }));
  }
  counted.byCondition.set(did, facts);
  return facts;
}

function factHolds(group: Group, fact: FactRow, fields: ReadonlyMap<string, Field>, reading: Reading): boolean {
  const { combinator, rules, not } = group;
  const isAll = combinator === 'and';
  let answer = isAll || rules.length === 0;
  for (const node of rules) {
    if (factNodeHolds(node, fact, fields, reading) === isAll) continue;
    answer = !isAll;
    break;
  }
  return answer !== (not === true);
}

function factNodeHolds(node: RuleNode, fact: FactRow, fields: ReadonlyMap<string, Field>, reading: Reading): boolean {
  if (isGroup(node)) return factHolds(node, fact, fields, reading);
  const field = fields.get(node.field);
  if (field === undefined) throw new Error(`the fact has no field ${node.field}`);
  return compare(node as Comparison, field, fact[node.field] ?? null, reading);
}

const fieldsByFact = new WeakMap<Catalog, Map<string, ReadonlyMap<string, Field>>>();

function fieldsOfFact(catalog: Catalog, name: string): ReadonlyMap<string, Field> {
  const ofCatalog = fieldsByFact.get(catalog) ?? new Map<string, ReadonlyMap<string, Field>>();
  fieldsByFact.set(catalog, ofCatalog);
  const known = ofCatalog.get(name);
  if (known !== undefined) return known;
  const fields = new Map(catalog.fact(name)?.fields.map((one) => [one.name, one]));
  ofCatalog.set(name, fields);
  return fields;
}

function nextChange(node: RuleNode, context: Context): Micros | undefined {
  const { at, player } = context;
  if (isGroup(node)) {
    let next: Micros | undefined;
    for (const child of node.rules) next = earlier(next, nextChange(child, context));
    return next;
  }
  if (isDid(node)) {
    if (node.within === undefined) return undefined;
    const length = readDuration(node.within) ?? 0;
    let next: Micros | undefined;
    for (const fact of factsOf(node, context)) {
      // A fact counts from the moment when it happens, and stops counting `within` later.
      const moment = fact.at > at ? fact.at : fact.at + length;
      if (moment > at) next = earlier(next, moment);
    }
    return next;
  }
  const field = fieldOf(node.field, context.catalog);
  const operator = operatorNamed(field, node.operator);
  const actual = player.value(node.field, at);
  const byTime =
    actual === null ? undefined : operator.changesAfter?.({ actual, value: node.value, field, reading: context });
  return firstAfter(at, player.changesAfter(node.field, at), byTime);
}

function earlier(one: Micros | undefined, other: Micros | undefined): Micros | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

function fieldOf(name: string, catalog: Catalog): Field {
  const field = catalog.field(name);
  if (field === undefined) throw new Error(`unknown field ${name}`);
  return field;
}

function operatorNamed(field: Field, name: string) {
  const operator = operatorOf(field, name);
  if (operator === undefined) throw new Error(`${field.name} has no operator ${name}`);
  return operator;
}
