import type { DecimalText } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { allTotals } from '../families/index.ts';
import type { Measures, TotalsSpec } from '../totals/index.ts';
import { evaluate } from '../traits/index.ts';
import { type Figure, figures, figuresOf } from './figures.ts';

/** One day of a brand, in its time zone. */
export interface RollupDay {
  day: string;
  /**
   * Players with at least one counted fact of the family on that day. The numbers cannot be summed over families or
   * days.
   */
  players: Record<string, number>;
  /**
   * By name: counts are numbers; amounts in the base currency and ratios are decimal text; null for a division by zero.
   */
  figures: Record<string, number | DecimalText | null>;
}

/**
 * The days from `first` to `last` (YYYY-MM-DD, both inclusive), newest first, including days without events. It reads a
 * few rows per day and family, regardless of the number of players.
 *
 * @param family only figures of this family: 'casino', 'sports', 'lottery', ...
 */
export async function readRollups(
  db: Pool | ClientBase,
  brandId: number,
  { first, last }: { first: string; last: string },
  family?: string,
): Promise<RollupDay[]> {
  const wanted = family === undefined ? figures : figuresOf(family);
  const totals = allTotals.filter(({ spec }) => family === undefined || spec.family === family);
  const families = new Map(
    await Promise.all(
      totals.map(async ({ spec }) => [spec.family, await readFamily(db, spec, brandId, first, last)] as const),
    ),
  );
  return daysBetween(first, last).map((day) => {
    const rows = new Map([...families].map(([name, days]) => [name, days.get(day) ?? nothing]));
    return {
      day,
      players: Object.fromEntries([...rows].map(([name, { players }]) => [name, players])),
      figures: Object.fromEntries(wanted.map((figure) => [figure.name, valueOn(figure, rows)])),
    };
  });
}

type FamilyDay = Measures & { players: number };

const nothing: FamilyDay = { players: 0, counts: {}, sums: {}, biggest: {}, dates: {} };

/** The sums over the rows of all sources of a day. */
async function readFamily(
  db: Pool | ClientBase,
  { family, counts, sums }: TotalsSpec,
  brandId: number,
  first: string,
  last: string,
): Promise<Map<string, FamilyDay>> {
  const columns = [
    ...counts.map((name) => `sum(${name})::bigint as ${name}`),
    ...sums.map((name) => `trim_scale(sum(${name})) as ${name}`),
  ];
  const { rows } = await db.query<Record<string, number | string> & { day: string; players: number }>({
    name: `read_${family}_rollup`,
    text: `select day, sum(players)::int as players, ${columns.join(', ')}
           from ${family}_brand_day where brand_id = $1 and day between $2 and $3 group by day`,
    values: [brandId, first, last],
  });
  return new Map(
    rows.map((row) => [
      row.day,
      {
        ...nothing,
        players: row.players,
        counts: Object.fromEntries(counts.map((name) => [name, Number(row[name])])),
        sums: Object.fromEntries(sums.map((name) => [name, String(row[name])])),
      },
    ]),
  );
}

function valueOn({ kind, source }: Figure, rows: ReadonlyMap<string, FamilyDay>): number | DecimalText | null {
  const value = evaluate(source.formula, (family) => rows.get(family) ?? nothing);
  return value !== null && kind === 'number' ? Number(value) : value;
}

function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(last); at >= Date.parse(first); at -= 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
