import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { DecisionFilter } from '../../gate/index.ts';
import { knownPlayer } from '../players/known-player.ts';
import { readMoment } from '../routing/fields.ts';

type Query = Omit<DecisionFilter, 'from' | 'to'> & {
  user_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** @throws {Refused} if the brand does not have the player, or a time is invalid */
export async function decisionFilter(pool: Pool, brand: Brand, query: Query): Promise<DecisionFilter> {
  const { user_id, from, to, outcome, channel, purpose, reason, cause_id } = query;
  const player_id = user_id === undefined ? query.player_id : (await knownPlayer(pool, brand, user_id)).player_id;
  const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
  return { player_id, outcome, channel, purpose, reason, cause_id, ...bounds };
}
