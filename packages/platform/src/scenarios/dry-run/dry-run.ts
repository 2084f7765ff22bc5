import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { type Refusal, type RunnableVersion, type TrialDeps, tryRun } from '../../campaigns/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { rolledBack } from '../rolled-back.ts';
import type { TimelineEntry } from '../timeline.ts';
import { TimelineReader } from '../timeline-reader.ts';
import { causeOf } from './cause.ts';

export interface DryRunDeps extends TrialDeps {
  ledger: Pick<Ledger, 'newest'>;
}

export interface DryRunOf {
  brand: Brand;
  /** Published or not. */
  version: RunnableVersion;
  /** Percentage of the players who may enter. */
  share: number;
  player: { player_id: number; user_id: string };
  at: Micros;
  until: Micros;
}

export interface DryRun {
  user_id: string;
  /** Why the player does not enter; null if the player enters. */
  refusal: Refusal | null;
  /** Whether the player has an event with which the campaign starts; otherwise the run has a cause without fields. */
  hasCause: boolean;
  timeline: TimelineEntry[];
}

/** If a lock is not available after this time, the dry run fails, so that it does not delay live work. */
const lockTimeout = '3s';

/**
 * Shows a real player's run through a campaign, as if the player entered now and nothing else happened. It uses the player's
 * own rows, in a transaction that is rolled back. It takes some ten milliseconds, so it holds locks on these rows no longer
 * than a round of the live lane does.
 */
export async function dryRun(deps: DryRunDeps, of: DryRunOf): Promise<DryRun> {
  const { brand, version, player, at, until } = of;
  const { player_id, user_id } = player;
  const { catalog } = await deps.rules.of(brand);
  const { cause, found } = await causeOf({ ledger: deps.ledger, brand, version, user_id, catalog, at });
  return rolledBack(deps.pool, async (inside) => {
    const tx = await inside.connect();
    await tx.query('set local search_path = live, public');
    await tx.query(`set local lock_timeout = '${lockTimeout}'`);
    const clock = { at };
    const timeline: TimelineEntry[] = [];
    let reader: TimelineReader | undefined;
    const refusal = await tryRun(tx, deps, {
      brand,
      version,
      share: of.share,
      player_id,
      cause,
      clock,
      until,
      onMoved: async (run_id) => {
        reader ??= new TimelineReader({ pool: inside, playerId: player_id, run_id });
        timeline.push(...(await reader.next(clock.at, brand.brand_id)));
      },
    });
    return { user_id, refusal, hasCause: found, timeline };
  });
}
