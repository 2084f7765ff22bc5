import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { SqlWriter, type Value } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import { awaitAll } from '../../database/index.ts';
import { Joins } from './joins.ts';

/** A row as read: counts are numbers, amounts decimal text, moments microseconds, days YYYY-MM-DD. */
export type Row = Readonly<Record<string, Value>>;

/** The rows loaded for one player. */
export interface PlayerRows {
  value(loaded: LoadedValue): Value;
  rows(loaded: LoadedRows): readonly Row[];
}

/** A value of the statement that returns one row per player. */
export interface LoadedValue {
  readonly name: string;
}

/** Rows of one table. */
export interface LoadedRows {
  /** The expressions to read from each row, by name. */
  readonly columns: Map<string, string>;
  readonly from: string;
  /** The columns by which rows are summed. If undefined, rows are read as they are. */
  readonly by: readonly string[] | undefined;
  /** Which rows are read. Undefined: none were requested yet. */
  since: Since | 'the beginning' | undefined;
}

/** Rows whose column is after a day or a moment. */
export interface Since {
  readonly column: string;
  readonly type: 'date' | 'timestamptz';
  readonly after: string;
}

/**
 * What a set of rules needs to know about players. It is collected before anything is read, so the number of statements does not depend on
 * the number of players. One statement reads all values that do not change with the clock, and one per table reads the rows that are
 * needed.
 */
export class LoadPlan {
  readonly at: Micros;
  readonly zone: string;
  readonly #prepared: boolean;
  readonly #joins: Joins;
  readonly #writer: SqlWriter;
  readonly #values: { name: string; sql: string }[] = [];
  readonly #valueKeys = new Map<string, LoadedValue>();
  readonly #tables = new Map<string, LoadedRows>();

  /**
   * @param prepared statements are prepared once per connection, for rules that are evaluated repeatedly. Then `load` must run in a
   *   transaction.
   */
  constructor({ at, zone, prepared }: { at: Micros; zone: string; prepared: boolean }) {
    this.#prepared = prepared;
    this.at = at;
    this.zone = zone;
    this.#writer = new SqlWriter({ at, zone }, [[]]);
    this.#joins = new Joins(this.#writer, inPlayers);
  }

  value(key: string, sql: (joins: Joins) => string): LoadedValue {
    const known = this.#valueKeys.get(key);
    if (known) return known;
    const value = { name: `v${this.#values.length + 1}` };
    this.#valueKeys.set(key, value);
    this.#values.push({ name: value.name, sql: sql(this.#joins) });
    return value;
  }

  /** @param by the columns whose combinations become one row each; undefined: rows are read as they are */
  rows(from: string, by?: readonly string[]): LoadedRows {
    const key = JSON.stringify([from, by]);
    const known = this.#tables.get(key);
    if (known) return known;
    const rows: LoadedRows = { from, by, columns: new Map(), since: undefined };
    this.#tables.set(key, rows);
    return rows;
  }

  /** @returns what is known about each player; undefined for one that does not exist, or was erased */
  async load(db: Pool | ClientBase, players: readonly number[]): Promise<(playerId: number) => PlayerRows | undefined> {
    const ids = [...new Set(players)];
    const [, values, , ...tables] = await awaitAll([
      this.#prepared ? db.query(joinByHash) : undefined,
      this.#readValues(db, ids),
      this.#prepared ? db.query(joinAsBefore) : undefined,
      ...[...this.#tables.values()].map(
        async (table) => [table, await readRows(db, table, ids, this.#prepared)] as const,
      ),
    ]);
    const byTable = new Map(tables);
    return (playerId) => {
      const own = values.get(playerId);
      return (
        own && {
          value: ({ name }) => own[name] ?? null,
          rows: (table) => byTable.get(table)?.get(playerId) ?? [],
        }
      );
    };
  }

  async #readValues(db: Pool | ClientBase, ids: readonly number[]): Promise<Map<number, Row>> {
    const columns = this.#values.map(({ name, sql }) => `, ${sql} as ${name}`).join('');
    const text = `select p.player_id${columns} from player p ${this.#writer.joins}
                  where p.player_id = any($1::bigint[]) and p.erased_at is null`;
    const { rows } = await db.query<Row & { player_id: number }>({
      ...(this.#prepared && { name: statementName(text) }),
      text,
      values: [ids, ...this.#writer.values.slice(1)],
    });
    return new Map(rows.map((row) => [row.player_id, row]));
  }
}

/**
 * Planner settings for the statement that joins one row per player from some twenty tables. Hash joins are switched off on connections for
 * look-ups by key. Without them, PostgreSQL would compute the totals of all players again for each player: 45 ms instead of 10 for 200
 * players. Each table is limited to the players, so none is read as a whole.
 */
const joinByHash = 'set local enable_hashjoin = on; set local enable_nestloop = off';
const joinAsBefore = 'set local enable_hashjoin to default; set local enable_nestloop to default';

const inPlayers = (column: string) => `${column} = any($1::bigint[])`;

async function readRows(
  db: Pool | ClientBase,
  { from, by, columns, since: wanted }: LoadedRows,
  ids: readonly number[],
  prepared: boolean,
): Promise<Map<number, Row[]>> {
  const since = wanted === 'the beginning' ? undefined : wanted;
  const shown = [...columns].map(([name, sql]) => `${sql} as "${name}"`);
  const text = `select ${['player_id', ...(by ?? []), ...shown].join(', ')} from ${from} t
                where ${inPlayers('player_id')} ${since ? `and ${since.column} > $2::${since.type}` : ''}
                ${by ? `group by ${['player_id', ...by].join(', ')}` : ''}`;
  const { rows } = await db.query<Row & { player_id: number }>({
    ...(prepared && { name: statementName(text) }),
    text,
    values: [ids, ...(since ? [since.after] : [])],
  });
  return Map.groupBy(rows, ({ player_id }) => player_id);
}

/** Names of prepared statements, by their text. The same rules have the same texts in each round. */
const names = new Map<string, string>();
const maxNames = 2_000;

function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `rule_${createHash('sha256').update(text).digest('base64url').slice(0, 40)}`;
  if (names.size >= maxNames) names.clear();
  names.set(text, name);
  return name;
}

/** Extends the range of rows that are read from a table. */
export function readSince(rows: LoadedRows, since: Since | 'the beginning'): void {
  const known = rows.since;
  if (known === 'the beginning') return;
  if (since === 'the beginning' || known === undefined || since.after < known.after) rows.since = since;
}
