import type { Micros } from '@croupier/contracts';
import { readDuration } from './duration.ts';
import { type Catalogue, type Field, factNameOf } from './field.ts';
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
 * Evaluates a rule for one player. There are only two results: a comparison with an absent value is false, and
 * complements are exact.
 *
 * Time has an effect in three ways: spans before the moment of reading ("in the last hour"), windows of traits (the
 * view knows when they move), and days of the brand. Each condition returns the next moment at which its answer may
 * change. `holdsUntil` goes from one such moment to the next until the answer of the whole rule changes.
 */

/** One condition, with what it found. */
export interface TraceRow {
  /** JSON path in the rule. */
  path: string;
  field: string;
  operator: string;
  value: unknown;
  /** The player's value; for a condition on facts the count. */
  actual: Value;
  holds: boolean;
}

export interface Evaluation {
  value: boolean;
  /**
   * The first moment at which the answer changes if nothing new arrives; beyond the horizon, at which it may change.
   * null: it does not change.
   */
  holds_until: Micros | null;
  trace: TraceRow[];
}

export interface EvaluateOptions extends Reading {
  readonly catalogue: Catalogue;
  /**
   * How far ahead `holds_until` looks. Default: `horizon`. A shorter time costs less, and makes callers ask again
   * sooner.
   */
  readonly ahead?: Micros;
}

/**
 * How far ahead `holds_until` looks, and at how many moments. If a rule has not changed by then, it returns the next
 * moment at which the rule may change: early, but never late, and a new evaluation then continues. Otherwise
 * anniversaries would be followed for centuries.
 */
export const horizon: Micros = 800 * 86_400_000_000;
const maxMoments = 1_000;

/** @param rule checked by `checkRule`; throws for a rule that does not fit the catalogue */
export function evaluate(rule: Rule, player: PlayerView, options: EvaluateOptions): Evaluation {
  const trace: TraceRow[] = [];
  const value = holds(rule, { player, ...options, visit: (row) => trace.push(row) });
  return { value, holds_until: holdsUntil(rule, value, player, options) ?? null, trace };
}

function holdsUntil(rule: Rule, value: boolean, player: PlayerView, options: EvaluateOptions): Micros | undefined {
  let at: Micros | undefined = options.at;
  for (let moments = 0; moments < maxMoments; moments++) {
    at = nextChange(rule, { player, ...options, at });
    if (at === undefined || at > options.at + (options.ahead ?? horizon)) return at;
    if (holds(rule, { player, ...options, at }) !== value) return at;
  }
  return at;
}

interface Context extends EvaluateOptions {
  readonly player: PlayerView;
  readonly visit?: (row: TraceRow) => void;
}

/** Evaluates every condition, even if an earlier one already decides, because the trace shows all of them. */
function holds(group: Group, context: Context, path = ''): boolean {
  const answers = group.rules.map((node, index) => nodeHolds(node, context, `${path}/rules/${index}`));
  const all = answers.length === 0 || (group.combinator === 'and' ? answers.every(Boolean) : answers.some(Boolean));
  return all !== (group.not === true);
}

function nodeHolds(node: RuleNode, context: Context, path: string): boolean {
  if (isGroup(node)) return holds(node, context, path);
  if (isDid(node)) {
    const actual = countFacts(node, context);
    const { match } = node;
    const answer = matches[match.mode](actual, match.threshold);
    context.visit?.({ path, field: node.field, operator: match.mode, value: match.threshold, actual, holds: answer });
    return answer;
  }
  const actual = context.player.value(node.field, context.at);
  const answer = compare(node, fieldOf(node.field, context.catalogue), actual, context);
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

function countFacts(did: Did, context: Context): number {
  return factsOf(did, context).filter((fact) => isWithin(did, fact, context.at)).length;
}

/**
 * The facts that meet the conditions on their fields, whenever they happened. These conditions do not change with the
 * clock.
 */
function factsOf({ field, value }: Did, { player, catalogue, at, zone }: Context): readonly FactRow[] {
  const name = factNameOf(field);
  const facts = player.facts(name);
  if (value === undefined) return facts;
  const fields = new Map(catalogue.fact(name)?.fields.map((one) => [one.name, one]));
  return facts.filter((fact) => factHolds(value, fact, fields, { at, zone }));
}

function factHolds(group: Group, fact: FactRow, fields: ReadonlyMap<string, Field>, reading: Reading): boolean {
  const answers = group.rules.map((node) => {
    if (isGroup(node)) return factHolds(node, fact, fields, reading);
    const field = fields.get(node.field);
    if (field === undefined) throw new Error(`the fact has no field ${node.field}`);
    return compare(node as Comparison, field, fact[node.field] ?? null, reading);
  });
  const all = answers.length === 0 || (group.combinator === 'and' ? answers.every(Boolean) : answers.some(Boolean));
  return all !== (group.not === true);
}

/** Exclusive at the old end and inclusive at the new one, like `inLast`. */
function isWithin({ within }: Did, fact: FactRow, at: Micros): boolean {
  return within === undefined || (fact.at > at - (readDuration(within) ?? 0) && fact.at <= at);
}

function nextChange(node: RuleNode, context: Context): Micros | undefined {
  const { at, player } = context;
  if (isGroup(node)) return firstAfter(at, ...node.rules.map((child) => nextChange(child, context)));
  if (isDid(node)) {
    if (node.within === undefined) return undefined;
    const length = readDuration(node.within) ?? 0;
    return firstAfter(at, ...factsOf(node, context).flatMap((fact) => [fact.at, fact.at + length]));
  }
  const field = fieldOf(node.field, context.catalogue);
  const operator = operatorNamed(field, node.operator);
  const actual = player.value(node.field, at);
  const byTime =
    actual === null ? undefined : operator.changesAfter?.({ actual, value: node.value, field, reading: context });
  return firstAfter(at, player.changesAfter(node.field, at), byTime);
}

function fieldOf(name: string, catalogue: Catalogue): Field {
  const field = catalogue.field(name);
  if (field === undefined) throw new Error(`unknown field ${name}`);
  return field;
}

function operatorNamed(field: Field, name: string) {
  const operator = operatorOf(field, name);
  if (operator === undefined) throw new Error(`${field.name} has no operator ${name}`);
  return operator;
}
