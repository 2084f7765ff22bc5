import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** What traits read about the bonuses that a player has now. */
export interface ActiveBonuses {
  count: number;
  base_amount: DecimalText;
  /** Null if no event of an active bonus contained it. */
  base_required_wagering: DecimalText | null;
  /** The time of the earliest grant; null without an active bonus. */
  oldest_at: Micros | null;
  next_expiry_at: Micros | null;
}

/**
 * A bonus that was granted and has not ended. A pending bonus is not the player's yet. Statuses that the interface does
 * not define do not count as active.
 */
export const isActive = `status in ('Created', 'Ongoing')`;

export async function readActiveBonuses(
  db: Pool | ClientBase,
  playerId: number,
  now: Micros,
): Promise<ActiveBonuses | undefined> {
  const { rows } = await db.query<ActiveBonuses>({
    name: 'read_active_bonuses',
    text: `select count(*)::int as count, coalesce(trim_scale(sum(base_amount)), 0) as base_amount,
                  trim_scale(sum(base_required_wagering)) as base_required_wagering, min(at) as oldest_at,
                  min(expires_at) filter (where expires_at > $2) as next_expiry_at
           from bonus where player_id = $1 and ${isActive}`,
    values: [playerId, timestamptzText(now)],
  });
  return rows[0];
}
