import { momentsBetween, playerZone, type Schedule } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { timestamptzText } from '../database/index.ts';

/** The next time at which time alone changes something, after `at` and up to `until`; `until` if there is none before. */
export async function nextMomentOf(
  pool: Pool,
  { brand_id, settings }: Brand,
  playerId: number,
  at: Micros,
  until: Micros,
): Promise<Micros> {
  const { rows } = await pool.query<{
    due: Micros | null;
    schedules: Schedule[];
    zone: string | null;
    country: string | null;
  }>(
    `select (select min(due) from (
              select due_at as due from campaign_run where player_id = $1 and due_at > $2
              union all select due_at from segment_due where player_id = $1 and due_at > $2) moments) as due,
            (select coalesce(jsonb_agg(s.schedule), '[]') from campaign_schedule s join campaign_active a using (campaign_id)
              where a.brand_id = $3) as schedules,
            f.extra ->> 'time_zone' as zone, f.country
       from player p left join player_profile f using (player_id) where p.player_id = $1`,
    [playerId, timestamptzText(at), brand_id],
  );
  const [row] = rows;
  if (row === undefined) return until;
  const own = playerZone(row, settings);
  const scheduled = row.schedules.flatMap((schedule) => {
    const zone = schedule.zone === 'player' ? own : settings.time_zone;
    return momentsBetween(schedule, at, until, zone).slice(0, 1);
  });
  return Math.min(until, ...scheduled, ...(row.due === null ? [] : [row.due]));
}
