import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { derivedTables } from '../families/index.ts';
import { comparedSince, youngRows } from '../state-hash.ts';

/** The rows that only one side has, keyed by table. A person looks at them to understand a difference. */
export type DifferingRows = Record<string, { live: unknown[]; rebuilt: unknown[] }>;

/** Maximum number of rows stored per side and table. For a player with more differences these show the pattern. */
const maxRows = 20;

/** @param tables those for which the player's hashes differ */
export async function differingRows(
  sides: { live: ClientBase; shadow: Pool; schema: string },
  playerId: number,
  tables: readonly string[],
  now: Micros,
): Promise<DifferingRows> {
  const rows: DifferingRows = {};
  for (const name of tables) {
    const live = await rowsOf(sides.live, 'live', name, playerId, now);
    const rebuilt = await rowsOf(sides.shadow, sides.schema, name, playerId, now);
    rows[name] = { live: onlyIn(live, rebuilt), rebuilt: onlyIn(rebuilt, live) };
  }
  return rows;
}

function onlyIn(side: readonly string[], other: readonly string[]): unknown[] {
  const theirs = new Set(other);
  return side
    .filter((row) => !theirs.has(row))
    .slice(0, maxRows)
    .map((row): unknown => JSON.parse(row));
}

async function rowsOf(
  db: ClientBase | Pool,
  schema: string,
  name: string,
  playerId: number,
  now: Micros,
): Promise<string[]> {
  const table = derivedTables.find((one) => one.name === name);
  const young = table === undefined ? undefined : youngRows(table);
  const { rows } = await db.query<{ row: string }>(
    `select (to_jsonb(t) - 'player_id')::text as row from ${schema}.${name} t
     where player_id = $1 and ${young ?? '$2::timestamptz is not null'}`,
    [playerId, timestamptzText(comparedSince(now))],
  );
  return rows.map(({ row }) => row);
}
