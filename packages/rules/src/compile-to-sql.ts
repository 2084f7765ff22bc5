import { eachCondition } from './check.ts';
import { readDuration } from './duration.ts';
import { type Catalog, type Field, factNameOf } from './field.ts';
import { type Operator, operatorOf } from './operators/index.ts';
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
import { SqlWriter } from './sql-writer.ts';
import type { Reading, Value } from './value.ts';

/** Where to find facts of a kind. Its rows are the facts in force. */
export interface FactSource {
  /** A table expression, such as `payment f`, with one row per fact. */
  readonly from: string;
  readonly playerId: string;
  readonly at: string;
  /**
   * SQL of a field, in the type of its kind: number numeric, text text, moment timestamptz, date date, status text,
   * flag boolean, list text[].
   */
  readonly field: (name: string) => string;
}

/** Defines where to find values. The players of the statement are `p`, with a column player_id. */
export interface SqlSource {
  /** SQL of a field of the player `p`, in the type of its kind; it may add joins to the writer. */
  field(name: string, writer: SqlWriter): string;
  /**
   * SQL of the first moment after the evaluation at which the value of a field may change without new data.
   * It may be too early, but not too late, like `PlayerView.changesAfter`. undefined: the value does not
   * change.
   */
  changesAfter(name: string, writer: SqlWriter): string | undefined;
  /**
   * The value of a field that depends on one join, for players without a row in that join. Omitted if no such value is
   * known.
   */
  rowless?(name: string, writer: SqlWriter): Rowless | undefined;
  /**
   * SQL that is true if a comparison holds, and false or null otherwise. Its form allows PostgreSQL to estimate how many players
   * it selects. If it is undefined, the result of `field` is compared.
   */
  comparison?(node: Comparison, writer: SqlWriter): string | undefined;
  facts(kind: string): FactSource;
}

export interface Rowless {
  /** The alias of the join. */
  readonly alias: string;
  readonly value: Value;
}

/** `changesAt` of a rule whose answer does not change with time alone. */
export const neverChanges = 'null::timestamptz';

export interface CompiledRule {
  /** The joins of the statement, to be inserted after `from <players> p`. */
  joins: string;
  /** True or false, never null. With `asFilter`, it may be null if the rule does not hold. */
  condition: string;
  /**
   * With `changes`: the first moment at which the condition may change without new data; null: never. It is never later
   * than `holds_until` of `evaluate`, and often earlier, because it considers each condition separately and does not
   * compute future values.
   */
  changesAt: string;
  /** The parameters of the statement: first the given ones, then the parameters of the joins and the condition. */
  values: unknown[];
}

export interface CompileOptions extends Reading {
  readonly catalog: Catalog;
  readonly source: SqlSource;
  /** Parameters of the surrounding statement. They keep their numbers. */
  readonly values?: readonly unknown[];
  /** True if `changesAt` is needed; it may require further joins. Default: false, and `changesAt` is null. */
  readonly changes?: boolean;
  /**
   * Set this if the condition is the only one in a where clause. The condition then requires the joined rows that every member
   * has. PostgreSQL can start with these rows instead of scanning all players. Default: false.
   */
  readonly asFilter?: boolean;
}

/**
 * The rule as SQL over all players at once. For each player it gives the same answer as `evaluate`.
 *
 * @param rule checked by `checkRule`; throws for a rule that does not fit the catalog
 */
export function compileToSql(
  rule: Rule,
  { catalog, source, at, zone, values, changes = false, asFilter = false }: CompileOptions,
): CompiledRule {
  const writer = new SqlWriter({ at, zone }, values);
  const context = { catalog, source, writer };
  const condition = asFilter ? compileFilter(rule, context) : compileGroup(rule, (node) => compileNode(node, context));
  const changesAt = changes ? compileChanges(rule, context) : neverChanges;
  return { joins: writer.joins, condition, changesAt, values: writer.values };
}

/** Each condition of a rule as SQL, by its JSON path. */
export interface CompiledConditions {
  joins: string;
  /** True or false, never null. */
  conditions: Map<string, { field: string; condition: string }>;
  values: unknown[];
}

/**
 * Compiles each condition of a rule separately, for callers that combine them with `combineConditions`. The check of a campaign
 * for missing values does this. Previews use segments/preview/without.ts instead.
 */
export function compileConditions(
  rule: Rule,
  { catalog, source, at, zone, values }: CompileOptions,
): CompiledConditions {
  const writer = new SqlWriter({ at, zone }, values);
  const conditions: CompiledConditions['conditions'] = new Map();
  eachCondition(rule, (node, path) => {
    conditions.set(path, { field: node.field, condition: compileNode(node, { catalog, source, writer }) });
  });
  return { joins: writer.joins, conditions, values: writer.values };
}

/**
 * The rule as SQL that combines its conditions. @param sqlOf returns the SQL of the condition at a path; undefined leaves it out
 */
export function combineConditions(rule: Rule, sqlOf: (path: string) => string | undefined, path = ''): string {
  const parts = rule.rules.flatMap((node, index) => {
    const own = `${path}/rules/${index}`;
    const sql = isGroup(node) ? combineConditions(node, sqlOf, own) : sqlOf(own);
    return sql === undefined ? [] : [sql];
  });
  const all = parts.length === 0 ? 'true' : `(${parts.join(` ${rule.combinator} `)})`;
  return rule.not === true ? `not ${all}` : all;
}

interface Context {
  readonly catalog: Catalog;
  readonly source: SqlSource;
  readonly writer: SqlWriter;
}

function compileGroup({ combinator, not, rules }: Group, compile: (node: Exclude<RuleNode, Group>) => string): string {
  const parts = rules.map((node) => (isGroup(node) ? compileGroup(node, compile) : compile(node)));
  const all = parts.length === 0 ? 'true' : `(${parts.join(` ${combinator} `)})`;
  return not === true ? `not ${all}` : all;
}

function compileNode(node: Exclude<RuleNode, Group>, context: Context): string {
  if (isDid(node)) return compileDid(node, context);
  const field = fieldOf(node, context.catalog);
  return compare(node, field, context.source.field(node.field, context.writer), context.writer);
}

function compare(node: Comparison, field: Field, expression: string, writer: SqlWriter): string {
  const operator = operatorOfNode(node, field);
  return `coalesce(${operator.sql(expression, node.value, writer, field)}, ${operator.withoutValue === true})`;
}

function fieldOf({ field: name }: Comparison, catalog: Catalog): Field {
  const field = catalog.field(name);
  if (field === undefined) throw new Error(`unknown field ${name}`);
  return field;
}

function operatorOfNode({ operator: name }: Comparison, field: Field): Operator {
  const operator = operatorOf(field, name);
  if (operator === undefined) throw new Error(`${field.name} has no operator ${name}`);
  return operator;
}

/*
 * A condition of a where clause. If it cannot hold for players without a row in a join, it requires the row, in a form
 * that lets PostgreSQL turn the left join into an inner join. Below `not` the answer for a missing row matters, so
 * conditions there are not changed.
 */
function compileFilter(group: Group, context: Context): string {
  if (group.not === true) return compileGroup(group, (node) => compileNode(node, context));
  const parts = group.rules.map((node) => (isGroup(node) ? compileFilter(node, context) : filterNode(node, context)));
  return parts.length === 0 ? 'true' : `(${parts.join(` ${group.combinator} `)})`;
}

function filterNode(node: Exclude<RuleNode, Group>, context: Context): string {
  if (isDid(node)) {
    const { alias, sql } = countedFacts(node, context);
    return withRow(alias, matches[node.match.mode](0, node.match.threshold), sql);
  }
  const { catalog, source, writer } = context;
  const comparison = source.comparison?.(node, writer);
  if (comparison !== undefined) return comparison;
  const field = fieldOf(node, catalog);
  const operator = operatorOfNode(node, field);
  const sql = operator.sql(source.field(node.field, writer), node.value, writer, field);
  const rowless = source.rowless?.(node.field, writer);
  const whole = operator.withoutValue === true ? `coalesce(${sql}, true)` : `(${sql})`;
  if (rowless === undefined) return whole;
  const { alias, value: actual } = rowless;
  const holds =
    actual === null
      ? operator.withoutValue === true
      : operator.holds({ actual, value: node.value, field, reading: writer.reading });
  return withRow(alias, holds, whole);
}

function withRow(alias: string, holdsWithout: boolean, sql: string): string {
  return holdsWithout ? sql : `(${alias}.player_id is not null and ${sql})`;
}

function compileDid(did: Did, context: Context): string {
  return countedFacts(did, context).sql;
}

/** A join counts the facts once per player. A player without a row has no facts. */
function countedFacts(did: Did, { catalog, source, writer }: Context): { alias: string; sql: string } {
  const name = factNameOf(did.field);
  const { from, playerId, at, field } = source.facts(name);
  const fields = new Map(catalog.fact(name)?.fields.map((one) => [one.name, one]));
  const alias = writer.join(JSON.stringify([did.field, did.within, did.value]), () => {
    const where = [
      ...(did.within === undefined ? [] : [within(did.within, at, writer)]),
      ...(did.value === undefined
        ? []
        : [
            compileGroup(did.value, (node) => {
              const known = fields.get(node.field);
              if (known === undefined) throw new Error(`${name} has no field ${node.field}`);
              return compare(node as Comparison, known, field(known.name), writer);
            }),
          ]),
    ];
    const condition = where.length === 0 ? '' : ` where ${where.join(' and ')}`;
    return `(select ${playerId} as player_id, count(*) as n from ${from}${condition} group by 1)`;
  });
  const sql = `coalesce(${alias}.n, 0) ${comparisons[did.match.mode]} ${writer.parameter(did.match.threshold, 'bigint')}`;
  return { alias, sql };
}

function within(duration: string, at: string, writer: SqlWriter): string {
  const from = writer.moment(writer.reading.at - (readDuration(duration) ?? 0));
  return `${at} > ${from} and ${at} <= ${writer.now()}`;
}

const comparisons: Record<MatchMode, string> = { atLeast: '>=', atMost: '<=', exactly: '=' };
const matches: Record<MatchMode, (count: number, threshold: number) => boolean> = {
  atLeast: (count, threshold) => count >= threshold,
  atMost: (count, threshold) => count <= threshold,
  exactly: (count, threshold) => count === threshold,
};

/** The earliest of the future moments of all conditions. PostgreSQL's `least` ignores nulls. */
function compileChanges(rule: Rule, context: Context): string {
  const moments = [...new Set(changesOf(rule, context))];
  if (moments.length === 0) return neverChanges;
  const now = context.writer.now();
  return `least(${moments.map((moment) => `case when ${moment} > ${now} then ${moment} end`).join(', ')})`;
}

function changesOf(node: RuleNode, context: Context): string[] {
  const { catalog, source, writer } = context;
  if (isGroup(node)) return node.rules.flatMap((child) => changesOf(child, context));
  if (isDid(node)) return node.within === undefined ? [] : changesOfCount(factNameOf(node.field), node.within, context);
  const field = catalog.field(node.field);
  if (field === undefined) throw new Error(`unknown field ${node.field}`);
  const changeOfField = source.changesAfter(node.field, writer);
  const { changesSql } = operatorOf(field, node.operator) ?? {};
  return [
    ...(changeOfField === undefined ? [] : [changeOfField]),
    ...(changesSql?.(source.field(node.field, writer), node.value, writer) ?? []),
  ];
}

/**
 * When the oldest fact of the time span leaves it, and when the first future fact enters it. Conditions on fields are
 * ignored.
 */
function changesOfCount(kind: string, duration: string, { source, writer }: Context): string[] {
  const { from, playerId, at } = source.facts(kind);
  const length = writer.parameter(`${readDuration(duration) ?? 0} microseconds`, 'interval');
  const alias = writer.join(JSON.stringify(['changes', kind, duration]), () => {
    const since = `${at} > ${writer.moment(writer.reading.at - (readDuration(duration) ?? 0))}`;
    const ahead = `${at} > ${writer.now()}`;
    return `(select ${playerId} as player_id, min(${at}) as oldest, min(${at}) filter (where ${ahead}) as coming from ${from} where ${since} group by 1)`;
  });
  return [`${alias}.oldest + ${length}`, `${alias}.coming`];
}
