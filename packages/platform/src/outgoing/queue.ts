import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../database/index.ts';

/*
 * A table whose rows are calls that wait to be made. Each row has `due_at`, the time at which it may be claimed, and
 * `claim`, the number of the worker's claim on it:
 *
 *   due ----claim----> claimed ----the runner writes the answer---->  done, due later, ended
 *    ^                    |
 *    '--- expired, or ----'
 *         given back
 *
 * A claim is a number that no other claim of any queue has ever had, together with `due_at`, the time at which it
 * expires. A worker may write only while it holds both. The rows of a dead worker become due again when their claims
 * expire. A worker that was stopped and wakes up finds its claim expired, and writes nothing.
 *
 * Times are those of the database's clock, so workers whose own clocks differ agree on what is due. The number and the
 * time are read once per round and passed to the claiming statement as parameters: an UPDATE whose result depends on
 * now() or nextval() cannot run in a cell of a distributed database (docs/decisions/1202).
 */
type ColumnType = 'bigint' | 'int' | 'smallint' | 'text' | 'uuid';
type Columns = Readonly<Record<string, ColumnType>>;

export interface QueueSpec {
  /** The name of the table. It has the columns `due_at timestamptz` and `claim bigint`. */
  table: string;
  /** Its primary key. */
  key: Columns;
  /** The columns that identify a place. An index must start with these columns, followed by `due_at`. */
  place: Columns;
  /** Which rows wait for a call; constant SQL on `q`, the condition of that index. Default: all that have a `due_at`. */
  waits?: string;
  /** What a claim returns besides key and place; constant SQL on `q`, each with a column name, such as `q.brand_id`. */
  brings?: readonly string[];
  /** What `lock` returns of a row; constant SQL on `q`. Default: the key. */
  reads?: string;
}

/** The numbers of a round's claims, and the database time of the round. */
export interface Ticket {
  /** The first of 100,000 numbers; a round claims fewer rows. */
  claim: number;
  at: Micros;
}

export interface Wanted {
  /** Maximum number of rows. */
  free: number;
  /** How long the claims hold. */
  claim_ms: number;
  /** Rows that were due before this time are left for another round. Default: no limit. */
  since?: Micros | undefined;
}

export async function takeTicket(pool: Pool): Promise<Ticket> {
  const { rows } = await pool.query<Ticket>({
    name: 'take_outgoing_ticket',
    text: `select nextval('outgoing_claim') as claim, now() as at`,
  });
  return rows[0] as Ticket;
}

/**
 * @typeParam Place columns that identify a place
 * @typeParam Claim `claim`, key, place, and the columns of `brings`
 * @typeParam Row what `lock` returns
 */
export class Queue<Place extends object, Claim extends { claim: number }, Row extends object = object> {
  readonly spec: QueueSpec;
  readonly #waits: string;
  readonly #keys: [string, ColumnType][];
  readonly #places: [string, ColumnType][];
  readonly #claimText: string;

  constructor(spec: QueueSpec) {
    this.spec = spec;
    this.#waits = spec.waits ?? 'true';
    this.#keys = Object.entries(spec.key);
    this.#places = Object.entries(spec.place);
    this.#claimText = this.#claimStatement();
  }

  /** Identifies a place, for slots and circuits. A claim has the key of its place. */
  keyOf(place: Place | Claim): string {
    const columns = place as Record<string, unknown>;
    return this.#places.map(([name]) => String(columns[name])).join(' ');
  }

  /**
   * Claims due rows, oldest first, up to the given number per place. Skips locked rows, so that two workers never wait
   * for each other.
   *
   * @param ticket default: a new one
   */
  async claim(pool: Pool, wanted: readonly (Place & Wanted)[], ticket?: Ticket): Promise<Claim[]> {
    if (wanted.length === 0) return [];
    const { claim, at } = ticket ?? (await takeTicket(pool));
    const columns = wanted as readonly (Record<string, unknown> & Wanted)[];
    const { rows } = await pool.query<Claim>({
      name: `outgoing_claim_${this.spec.table}`,
      text: this.#claimText,
      values: [
        claim,
        timestamptzText(at),
        columns.map(({ free }) => free),
        columns.map(({ claim_ms }) => claim_ms),
        columns.map(({ since = 0 }) => since),
        ...this.#places.map(([name]) => columns.map((column) => column[name])),
      ],
    });
    return rows;
  }

  #claimStatement(): string {
    const { table, brings = [] } = this.spec;
    const keys = this.#keys.map(([name]) => name);
    const places = this.#places.map(([name]) => name);
    const arrays = this.#places.map(([, type], n) => `$${n + 6}::${type}[]`);
    return `with due as (
         select ${keys.map((key) => `d.${key}`).join(', ')}, w.claim_ms, row_number() over () - 1 as n
           from unnest($3::int[], $4::int[], $5::timestamptz[], ${arrays.join(', ')})
                  as w (free, claim_ms, since, ${places.join(', ')})
          cross join lateral (
            select ${keys.map((key) => `q.${key}`).join(', ')} from ${table} q
             where ${places.map((place) => `q.${place} = w.${place}`).join(' and ')} and ${this.#waits}
               and q.due_at <= $2::timestamptz and q.due_at > w.since
             order by q.due_at limit w.free for update skip locked
          ) d
       )
       update ${table} q
          set claim = $1::bigint + due.n, due_at = $2::timestamptz + due.claim_ms * interval '1 millisecond'
         from due where ${keys.map((key) => `q.${key} = due.${key}`).join(' and ')}
       returning ${['q.claim', ...[...new Set([...keys, ...places])].map((column) => `q.${column}`), ...brings].join(', ')}`;
  }

  /** Releases claims that still hold and whose calls have not started. Their rows are due immediately. */
  async release(pool: Pool, claims: readonly Claim[]): Promise<number> {
    if (claims.length === 0) return 0;
    const { table } = this.spec;
    const at = await databaseTime(pool);
    const keys = this.#keys.map(([name]) => name);
    const { rowCount } = await pool.query({
      name: `outgoing_release_${table}`,
      text: `update ${table} q set claim = null, due_at = $1::timestamptz
               from (select * from ${this.#unnestClaims(2)} order by ${keys.join(', ')}) c
              where ${keys.map((key) => `q.${key} = c.${key}`).join(' and ')} and q.claim = c.claim and ${this.#waits}`,
      values: [timestamptzText(at), ...this.#claimArrays(claims)],
    });
    return rowCount ?? 0;
  }

  /** Whether a claim holds now and for the next `ms` milliseconds. Checked right before a late call. */
  async holdsFor(db: Pool | ClientBase, claim: Claim, ms: number): Promise<boolean> {
    const { rowCount } = await db.query({
      name: `outgoing_holds_${this.spec.table}`,
      text: `select from ${this.spec.table} q
              where ${this.#isKey(2)} and q.claim = $1 and q.due_at > clock_timestamp() + $${this.#keys.length + 2}::int * interval '1 millisecond'`,
      values: [claim.claim, ...this.#keyValues(claim), ms],
    });
    return (rowCount ?? 0) > 0;
  }

  /** Locks the row of a claim that still holds and whose call has not started; null otherwise. */
  async lock(tx: ClientBase, claim: Claim): Promise<Row | null> {
    const { reads = this.#keys.map(([key]) => `q.${key}`).join(', ') } = this.spec;
    const { rows } = await tx.query<Row>({
      name: `outgoing_lock_${this.spec.table}`,
      text: `select ${reads} from ${this.spec.table} q
              where ${this.#isKey(2)} and q.claim = $1 and ${this.#waits} and q.due_at > clock_timestamp() for update of q`,
      values: [claim.claim, ...this.#keyValues(claim)],
    });
    return rows[0] ?? null;
  }

  #isKey(first: number): string {
    return this.#keys.map(([key], n) => `q.${key} = $${first + n}`).join(' and ');
  }

  #keyValues(claim: Claim): unknown[] {
    const columns = claim as unknown as Record<string, unknown>;
    return this.#keys.map(([key]) => columns[key]);
  }

  #unnestClaims(first: number): string {
    const arrays = [['claim', 'bigint'] as const, ...this.#keys].map(([, type], n) => `$${first + n}::${type}[]`);
    return `unnest(${arrays.join(', ')}) as u (claim, ${this.#keys.map(([key]) => key).join(', ')})`;
  }

  #claimArrays(claims: readonly Claim[]): unknown[][] {
    const values = claims.map((claim) => this.#keyValues(claim));
    return [claims.map(({ claim }) => claim), ...this.#keys.map((_, n) => values.map((row) => row[n]))];
  }
}
