import type { Pool } from 'pg';
import { mobileNumber } from '../channels/index.ts';

/** Maximum number of players per number. A number that more players gave identifies none of them. */
const mostPlayers = 50;
/** Numbers are indexed by this many last digits; the second limit is the number of players who share them. */
const tailDigits = 5;
const mostCandidates = 5_000;

/**
 * The players of a brand with this mobile number. Operators write numbers in many ways, so they are found by their last digits
 * and then compared as the SMS sender reads them.
 *
 * @param e164 `+35699123456`
 */
export async function playersOfNumber(db: Pool, brandId: number, e164: string): Promise<number[]> {
  const digits = e164.replace(/\D/g, '');
  if (digits.length < 8 || digits.length > 15) return [];
  const { rows } = await db.query<{ player_id: number; mobile_prefix: string | null; mobile: string | null }>({
    name: 'players_by_end_of_number',
    text: `select f.player_id, f.mobile_prefix, f.mobile
             from player_profile f join player p using (player_id)
            where right(regexp_replace(f.mobile, '[^0-9]', '', 'g'), ${tailDigits}) = $2 and p.brand_id = $1 and p.erased_at is null
            order by f.player_id limit ${mostCandidates}`,
    values: [brandId, digits.slice(-tailDigits)],
  });
  return rows
    .filter(({ mobile_prefix, mobile }) => {
      const number = mobileNumber(mobile_prefix, mobile);
      return 'e164' in number && number.e164 === `+${digits}`;
    })
    .map(({ player_id }) => player_id)
    .slice(0, mostPlayers);
}

/** Null if the player was erased. */
export async function userIdOf(db: Pool, playerId: number): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'user_id_of_player',
    text: 'select user_id from player where player_id = $1 and erased_at is null',
    values: [playerId],
  });
  return rows[0]?.user_id ?? null;
}
