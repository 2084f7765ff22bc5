import type { Pool } from 'pg';
import { mobileNumber } from './number.ts';

/** Maximum number of players per number. A number that more players gave identifies none of them. */
const mostPlayers = 50;
/** Numbers are compared if they share this many last digits. The second limit is the maximum number of such players. */
const tailDigits = 5;
const mostCandidates = 5_000;
/** Digits of a number, without and with the country's. */
const fewestDigits = 8;
const fewestTyped = 7;
const fewestOfEnd = 4;
const mostDigits = 15;

/**
 * The players of a brand with this mobile number. Operators write numbers in many ways, so they are found by their last digits
 * and then compared as the SMS sender reads them.
 *
 * @param e164 `+35699123456`
 */
export async function playersOfNumber(db: Pool, brandId: number, e164: string): Promise<number[]> {
  const digits = digitsOf(e164);
  if (digits.length < fewestDigits || digits.length > mostDigits) return [];
  const players = await playersWith(db, brandId, digits, (number) => number === `+${digits}`);
  return players.map(({ player_id }) => player_id);
}

/**
 * The same for a complete number as a person types it: `+356 9912-3456`, `0035699123456`, `35699123456`, or without the country as
 * `99123456` or `099123456`. Empty if the text is not a number.
 */
export async function playersOfTypedNumber(db: Pool, brandId: number, typed: string): Promise<number[]> {
  return (await playersOfTypedNumbers(db, brandId, typed)).map(({ player_id }) => player_id);
}

export interface NumberedPlayer {
  player_id: number;
  e164: string;
}

/** The same, with the complete number of each player. Players of several countries can have the number that was typed. */
export async function playersOfTypedNumbers(db: Pool, brandId: number, typed: string): Promise<NumberedPlayer[]> {
  const digits = digitsOf(typed);
  if (!isNumber(typed) || digits.length < fewestTyped || digits.length > mostDigits + 2) return [];
  return playersWith(db, brandId, digits, (number, prefix) => {
    const national = mobileNumber(prefix, typed);
    return number === `+${digits}` || ('e164' in national && number === national.e164);
  });
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
const reversed = (digits: string) => [...digits].reverse().join('');

/** The digits of a player's number from the last to the first, exactly as in the index player_profile_number. */
export const reversedDigits = (profile: string) =>
  `reverse(regexp_replace(${profile}.mobile, '[^0-9]', '', 'g')) collate "C"`;

/**
 * Returns the last digits of a number that a person typed, from the last to the first. Null if the text is something else, or has fewer
 * than four digits, because they would match too many players.
 */
export function reversedEndOf(typed: string): string | null {
  const digits = digitsOf(typed);
  return isNumber(typed) && digits.length >= fewestOfEnd && digits.length <= mostDigits ? reversed(digits) : null;
}

const isNumber = (typed: string) => /^\s*\+?[\d\s().\-/\u00a0]+$/.test(typed);

async function playersWith(
  db: Pool,
  brandId: number,
  digits: string,
  isSame: (e164: string, prefix: string | null) => boolean,
): Promise<NumberedPlayer[]> {
  const { rows } = await db.query<{ player_id: number; mobile_prefix: string | null; mobile: string | null }>({
    name: 'players_by_end_of_number',
    text: `select f.player_id, f.mobile_prefix, f.mobile
             from player_profile f join player p using (player_id)
            where f.brand_id = $1 and ${reversedDigits('f')} >= $2 and ${reversedDigits('f')} < $2 || ':' and p.erased_at is null
            order by f.player_id limit ${mostCandidates}`,
    values: [brandId, reversed(digits.slice(-tailDigits))],
  });
  return rows
    .flatMap(({ player_id, mobile_prefix, mobile }) => {
      const number = mobileNumber(mobile_prefix, mobile);
      return 'e164' in number && isSame(number.e164, mobile_prefix) ? [{ player_id, e164: number.e164 }] : [];
    })
    .slice(0, mostPlayers);
}
