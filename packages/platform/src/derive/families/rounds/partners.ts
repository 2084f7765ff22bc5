import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** The number of rounds in the sample. */
export interface Partners {
  rounds: number;
  /** Rounds with events of the casino endpoint only. */
  casino_only: number;
  /** Rounds with events of the game round endpoint only. */
  gameround_only: number;
}

const minute: Micros = 60_000_000;
/** A message may arrive this long after the last activity. */
const settledAfter = 10 * minute;
const lookedBack = 24 * 60 * minute;

/*
 * Sizes of the sample. Rounds have no index by brand: an index over 1.7 billion rounds would be too expensive for this
 * query alone. The newest events lead to recent rounds, because their players have played today. The query takes about
 * 10 ms, whatever the size of the brand.
 */
const newestEvents = 5_000;
const mostPlayers = 200;
const roundsOfPlayer = 50;

/**
 * Counts the rounds without a partner (docs/reference/decisions.md 2.7), in a sample of the last 24 hours from the
 * players of the newest events.
 */
export async function roundPartners(db: Pool | ClientBase, brandId: number, now: Micros): Promise<Partners> {
  const { rows } = await db.query<Partners>(
    `select count(*)::int as rounds,
            (count(*) filter (where not from_gameround))::int as casino_only,
            (count(*) filter (where not from_casino))::int as gameround_only
     from (
       select distinct player_id from (
         select player_id from journal
         where brand_id = $1 and received_at > $2 order by received_at desc limit ${newestEvents}
       ) newest
       where player_id is not null limit ${mostPlayers}
     ) p
     cross join lateral (
       select from_casino, from_gameround from round r
       where r.player_id = p.player_id and first_at between $2 and $3 and last_at <= $3 and counted
       order by first_at desc limit ${roundsOfPlayer}
     ) r`,
    [brandId, timestamptzText(now - lookedBack), timestamptzText(now - settledAfter)],
  );
  return rows[0] ?? { rounds: 0, casino_only: 0, gameround_only: 0 };
}
