import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { brandIdOf, type Checked, judgeAll, openReadOnly } from '../checker/check.ts';
import { readEvents } from '../checker/evidence.ts';
import { judgeSegments } from '../checker/segments.ts';
import type { Installation, InstallationOptions } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { liveInSegments } from '../load/segment-life.ts';
import { startTraffic, type Traffic } from '../load/traffic.ts';
import type { Outcome } from '../outcome.ts';
import type { Run } from '../scenario.ts';

/**
 * The resources of a scenario: an operator, a platform, and traffic between them. All of them end with the block that uses
 * them.
 */
export interface Stage extends Checked, AsyncDisposable {
  installation: Installation;
  operator: SandboxOperator;
  pool: Pool;
  traffic: Traffic;
  /** Call it when everything was published and all faults are over. Returns the results of the promises. */
  judge(): Promise<Outcome[]>;
}

/**
 * Rates of contradictions, far higher than in reality, so that a run of seconds contains dozens of each. Rates that are not
 * named keep the simulator's defaults.
 */
const quirks = {
  retry: 0.08,
  restamped: 0.05,
  conflict: 0.05,
  orphan: 0.2,
  payment_rollback: 0.2,
  approved_again: 0.5,
  flip_flop: 0.05,
  same_second: 0.05,
  payment_id_reused: 0.3,
};
const players = 60;
/** A run with segments waits until the clock alone has made this many transitions. */
const leastTimes = 20;
/** A run with this many messages exceeds the numbers below: 637 messages already caused 513 memberships and 198 transitions. */
export const leastMessages = 1_500;
/** Minimum counts of a valid run with segments. */
export const leastOfSegments = {
  memberships: 500,
  entered_or_left: 200,
  cause_event: 100,
  cause_tag: 3,
  cause_record: 20,
  cause_protection: 5,
  cause_segment: 2,
  cause_time: leastTimes,
  times_read: 10,
};
const operatorKey = 'key-of-the-operator';

export async function setStage(run: Run, options: InstallationOptions & { segments?: boolean } = {}): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: operatorKey } });
    stack.defer(() => operator.stop());
    const access = { url: operator.url, key: operatorKey };
    const installation = stack.use(await run.start({ operator: access, ...options }));
    const pool = openReadOnly(installation.databaseUrl);
    stack.defer(() => pool.end());
    const brand_id = await brandIdOf(pool, installation.brandCode);
    const traffic = stack.use(
      startTraffic({
        url: installation.url,
        key: installation.key,
        signal: run.signal,
        simulation: { seed: run.seed, players, quirks, books: operator.books, brand: { brand_id } },
      }),
    );
    const life = options.segments
      ? await liveInSegments({ installation, operator, traffic, seed: run.seed, signal: run.signal })
      : undefined;
    const checked = { installation, pool, traffic, books: operator.books, allowance: run.allowance };
    const ending = stack.move();
    return {
      ...checked,
      operator,
      judge: async () => {
        await life?.stop();
        const outcomes = await judgeAll(checked);
        const judged = {
          pool,
          brandId: brand_id,
          events: () => readEvents(pool, brand_id),
          leastTimes,
          signal: run.signal,
        };
        return life === undefined ? outcomes : [...outcomes, ...(await judgeSegments(judged))];
      },
      [Symbol.asyncDispose]: () => ending.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Resolves when this many look-ups have been answered. From then on, no player waits for their first look-up. */
export async function allLookedUp(
  { databaseUrl }: Installation,
  { lookUps, signal }: { lookUps: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const pool = openReadOnly(databaseUrl);
  const all = async () => {
    const counted = 'select count(*)::int as done from player_sync where as_of is not null';
    const { rows } = await pool.query<{ done: number }>(counted);
    return (rows[0]?.done ?? 0) >= lookUps;
  };
  await until('the players to be looked up', all, { limitMs: 60_000, signal }).finally(() => pool.end());
}
