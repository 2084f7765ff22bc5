import type { ClientBase } from 'pg';
import { type Columns, type ColumnType, columnsOf } from '../../database/index.ts';

/**
 * The table of a family's facts and the statements that maintain it, all derived from one list of columns. The
 * statements name the table without a schema: the search path of the connection selects the live state, a rebuild's, or
 * the baseline.
 */
export interface FactTable<Fact, Key extends keyof Fact, Stored = Fact> {
  readonly name: string;
  /** The columns that are loaded, for statements of the family that find facts by something other than their keys. */
  readonly columns: Columns<Fact>;
  /** The key as one string. Facts in memory are indexed by it. */
  keyOf(key: Pick<Fact, Key>): string;
  /** Loads the facts that a batch may change, by `keyOf`, in one statement. Facts that do not exist yet are missing. */
  load(tx: ClientBase, keys: readonly Pick<Fact, Key>[]): Promise<Map<string, Fact>>;
  /**
   * Inserts or replaces facts in one statement, whatever the size of the batch. A fact that consists only of its key is
   * not changed. No key may occur twice.
   */
  save(tx: ClientBase, facts: readonly Stored[]): Promise<void>;
  remove(tx: ClientBase, keys: readonly Pick<Fact, Key>[]): Promise<void>;
}

type Types<Row, Names extends keyof Row> = Readonly<Record<Names & string, ColumnType>>;

export interface FactTableSpec<Fact, Key extends keyof Fact, Stored> {
  name: string;
  /** In the order of the primary key: player_id first. */
  key: Types<Fact, Key>;
  columns: Types<Fact, Exclude<keyof Fact, Key>>;
  /** Columns that are only for other statements and for indexes. They are written, but never loaded. */
  unread?: Types<Stored, Exclude<keyof Stored, keyof Fact>>;
}

export function factTable<Fact extends object, Key extends keyof Fact, Stored extends Fact = Fact>(
  spec: FactTableSpec<Fact, Key, Stored>,
): FactTable<Fact, Key, Stored> {
  const { name } = spec;
  const keys = columnsOf<Pick<Fact, Key>>(spec.key as Types<Pick<Fact, Key>, Key>);
  const loaded = columnsOf<Fact>({ ...spec.key, ...spec.columns } as Types<Fact, keyof Fact>);
  const others = columnsOf({ ...spec.columns, ...spec.unread });
  const stored = columnsOf<Stored>({ ...spec.key, ...spec.columns, ...spec.unread } as Types<Stored, keyof Stored>);
  const matching = keys.list.map((column) => `t.${column} = k.${column}`).join(' and ');
  // `offset 0` keeps the planner from joining whole tables. Each key is then one index lookup.
  const load = `select ${loaded.read('f')} from ${keys.given('k')}
    cross join lateral (select * from ${name} t where ${matching} offset 0) f`;
  const changes = others.list.map((column) => `${column} = excluded.${column}`).join(', ');
  const save = `insert into ${name} (${stored.names}) select ${stored.stored('f')} from ${stored.given('f')}
    on conflict (${keys.names}) do ${changes === '' ? 'nothing' : `update set ${changes}`}`;
  const remove = `delete from ${name} t using ${keys.given('k')} where ${matching}`;
  const keyTextOf = (key: Pick<Fact, Key>) => (keys.list as Key[]).map((column) => key[column]).join(':');
  return {
    name,
    columns: loaded,
    keyOf: keyTextOf,
    async load(tx, wanted) {
      if (wanted.length === 0) return new Map();
      const { rows } = await tx.query<Fact>({ name: `load_${name}`, text: load, values: keys.values(wanted) });
      return new Map(rows.map((row) => [keyTextOf(row), row]));
    },
    async save(tx, facts) {
      if (facts.length === 0) return;
      await tx.query({ name: `save_${name}`, text: save, values: stored.values(facts) });
    },
    async remove(tx, gone) {
      if (gone.length === 0) return;
      await tx.query({ name: `remove_${name}`, text: remove, values: keys.values(gone) });
    },
  };
}
