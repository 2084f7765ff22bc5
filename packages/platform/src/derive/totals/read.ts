import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { TotalsSpec } from './spec.ts';
import { daysOf, hoursOf, type Window, windowName } from './window.ts';

/** The columns of a totals row, or of a window as the sum of its rows. Counts are 0 and sums '0' where nothing happened. */
export interface Measures {
  counts: Readonly<Record<string, number>>;
  sums: Readonly<Record<string, DecimalText>>;
  biggest: Readonly<Record<string, DecimalText | null>>;
  /** Keys are the columns <name>_first_at and <name>_last_at; lifetime only. */
  dates: Readonly<Record<string, Micros | null>>;
}

export interface PlayerTotals {
  lifetime: Measures;
  /** By `windowName`. */
  windows: ReadonlyMap<string, Measures>;
}

/** Reads the totals of one player from the live state: one statement per table. */
export async function readTotals(
  db: Pool | ClientBase,
  spec: TotalsSpec,
  player: { player_id: number; time_zone: string },
  now: Micros,
  windows: readonly Window[],
): Promise<PlayerTotals> {
  const lifetime = await db.query<Row>(`select * from live.${spec.family}_total where player_id = $1`, [
    player.player_id,
  ]);
  const days = windows.filter((window) => window.unit === 'days');
  const hours = windows.filter((window) => window.unit === 'hours');
  const dayBounds = days.map((window) => daysOf(window.count, now, player.time_zone));
  const byDay = await readWindows(db, spec, 'day', player.player_id, dayBounds);
  const hourBounds = hours.map((window) => hoursOf(window.count, now).map(timestamptzText));
  const byHour = await readWindows(db, spec, 'hour', player.player_id, hourBounds);
  return {
    lifetime: measuresOf(spec, lifetime.rows[0]),
    windows: new Map([
      ...days.map((window, i) => [windowName(window), measuresOf(spec, byDay.get(i))] as const),
      ...hours.map((window, i) => [windowName(window), measuresOf(spec, byHour.get(i))] as const),
    ]),
  };
}

type Row = Record<string, number | string | null>;

async function readWindows(
  db: Pool | ClientBase,
  spec: TotalsSpec,
  unit: 'day' | 'hour',
  playerId: number,
  bounds: readonly string[][],
): Promise<Map<number, Row>> {
  if (bounds.length === 0) return new Map();
  const type = unit === 'day' ? 'date' : 'timestamptz';
  const columns = [
    ...spec.counts.map((name) => `sum(${name}) as ${name}`),
    ...spec.sums.map((name) => `trim_scale(sum(${name})) as ${name}`),
    ...spec.biggest.map((name) => `max(${name}) as ${name}`),
  ];
  const { rows } = await db.query<Row & { number: number }>(
    `select w.number, ${columns.join(', ')}
     from unnest($2::${type}[], $3::${type}[]) with ordinality as w(first, last, number)
     join live.${spec.family}_${unit} t on t.player_id = $1 and t.${unit} between w.first and w.last
     group by w.number`,
    [playerId, bounds.map(([first]) => first), bounds.map(([, last]) => last)],
  );
  return new Map(rows.map((row) => [row.number - 1, row]));
}

function measuresOf(spec: TotalsSpec, row: Row | undefined): Measures {
  const dates = spec.dated.flatMap((name) => [`${name}_first_at`, `${name}_last_at`]);
  return {
    counts: Object.fromEntries(spec.counts.map((name) => [name, Number(row?.[name] ?? 0)])),
    sums: Object.fromEntries(spec.sums.map((name) => [name, String(row?.[name] ?? '0')])),
    biggest: Object.fromEntries(spec.biggest.map((name) => [name, (row?.[name] as DecimalText | null) ?? null])),
    dates: Object.fromEntries(dates.map((name) => [name, (row?.[name] as Micros | null) ?? null])),
  };
}
