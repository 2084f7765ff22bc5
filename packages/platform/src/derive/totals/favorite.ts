import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { TotalsSpec } from './spec.ts';
import { daysOf, type Window, windowName } from './window.ts';

/**
 * How groups of split rows are ranked: by `most`, then by the sum of `ties`, then by the group's texts as bytes. Rows
 * whose texts are all empty come from facts without these names, and are never the favorite.
 */
export interface Ranking {
  readonly name: string;
  /** Some of the columns of `TotalsSpec.by`. */
  readonly group: readonly string[];
  readonly most: string;
  readonly ties: readonly string[];
}

/** The texts of the group, by column. */
export type Group = Readonly<Record<string, string>>;

/**
 * Reads the first group of each ranking in one statement, for the lifetime and for windows of days. The keys are `<ranking>
 * lifetime` and `<ranking> <windowName>`. A ranking in which nothing was counted has no entry.
 */
export async function readFavorites(
  db: Pool | ClientBase,
  spec: TotalsSpec,
  rankings: readonly Ranking[],
  player: { player_id: number; time_zone: string },
  now: Micros,
  windows: readonly (Window & { unit: 'days' })[],
): Promise<Map<string, Group>> {
  const bounds = windows.map((window) => daysOf(window, now, player.time_zone));
  const lifetime = `${spec.family}_total where player_id = $1`;
  const selects = rankings.flatMap((ranking) => [
    firstOf(ranking, `${ranking.name} lifetime`, lifetime),
    ...windows.map((window, i) =>
      firstOf(
        ranking,
        `${ranking.name} ${windowName(window)}`,
        `${spec.family}_day where player_id = $1 and day between $${2 * i + 2}::date and $${2 * i + 3}::date`,
      ),
    ),
  ]);
  const { rows } = await db.query<{ key: string; own: Group }>(selects.join('\nunion all\n'), [
    player.player_id,
    ...bounds.flat(),
  ]);
  return new Map(rows.map(({ key, own }) => [key, own]));
}

/** The names are constants of the code, and never come from a request. */
function firstOf({ group, most, ties }: Ranking, key: string, rows: string): string {
  const stake = ties.map((column) => `sum(${column})`).join(' + ');
  const named = group.map((column) => `${column} <> ''`).join(' or ');
  return `(select '${key}' as key, jsonb_build_object(${group.map((column) => `'${column}', ${column}`).join(', ')}) as own
    from ${rows} and (${named}) group by ${group.join(', ')} having sum(${most}) > 0
    order by sum(${most}) desc, ${stake} desc, ${group.map((column) => `${column} collate "C"`).join(', ')} limit 1)`;
}
