import type { Micros } from '@croupier/contracts';
import { plusDays, type Value } from '@croupier/rules';
import Big from 'big.js';
import { type Ranking, type Window, windowName } from '../../../derive/index.ts';
import { type PlayerRows, type Row, readSince } from '../load-plan.ts';
import type { FieldReading, TimedValue } from '../reading.ts';
import { nextMoveSql } from './totals.ts';
import { bucketsOf, nextMove } from './window.ts';

/**
 * The first group of a ranking by a count. If counts are equal, the larger sum is first, then the smaller text as bytes
 * (derive/totals/favorite.ts). Groups without a name are never the favorite.
 *
 * @param window of days; undefined is the lifetime
 */
export function favoriteReading(
  source: { family: string; ranking: Ranking; show: string },
  window: Window | undefined,
): Omit<FieldReading, 'field'> {
  const { family, ranking, show } = source;
  const { group, most, ties } = ranking;
  const named = `(${group.map((column) => `${column} <> ''`).join(' or ')})`;
  const stake = ties.map((column) => `sum(${column})`).join(' + ');
  const key = `${family} favorite ${ranking.name} ${window ? windowName(window) : 'lifetime'}`;
  const sql: FieldReading['sql'] = (joins) => {
    const alias = joins.query(key, (where) => {
      const table = window === undefined ? `${family}_total` : `${family}_day`;
      const { writer } = joins;
      const days =
        window &&
        bucketsOf(window, writer.reading.at, writer.reading.zone).map((day) => writer.parameter(String(day), 'date'));
      return `select distinct on (player_id) * from (
                select player_id, ${group.join(', ')}, sum(${most}) as most, ${stake} as stake
                from ${table} ${where('player_id', named, ...(days ? [`day between ${days[0]} and ${days[1]}`] : []))}
                group by player_id, ${group.join(', ')} having sum(${most}) > 0) g
              order by player_id, most desc, stake desc, ${group.map((column) => `${column} collate "C"`).join(', ')}`;
    });
    return `${alias}.${show}`;
  };
  if (window === undefined) return { sql };
  return {
    sql,
    changesSql: (joins) => nextMoveSql(family, window, joins),
    timed: (loads) => {
      const loaded = loads.rows(`${family}_day`, ['day', ...group]);
      // Deposits and withdrawals are ranked over the same rows.
      const columns = { most: `most ${most}`, stake: `stake ${most}` };
      loaded.columns.set(columns.most, `sum(${most})`);
      loaded.columns.set(columns.stake, stake);
      const [first] = bucketsOf(window, loads.at, loads.zone);
      readSince(loaded, { column: 'day', type: 'date', after: plusDays(String(first), -1) });
      return (rows) => favoriteValue({ group, show, window, columns, zone: loads.zone }, rows.rows(loaded));
    },
  };
}

interface Ranked {
  readonly group: readonly string[];
  /** Names of the loaded columns. */
  readonly columns: { readonly most: string; readonly stake: string };
}

function favoriteValue(
  of: Ranked & { show: string; window: Window; zone: string },
  rows: ReturnType<PlayerRows['rows']>,
): TimedValue {
  const { group, show, window, zone } = of;
  const named = rows.filter((row) => group.some((column) => row[column] !== ''));
  return {
    value: (at) => firstOf(within(named, window, at, zone), of)?.[show] ?? null,
    changesAfter: (at) => nextMove(window, new Set(named.map((row) => String(row.day))), { at, zone }),
  };
}

function within(rows: readonly Row[], window: Window, at: Micros, zone: string): readonly Row[] {
  const [first, last] = bucketsOf(window, at, zone);
  return rows.filter(({ day }) => String(day) >= String(first) && String(day) <= String(last));
}

function firstOf(rows: readonly Row[], { group, columns }: Ranked): Record<string, Value> | undefined {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(group.map((column) => row[column])));
  const ranked = [...groups.values()]
    .map((own) => ({ row: own[0] as Row, most: total(own, columns.most), stake: total(own, columns.stake) }))
    .filter(({ most }) => most.gt(0))
    .sort((a, b) => b.most.cmp(a.most) || b.stake.cmp(a.stake) || byBytes(a.row, b.row, group));
  return ranked[0]?.row;
}

function total(rows: readonly Row[], column: string): Big {
  return rows.reduce((sum, row) => sum.plus(String(row[column] ?? 0)), new Big(0));
}

function byBytes(a: Row, b: Row, group: readonly string[]): number {
  for (const column of group) {
    const order = Buffer.compare(Buffer.from(String(a[column])), Buffer.from(String(b[column])));
    if (order !== 0) return order;
  }
  return 0;
}
