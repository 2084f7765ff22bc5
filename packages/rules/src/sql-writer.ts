import type { Micros } from '@croupier/contracts';
import { momentText } from './calendar.ts';
import type { Reading } from './value.ts';

/**
 * Collects the parts of a statement over all players: parameters, and joins that several conditions share.
 *
 * Joins are left joins of rows that are aggregated per player, so that PostgreSQL hashes each table once instead of
 * querying it once per player.
 */
export class SqlWriter {
  readonly reading: Reading;
  readonly values: unknown[] = [];
  readonly #joins = new Map<string, Join>();

  constructor(reading: Reading, values: readonly unknown[] = []) {
    this.reading = reading;
    this.values.push(...values);
  }

  /** @returns the placeholder of a parameter, `$3::numeric` */
  parameter(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  moment(at: Micros): string {
    return this.parameter(momentText(at), 'timestamptz');
  }

  /** The moment of evaluation. */
  now(): string {
    return this.moment(this.reading.at);
  }

  /** The brand's day at the moment of evaluation. */
  today(): string {
    return `(${this.now()} at time zone ${this.parameter(this.reading.zone, 'text')})::date`;
  }

  /**
   * @param key identifies the join; the same key is joined once
   * @param table SQL of a table expression with a column player_id and at most one row per player. It is called after
   *   the whole rule is compiled, so that everything several conditions need from one table is computed in one join
   * @returns its alias
   */
  join(key: string, table: () => string): string {
    const known = this.#joins.get(key);
    if (known) return known.alias;
    const alias = `j${this.#joins.size + 1}`;
    this.#joins.set(key, { alias, table });
    return alias;
  }

  get joins(): string {
    const texts: string[] = [];
    for (const join of this.#joins.values()) {
      join.text ??= `left join ${join.table()} ${join.alias} on ${join.alias}.player_id = p.player_id`;
      texts.push(join.text);
    }
    return texts.join('\n');
  }
}

interface Join {
  readonly alias: string;
  readonly table: () => string;
  /** Written once, because a second call would add parameters again. */
  text?: string;
}
