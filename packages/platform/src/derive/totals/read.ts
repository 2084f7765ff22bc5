import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { TotalsSpec } from './spec.ts';
import { daysOf, hoursOf, type Window, windowName } from './window.ts';

/** The columns of a totals row, or of a window as the sum of its rows. Without events counts are 0 and sums '0'. */
export interface Measures {
  counts: Readonly<Record<string, number>>;
  sums: Readonly<Record<string, DecimalText>>;
  biggest: Readonly<Record<string, DecimalText | null>>;
  /** Keys are the columns <name>_first_at and <name>_last_at; lifetime only. */
  dates: Readonly<Record<string, Micros | null>>;
}

export interface PlayerTotals {
  lifetime: Measures;
  /** Keyed by `windowName`. */
  windows: ReadonlyMap<string, Measures>;
}

/** Reads the totals of one player from the live state, in one statement. Rows split by `TotalsSpec.by` are added up. */
export async function readTotals(
  db: Pool | ClientBase,
  spec: TotalsSpec,
  player: { player_id: number; time_zone: string },
  now: Micros,
  windows: readonly Window[],
): Promise<PlayerTotals> {
  const days = windows.filter((window) => window.unit === 'days');
  const hours = windows.filter((window) => window.unit === 'hours');
  const dayBounds = days.map((window) => daysOf(window, now, player.time_zone));
  const hourBounds = hours.map((window) => hoursOf(window.count, now).map(timestamptzText));
  const bounds = [dayBounds, hourBounds].flatMap((of) => [of.map(([first]) => first), of.map(([, last]) => last)]);
  const { rows } = await db.query<Row & { span: string; number: number }>({
    name: `read_${spec.family}_totals`,
    text: statementOf(spec),
    values: [player.player_id, ...bounds],
  });
  const bySpan = new Map(rows.map((row) => [`${row.span} ${row.number}`, row]));
  return {
    lifetime: measuresOf(spec, bySpan.get('lifetime 0')),
    windows: new Map([
      ...days.map((window, i) => [windowName(window), measuresOf(spec, bySpan.get(`day ${i + 1}`))] as const),
      ...hours.map((window, i) => [windowName(window), measuresOf(spec, bySpan.get(`hour ${i + 1}`))] as const),
    ]),
  };
}

/** A row of a totals table, or a sum of rows. */
export type Row = Record<string, number | string | null>;

function statementOf(spec: TotalsSpec): string {
  const columns = [
    ...spec.counts.map((name) => `sum(${name}) as ${name}`),
    ...spec.sums.map((name) => `trim_scale(sum(${name})) as ${name}`),
    ...spec.biggest.map((name) => `max(${name}) as ${name}`),
  ].join(', ');
  const dates = spec.dated.map(
    (name) => `, min(${name}_first_at) as ${name}_first_at, max(${name}_last_at) as ${name}_last_at`,
  );
  const noDates = spec.dated.map(() => ', null::timestamptz, null::timestamptz').join('');
  const window = (span: 'day' | 'hour', type: 'date' | 'timestamptz', place: number) =>
    `select '${span}', w.number, ${columns}${noDates}
     from unnest($${place}::${type}[], $${place + 1}::${type}[]) with ordinality as w(first, last, number)
     join ${spec.family}_${span} t on t.player_id = $1 and t.${span} between w.first and w.last
     group by w.number`;
  return `select 'lifetime' as span, 0 as number, ${columns}${dates.join('')} from ${spec.family}_total where player_id = $1
    union all ${window('day', 'date', 2)}
    union all ${window('hour', 'timestamptz', 4)}`;
}

export function measuresOf(spec: TotalsSpec, row: Row | undefined): Measures {
  const dates = spec.dated.flatMap((name) => [`${name}_first_at`, `${name}_last_at`]);
  return {
    counts: Object.fromEntries(spec.counts.map((name) => [name, Number(row?.[name] ?? 0)])),
    sums: Object.fromEntries(spec.sums.map((name) => [name, String(row?.[name] ?? '0')])),
    biggest: Object.fromEntries(spec.biggest.map((name) => [name, (row?.[name] as DecimalText | null) ?? null])),
    dates: Object.fromEntries(dates.map((name) => [name, (row?.[name] as Micros | null) ?? null])),
  };
}
