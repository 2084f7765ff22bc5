import { timestamptzText } from './types.ts';

/*
 * Generates the parts of statements for many rows from one list of columns: the names, the types, and the values as one array per column.
 * The generated casts allow the arrays to be sent in binary (array-parameters.ts).
 *
 *   const columns = columnsOf<Login>({ player_id: 'bigint', at: 'timestamptz', fingerprint: 'hash' });
 *   `insert into login (${columns.names}) select ${columns.stored('l')} from ${columns.given('l')}`
 */

/**
 * How a value is represented in TypeScript and in PostgreSQL:
 *
 *   hash           hex text in TypeScript, bytea in PostgreSQL
 *   jsonb          any JSON value; null is NULL
 *   timestamptz    Micros
 *   timestamptz[], date[], numeric[]   an array in one row: PostgreSQL has no arrays of arrays, so they are sent as JSON
 */
export type ColumnType =
  | ('bigint' | 'int' | 'smallint' | 'boolean' | 'text' | 'timestamptz' | 'date' | 'numeric')
  | ('hash' | 'jsonb' | 'timestamptz[]' | 'date[]' | 'numeric[]');

interface Travel {
  /** The type of the array in which it is sent. */
  carrier: string;
  /** Converts the value for the driver. Default: unchanged. */
  value?(value: unknown): unknown;
  /** Returns the SQL expression to store, from the expression of the sent value. Default: unchanged. */
  stored?(carried: string): string;
  /** Returns the SQL expression that reads the column. Default: the column itself. */
  read?(column: string): string;
}

const unnestedJson = (type: string) => (carried: string) =>
  `array(select x::${type} from jsonb_array_elements_text(${carried}) with ordinality as u(x, place) order by place)`;

const others: Partial<Record<ColumnType, Travel>> = {
  hash: { carrier: 'bytea', read: (column) => `encode(${column}, 'hex')` },
  jsonb: { carrier: 'jsonb', value: (value) => (value === null ? null : JSON.stringify(value)) },
  'timestamptz[]': {
    carrier: 'jsonb',
    value: (moments) => JSON.stringify((moments as readonly number[]).map(timestamptzText)),
    stored: unnestedJson('timestamptz'),
  },
  'date[]': { carrier: 'jsonb', value: JSON.stringify, stored: unnestedJson('date') },
  'numeric[]': { carrier: 'jsonb', value: JSON.stringify, stored: unnestedJson('numeric') },
};

export interface Columns<Row> {
  readonly list: readonly string[];
  /** 'player_id, at, ...' */
  readonly names: string;
  /** The rows of the arrays, as a table of these columns: unnest($1::bigint[], ...) as alias(player_id, ...) */
  given(alias: string, firstParameter?: number): string;
  /** The expressions to store for the given rows, in the order of `names`. */
  stored(alias: string): string;
  /** The expressions that read a table, under the columns' own names. */
  read(alias: string): string;
  /** One array per column. */
  values(rows: readonly Row[]): unknown[][];
}

export function columnsOf<Row extends object>(types: Readonly<Record<keyof Row & string, ColumnType>>): Columns<Row> {
  const list = Object.keys(types) as (keyof Row & string)[];
  const travels = list.map((name) => others[types[name]] ?? { carrier: types[name] });
  const expressions = (alias: string, of: 'stored' | 'read') =>
    list.map((name, i) => travels[i]?.[of]?.(`${alias}.${name}`) ?? `${alias}.${name}`);
  return {
    list,
    names: list.join(', '),
    given(alias, firstParameter = 1) {
      const arrays = travels.map(({ carrier }, i) => `$${firstParameter + i}::${carrier}[]`);
      return `unnest(${arrays.join(', ')}) as ${alias}(${list.join(', ')})`;
    },
    stored: (alias) => expressions(alias, 'stored').join(', '),
    read: (alias) =>
      expressions(alias, 'read')
        .map((expression, i) => `${expression} as ${list[i]}`)
        .join(', '),
    values: (rows) =>
      list.map((name, i) => {
        const value = travels[i]?.value;
        return value === undefined ? rows.map((row) => row[name]) : rows.map((row) => value(row[name]));
      }),
  };
}
