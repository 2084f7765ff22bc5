import type { SqlSource, SqlWriter } from '@croupier/rules';
import type { RuleCatalog } from './catalog.ts';
import { Joins, type Scope } from './joins.ts';
import { protectedSql } from './protection.ts';

export interface PlatformSource extends SqlSource {
  /** SQL, true or false: whether the player `p` is excluded or blocked. */
  protected(writer: SqlWriter): string;
}

/**
 * Where rules find their values in the platform's tables, for `compileToSql`. The statement is about `player p`.
 *
 * @param scope the players that the statement is about. With a scope, each table is read only for these players, for example by
 *   `player_id = any(...)`. So omit it only for nearly all players of the database. The parameters of the scope are the first parameters of
 *   the statement
 */
export function sqlSource(catalog: RuleCatalog, scope?: Scope): PlatformSource {
  const joinsOf = new WeakMap<SqlWriter, Joins>();
  const joins = (writer: SqlWriter) => {
    const known = joinsOf.get(writer) ?? new Joins(writer, scope);
    joinsOf.set(writer, known);
    return known;
  };
  return {
    field: (name, writer) => {
      const reading = catalog.reading(name);
      if (reading === undefined) throw new Error(`unknown field ${name}`);
      return reading.sql(joins(writer));
    },
    rowless: (name, writer) => catalog.reading(name)?.rowless?.(joins(writer)),
    comparison: (node, writer) => catalog.reading(node.field)?.comparison?.(node, joins(writer)),
    changesAfter: (name, writer) => catalog.reading(name)?.changesSql?.(joins(writer)),
    facts: (kind) => {
      const fact = catalog.facts.get(kind);
      if (fact === undefined) throw new Error(`unknown fact ${kind}`);
      const rows = fact.rows((column, ...more) => {
        const parts = [...(scope ? [scope(column)] : []), ...more];
        return `where ${parts.join(' and ')}`;
      });
      return { from: `(${rows}) f`, playerId: 'f.player_id', at: 'f.at', field: (name) => `f."${name}"` };
    },
    protected: (writer) => protectedSql(joins(writer)),
  };
}
