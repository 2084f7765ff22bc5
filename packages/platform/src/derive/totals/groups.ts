import type { ClientBase, Pool } from 'pg';
import { type Measures, measuresOf, type Row } from './read.ts';
import type { TotalsSpec } from './spec.ts';

/** Maximum number of groups read per player. No player uses more vendors, but an operator may send arbitrary ids. */
const maxGroups = 1_000;

/** The lifetime totals for each value of `column`, in the byte order of these values. `column` is the only column of `TotalsSpec.by`. */
export async function readGroups(
  db: Pool | ClientBase,
  spec: TotalsSpec,
  column: string,
  playerId: number,
): Promise<Map<string, Measures>> {
  const { rows } = await db.query<Row>(
    `select * from ${spec.family}_total where player_id = $1 order by ${column} collate "C" limit $2`,
    [playerId, maxGroups],
  );
  return new Map(rows.map((row) => [String(row[column]), measuresOf(spec, row)]));
}
