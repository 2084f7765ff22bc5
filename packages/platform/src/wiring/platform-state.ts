import type { Pool } from 'pg';
import { countWaitingIntents } from '../actions/index.ts';
import type { BrandRegistry } from '../brands/index.ts';
import { countWorkers, storedCursors } from '../buckets/index.ts';
import { countSpoiledRuns } from '../campaigns/index.ts';
import { countFailedMessages } from '../channels/index.ts';
import { readProcessClocks } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import { parkedCounts } from '../derive/index.ts';
import type { PlatformState } from '../http/state-metrics.ts';
import { openQuarantine } from '../ingest/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { type LookUpBacklog, readBacklog } from '../operator/players/index.ts';
import { segmentFailures } from '../segments/membership/index.ts';

const hour = 3_600_000_000;

/** The state of the whole installation, for the metrics. */
export async function platformState(
  pool: Pool,
  ledger: Ledger,
  brands: BrandRegistry,
  clock: Clock,
): Promise<PlatformState> {
  const now = clock();
  const ofEachBrand = <T>(read: (brandId: number) => Promise<T>) =>
    Promise.all(brands.all().map((brand) => read(brand.brand_id)));
  const [
    lag,
    parked,
    failing,
    failingPlayers,
    spoiledRuns,
    quarantined,
    damaged,
    workers,
    clocks,
    backlogs,
    intents,
    messages,
  ] = await Promise.all([
    storedCursors(pool, ledger.beginning).then((cursors) => ledger.lag(cursors)),
    parkedCounts(pool),
    segmentFailures.ofBuckets(pool),
    segmentFailures.ofPlayers(pool, null),
    countSpoiledRuns(pool, now),
    openQuarantine(pool),
    ledger.damagedBlocks(),
    countWorkers(pool),
    readProcessClocks(pool),
    ofEachBrand((brandId) => readBacklog(pool, brandId)),
    ofEachBrand((brandId) => countWaitingIntents(pool, brandId)),
    ofEachBrand((brandId) => countFailedMessages(pool, brandId, now - hour)),
  ]);
  const sum = (count: (backlog: LookUpBacklog) => number) => backlogs.flat().reduce((all, one) => all + count(one), 0);
  return {
    derive_lag: lag.oldest_received_at === null ? 0 : Math.max(0, clock() - lag.oldest_received_at),
    derive_lag_blocks: lag.blocks,
    parked_players: parked.players,
    segment_buckets_failing: failing.buckets.length,
    segment_players_failing: failingPlayers.players,
    spoiled_runs: spoiledRuns,
    quarantine_open: quarantined,
    damaged_blocks: damaged,
    look_ups_waiting: sum((backlog) => backlog.due + backlog.retrying),
    look_ups_parked: sum((backlog) => backlog.parked),
    bonus_intents_unknown: intents
      .flat()
      .reduce((all, { state, count }) => all + (state === 'unknown' || state === 'needs_person' ? count : 0), 0),
    messages_failed: messages.reduce((all, { failed }) => all + failed, 0),
    workers,
    clock_offset_ms: clocks[0]?.offset_ms ?? 0,
  };
}
