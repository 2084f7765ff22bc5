import type { Pool } from 'pg';
import type { BrandRegistry } from '../brands/index.ts';
import { countWorkers, storedCursors } from '../buckets/index.ts';
import { countSpoiledRuns } from '../campaigns/index.ts';
import { readProcessClocks } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import { parkedCounts } from '../derive/index.ts';
import type { PlatformState } from '../http/state-metrics.ts';
import { openQuarantine } from '../ingest/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { type LookUpBacklog, readBacklog } from '../operator/players/index.ts';
import { readFailingBuckets } from '../segments/membership/index.ts';

/** The state of the whole installation, for the metrics. */
export async function platformState(
  pool: Pool,
  ledger: Ledger,
  brands: BrandRegistry,
  clock: Clock,
): Promise<PlatformState> {
  const [lag, parked, failing, spoiledRuns, quarantined, damaged, workers, clocks, backlogs] = await Promise.all([
    storedCursors(pool, ledger.beginning).then((cursors) => ledger.lag(cursors)),
    parkedCounts(pool),
    readFailingBuckets(pool),
    countSpoiledRuns(pool, clock()),
    openQuarantine(pool),
    ledger.damagedBlocks(),
    countWorkers(pool),
    readProcessClocks(pool),
    Promise.all(brands.all().map((brand) => readBacklog(pool, brand.brand_id))),
  ]);
  const sum = (count: (backlog: LookUpBacklog) => number) => backlogs.flat().reduce((all, one) => all + count(one), 0);
  return {
    derive_lag: lag.oldest_received_at === null ? 0 : Math.max(0, clock() - lag.oldest_received_at),
    derive_lag_blocks: lag.blocks,
    parked_players: parked.players,
    segment_buckets_failing: failing.buckets.length,
    spoiled_runs: spoiledRuns,
    quarantine_open: quarantined,
    damaged_blocks: damaged,
    look_ups_waiting: sum((backlog) => backlog.due + backlog.retrying),
    look_ups_parked: sum((backlog) => backlog.parked),
    workers,
    clock_offset_ms: clocks[0]?.offset_ms ?? 0,
  };
}
