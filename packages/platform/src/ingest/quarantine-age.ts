import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';

/*
 * How long the quarantine keeps a body, and how many bodies per brand. The age of a body is the time since it was last
 * sent.
 *
 *     kept ----- quarantine_days; at most 30 days if it is not JSON --------------> removed
 *          ----- more than 100,000 of the brand: resolved ones first, then the oldest ----> removed
 *
 * A body that is not JSON may contain any player's data, and an erasure can only guess whose. So it is removed earlier.
 */
const unreadableDays = 30;
export const mostBodies = 100_000;
/** Removals are announced this long in advance. */
const announcedDays = 7;
/** From this share of the limit on, the overview announces that the limit is near. */
const nearlyFull = 0.9;
const rowsPerDelete = 1_000;
const day: Micros = 86_400_000_000;

function limitsAt(now: Micros, quarantineDays: number) {
  return {
    readable: timestamptzText(now - quarantineDays * day),
    unreadable: timestamptzText(now - Math.min(quarantineDays, unreadableDays) * day),
  };
}

/**
 * Removes one brand's bodies that are too old, in small statements.
 *
 * @returns the number of bodies, and how many of them were unresolved
 */
export async function removeOld(
  pool: Pool,
  of: { brand_id: number; quarantine_days: number },
  now: Micros,
): Promise<{ removed: number; open: number }> {
  const { readable, unreadable } = limitsAt(now, of.quarantine_days);
  return repeatedly(
    pool,
    `brand_id = $1 and last_at < case when unreadable then $3::timestamptz else $2::timestamptz end`,
    [of.brand_id, readable, unreadable],
  );
}

/** Removes one brand's bodies beyond the limit: resolved ones first, the oldest first. */
export async function removeExcess(
  pool: Pool,
  of: { brand_id: number },
  most = mostBodies,
): Promise<{ removed: number; open: number }> {
  const total = { removed: 0, open: 0 };
  for (;;) {
    const { rows } = await pool.query<{ bodies: number }>(
      'select count(*)::int as bodies from quarantine where brand_id = $1',
      [of.brand_id],
    );
    const excess = (rows[0]?.bodies ?? 0) - most;
    if (excess <= 0) return total;
    const { rows: gone } = await pool.query<{ state: string }>(
      `delete from quarantine where quarantine_id in (
         select quarantine_id from quarantine where brand_id = $1
          order by state = 'open', last_at, quarantine_id limit $2) returning state`,
      [of.brand_id, Math.min(excess, rowsPerDelete)],
    );
    if (gone.length === 0) return total;
    total.removed += gone.length;
    total.open += gone.filter(({ state }) => state === 'open').length;
  }
}

async function repeatedly(pool: Pool, where: string, values: unknown[]): Promise<{ removed: number; open: number }> {
  const total = { removed: 0, open: 0 };
  for (;;) {
    const { rows } = await pool.query<{ state: string }>(
      `delete from quarantine where quarantine_id in (
         select quarantine_id from quarantine where ${where} limit ${rowsPerDelete}) returning state`,
      values,
    );
    total.removed += rows.length;
    total.open += rows.filter(({ state }) => state === 'open').length;
    if (rows.length < rowsPerDelete) return total;
  }
}

/** The removals that the overview announces in advance. */
export interface QuarantineRemovals {
  /** Unresolved bodies that will be removed within seven days. */
  expiring: number;
  /** When the first of them will be removed; null if there is none. */
  first_at: Micros | null;
  /** The number of the brand's bodies if it is close to the limit; otherwise null. */
  nearly_full: number | null;
}

export async function comingRemovals(
  pool: Pool,
  of: { brand_id: number; quarantine_days: number },
  now: Micros,
): Promise<QuarantineRemovals> {
  const { readable, unreadable } = limitsAt(now + announcedDays * day, of.quarantine_days);
  const { rows } = await pool.query<{ expiring: number; first_at: Micros | null; bodies: number }>(
    `select count(*) filter (where soon)::int as expiring, count(*)::int as bodies,
            min(last_at + case when unreadable then $5::int else $4::int end * interval '24 hours') filter (where soon) as first_at
       from (select last_at, unreadable,
                    state = 'open' and last_at < case when unreadable then $3::timestamptz else $2::timestamptz end as soon
               from quarantine where brand_id = $1) q`,
    [of.brand_id, readable, unreadable, of.quarantine_days, Math.min(of.quarantine_days, unreadableDays)],
  );
  const { expiring = 0, first_at = null, bodies = 0 } = rows[0] ?? {};
  return { expiring, first_at, nearly_full: bodies >= mostBodies * nearlyFull ? bodies : null };
}
