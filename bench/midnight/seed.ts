import type { Pool } from 'pg';
import { timestamptzText } from '../../packages/platform/src/database/index.ts';

/**
 * Creates players with deposits of two years. 3 in 10 of them deposited on the day that ends at midnight. The players have few
 * columns and no other totals, so a million takes a minute or two.
 */
export async function seedMidnight(
  pool: Pool,
  { brandId, players, midnight }: { brandId: number; players: number; midnight: number },
): Promise<void> {
  const today = `('${timestamptzText(midnight)}'::timestamptz at time zone 'UTC')::date - 1`;
  await pool.query(
    `insert into player (brand_id, user_id, bucket, created_at)
     select $1::int, 'seed-' || n, hashtextextended('seed-' || n, 0) & 63, '2024-01-01' from generate_series(1, $2::int) n`,
    [brandId, players],
  );
  await pool.query(
    `insert into player_protection (player_id, brand_id, excluded, blocked, noted_at)
     select player_id, brand_id, false, false, '2024-01-01' from player where brand_id = $1`,
    [brandId],
  );
  await pool.query(
    `insert into payment_day (player_id, day, vendor_id, deposit_count, deposit_sum, deposit_fee_sum, withdrawal_count, withdrawal_sum,
                              withdrawal_fee_sum, deposit_biggest)
     select player_id, ${today} - n * (1 + abs(hashint8(player_id)) % 100), 'visa', 1, 10, 0, 0, 0, 0, 10
       from player cross join generate_series(case when abs(hashint8(player_id)) % 10 < 3 then 0 else 1 end, 7) n
      where brand_id = $1 order by player_id, n desc`,
    [brandId],
  );
  await pool.query(
    `insert into payment_total (player_id, vendor_id, deposit_count, deposit_sum, deposit_fee_sum, withdrawal_count, withdrawal_sum,
                                withdrawal_fee_sum, deposit_biggest, deposit_first_at, deposit_last_at)
     select player_id, vendor_id, sum(deposit_count), sum(deposit_sum), 0, 0, 0, 0, max(deposit_biggest), min(day), max(day)
       from payment_day group by player_id, vendor_id order by player_id`,
  );
  await pool.query('vacuum analyze player, player_protection, payment_day, payment_total');
}
