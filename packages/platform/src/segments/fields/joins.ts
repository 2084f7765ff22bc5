import type { SqlWriter } from '@croupier/rules';

/** SQL of a condition on a column of player_ids: the players that a statement is about. Undefined: all players. */
export type Scope = (column: string) => string;

/**
 * The joins of one statement over many players. They are added to the `SqlWriter` of packages/rules. Each table is
 * joined once, with everything that the conditions of the rule need from it, and only for the players of the statement.
 */
export class Joins {
  readonly writer: SqlWriter;
  readonly #scope: Scope | undefined;
  readonly #aggregates = new Map<string, Aggregate>();

  constructor(writer: SqlWriter, scope: Scope | undefined) {
    this.writer = writer;
    this.#scope = scope;
  }

  /** @returns the alias of a table that has at most one row per player */
  table(name: string): string {
    return this.writer.join(name, () => (this.#scope ? `(select * from ${name} ${this.where('player_id')})` : name));
  }

  /**
   * @returns the alias of a subquery with at most one row per player; `where` limits it to the players of the statement
   */
  query(key: string, text: (where: Joins['where']) => string): string {
    return this.writer.join(key, () => `(${text((column, ...more) => this.where(column, ...more))})`);
  }

  /** The rows of a table, aggregated per player. */
  aggregate(key: string, from: string): Aggregate {
    const known = this.#aggregates.get(key);
    if (known) return known;
    const aggregate = new Aggregate();
    this.#aggregates.set(key, aggregate);
    aggregate.alias = this.query(key, (where) => {
      const columns = aggregate.columns.map(({ name, sql }) => `${sql} as ${name}`).join(', ');
      const bounds = aggregate.bounds();
      return `select player_id, ${columns} from ${from} t ${where('player_id', ...(bounds === undefined ? [] : [bounds]))} group by player_id`;
    });
    return aggregate;
  }

  /** A where clause: the players of the statement, and further conditions; empty if there are none. */
  where(column: string, ...more: readonly string[]): string {
    const parts = [...(this.#scope ? [this.#scope(column)] : []), ...more];
    return parts.length === 0 ? '' : `where ${parts.join(' and ')}`;
  }
}

/** The columns that conditions need from one table's rows per player. */
export class Aggregate {
  alias = '';
  readonly columns: { name: string; sql: string }[] = [];
  readonly #keys = new Map<string, string>();
  readonly #shared = new Map<string, string>();
  /** For each column, a SQL condition for the rows that it reads, such as a range of days; undefined if it reads all rows. */
  readonly #stretches: (string | undefined)[] = [];

  /**
   * @param key a column with the same key is computed only once
   * @param stretch a condition that all rows of this column satisfy. A row that satisfies no column's condition is not read
   */
  column(key: string, sql: () => string, stretch?: string): string {
    let name = this.#keys.get(key);
    if (name === undefined) {
      name = `c${this.columns.length + 1}`;
      this.#keys.set(key, name);
      this.columns.push({ name, sql: sql() });
      this.#stretches.push(stretch);
    }
    return `${this.alias}.${name}`;
  }

  /** A condition that several columns may use, by its key. */
  stretch(key: string, sql: () => string): string {
    let text = this.#shared.get(key);
    if (text === undefined) {
      text = sql();
      this.#shared.set(key, text);
    }
    return text;
  }

  bounds(): string | undefined {
    const stretches = [...new Set(this.#stretches)];
    if (stretches.length === 0 || stretches.includes(undefined)) return undefined;
    return `(${stretches.join(' or ')})`;
  }
}
