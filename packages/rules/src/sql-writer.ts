import type { Micros } from '@croupier/contracts';
import { momentText } from './calendar.ts';
import type { Reading } from './value.ts';

/**
 * Gathers the parts of a statement over all players: parameters, and joins that several conditions share.
 *
 * Joins are left joins of rows that are aggregated per player, so that PostgreSQL hashes each table once instead of asking it once
 * per player.
 */
export class SqlWriter {
  readonly reading: Reading;
  readonly values: unknown[] = [];
  readonly #joins = new Map<string, { alias: string; text: string }>();

  constructor(reading: Reading, values: readonly unknown[] = []) {
    this.reading = reading;
    this.values.push(...values);
  }

  /** @returns the placeholder of a parameter, `$3::numeric`. */
  parameter(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  moment(at: Micros): string {
    return this.parameter(momentText(at), 'timestamptz');
  }

  /** The moment of reading. */
  now(): string {
    return this.moment(this.reading.at);
  }

  /** The brand's day of the moment of reading. */
  today(): string {
    return `(${this.now()} at time zone ${this.parameter(this.reading.zone, 'text')})::date`;
  }

  /**
   * @param key what is joined; the same key is joined once
   * @param table SQL of a table expression with a column player_id, at most one row per player
   * @returns its alias.
   */
  join(key: string, table: () => string): string {
    const known = this.#joins.get(key);
    if (known) return known.alias;
    const alias = `j${this.#joins.size + 1}`;
    const entry = { alias, text: '' };
    this.#joins.set(key, entry);
    entry.text = `left join ${table()} ${alias} on ${alias}.player_id = p.player_id`;
    return alias;
  }

  get joins(): string {
    return [...this.#joins.values()].map(({ text }) => text).join('\n');
  }
}
