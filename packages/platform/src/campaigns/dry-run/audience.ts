import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { audienceNamed, listAudience } from '../../segments/audience/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import { playersInAudience } from '../starts/in-audience.ts';
import { listCandidates } from '../starts/store.ts';
import type { TrialDeps } from './try-run.ts';

/** Players per portion, and maximum number of portions per call. */
const portionPlayers = 5_000;
const mostPortions = 10;

/**
 * The next players of a campaign's current audience, in the order of player_id.
 *
 * @returns `next`: where to continue; null if there are no more
 */
export async function nextOfAudience(
  { pool, rules }: TrialDeps,
  of: { brand: Brand; version: RunnableVersion; at: Micros },
  { after, limit }: { after: number; limit: number },
): Promise<{ players: number[]; next: number | null }> {
  const { document } = of.version;
  const { entry, audience } = document;
  return transaction(pool, async (tx) => {
    const players: number[] = [];
    let place = after;
    for (let count = 0; count < mostPortions; count++) {
      const candidates = await listed(tx, of.brand, 'schedule' in entry ? entry.to : undefined, place);
      const fit =
        audience === undefined ? candidates : await playersInAudience(tx, rules, { ...of, audience }, candidates);
      for (const player of fit) {
        players.push(player);
        if (players.length === limit) return { players, next: player };
      }
      const last = candidates.at(-1);
      if (last === undefined || candidates.length < portionPlayers) return { players, next: null };
      place = last;
    }
    return { players, next: place };
  });
}

async function listed(tx: PoolClient, { brand_id }: Brand, to: string | undefined, after: number): Promise<number[]> {
  const range = { after, limit: portionPlayers };
  if (to === undefined) return listCandidates(tx, { brand_id, ...range });
  const members = await audienceNamed(tx, brand_id, to);
  return members === undefined ? [] : listAudience(tx, members, range);
}
