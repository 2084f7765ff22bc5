import { readDuration } from './duration.ts';
import { type Catalogue, type Field, factNameOf } from './field.ts';
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
import { SqlWriter } from './sql-writer.ts';
import type { Reading } from './value.ts';

/** Where facts of a kind are found. Their rows are those in force. */
export interface FactSource {
  /** A table expression, `payment f`, which gives one row per fact. */
  readonly from: string;
  readonly playerId: string;
  readonly at: string;
  /** SQL of a field, of the type of its kind: number numeric, text text, moment timestamptz, date date, status text, flag boolean, list text[]. */
  readonly field: (name: string) => string;
}

/** Says where values are found. The players of the statement are `p`, with a column player_id. */
export interface SqlSource {
  /** SQL of a field of the player `p`, of the type of its kind; it may ask the writer for joins. */
  field(name: string, writer: SqlWriter): string;
  facts(kind: string): FactSource;
}

export interface CompiledRule {
  /** To stand behind `from <players> p`. */
  joins: string;
  /** True, false, never null. */
  condition: string;
  /** The parameters that joins and condition name, behind those that were given. */
  values: unknown[];
}

export interface CompileOptions extends Reading {
  readonly catalogue: Catalogue;
  readonly source: SqlSource;
  /** Parameters of the statement that it is put into: they keep their numbers. */
  readonly values?: readonly unknown[];
}

/**
 * The rule as SQL over all players at once: the answer for each is that of `evaluate`.
 *
 * @param rule checked by `checkRule`; throws on a rule that does not fit the catalogue.
 */
export function compileToSql(rule: Rule, { catalogue, source, at, zone, values }: CompileOptions): CompiledRule {
  const writer = new SqlWriter({ at, zone }, values);
  const condition = compileGroup(rule, (node) => compileNode(node, { catalogue, source, writer }));
  return { joins: writer.joins, condition, values: writer.values };
}

interface Context {
  readonly catalogue: Catalogue;
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
  const field = context.catalogue.field(node.field);
  if (field === undefined) throw new Error(`unknown field ${node.field}`);
  return compare(node, field, context.source.field(node.field, context.writer), context.writer);
}

function compare({ operator: name, value }: Comparison, field: Field, expression: string, writer: SqlWriter): string {
  const operator = operatorOf(field, name);
  if (operator === undefined) throw new Error(`${field.name} has no operator ${name}`);
  return `coalesce(${operator.sql(expression, value, writer, field)}, ${operator.withoutValue === true})`;
}

/** Counted once per player in a join; a player without a row has none. */
function compileDid(did: Did, { catalogue, source, writer }: Context): string {
  const name = factNameOf(did.field);
  const { from, playerId, at, field } = source.facts(name);
  const fields = new Map(catalogue.fact(name)?.fields.map((one) => [one.name, one]));
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
  return `coalesce(${alias}.n, 0) ${comparisons[did.match.mode]} ${writer.parameter(did.match.threshold, 'bigint')}`;
}

function within(duration: string, at: string, writer: SqlWriter): string {
  const from = writer.moment(writer.reading.at - (readDuration(duration) ?? 0));
  return `${at} > ${from} and ${at} <= ${writer.now()}`;
}

const comparisons: Record<MatchMode, string> = { atLeast: '>=', atMost: '<=', exactly: '=' };
