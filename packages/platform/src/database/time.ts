import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';

/**
 * The time of the database: the start of its transaction, as returned by now().
 *
 * Due times and claims use the database's clock, so processes with different clocks agree on them. A statement that
 * changes rows takes the time as a parameter, because a statement whose result depends on now() cannot run in a cell
 * that is distributed (docs/decisions/1202).
 */
export async function databaseTime(db: Pool | ClientBase): Promise<Micros> {
  const { rows } = await db.query<{ at: Micros }>({ name: 'database_time', text: 'select now() as at' });
  return (rows[0] as { at: Micros }).at;
}
