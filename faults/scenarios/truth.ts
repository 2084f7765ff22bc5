import { createSimulation, duplicated, type Message, shuffled } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { judgeDerived } from '../checker/conservation.ts';
import { readEvidence } from '../checker/evidence.ts';
import { judgePlayers } from '../checker/player-truth.ts';
import { readFromDerive } from '../checker/read-derive.ts';
import { startCore } from '../installation/core.ts';
import { withDatabase } from '../installation/database.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';

export interface TruthOptions {
  seed: string;
  /** Messages of the casino, before the duplicates. */
  events: number;
  players: number;
  say(line: string): void;
}

const duplicates = 0.1;
/** Contradictions, ten times as often as in reality. */
export const quirks = {
  restamped: 0.1,
  conflict: 0.04,
  orphan: 0.1,
  payment_rollback: 0.2,
  approved_again: 0.5,
  flip_flop: 0.1,
  casino_rollback: 0.05,
  rollback_first: 0.02,
  activity_moved: 0.03,
  locked_money: 0.1,
  long_round: 0.05,
  settlement_corrected: 0.1,
  bet_voided: 0.1,
  settled_twice: 0.2,
  bonus_reversed: 0.2,
};

/**
 * Sends many events of a casino in shuffled order, and a tenth of them twice. Some contradict each other. The results of ledger
 * and derive must equal what the casino did. No process is killed here; only the order of arrival is as bad as possible.
 */
export const truth: Scenario = {
  name: 'truth',
  story: '100,000 events with 10 % duplicates in shuffled order, contradictions included',
  run: ({ seed, say }) => {
    return withDatabase((pool, url) => playTruth(pool, url, { seed, events: 100_000, players: 500, say }));
  },
};

/** @param pool a migrated database without events, at `databaseUrl`. */
export async function playTruth(pool: Pool, databaseUrl: string, options: TruthOptions): Promise<Outcome[]> {
  const { seed, events, players, say } = options;
  const zones = { base_currency: 'EUR', time_zone: 'Europe/Malta', zoneless_timestamps: 'UTC' };
  const core = await startCore(pool, databaseUrl, zones);
  const { brand_id } = core.brand;
  const simulation = createSimulation({ seed, players, quirks, brand: { ...zones, brand_id } });
  try {
    const told = [...simulation.take(events), ...simulation.finish()].filter(({ label }) => label !== 'invalid');
    const messages = shuffled(duplicated(told, { rate: duplicates, seed }), seed);
    say(`${told.length} events, sent as ${messages.length} messages`);
    await core.append(messages);
    const startedAt = performance.now();
    const derived = await core.derive();
    const seconds = (performance.now() - startedAt) / 1000;
    say(`${derived} derived in ${seconds.toFixed(1)} s`);
    const evidence = await readEvidence(pool, brand_id);
    const outcomes = [
      judgeDerived(evidence),
      await judgePlayers(simulation.truth, readFromDerive(pool, { brand_id, time_zone: zones.time_zone })),
      await judgeRebuild(core),
    ];
    const counts = { ...labelCounts(messages), messages: messages.length };
    return outcomes.map((one) => ({ ...one, counts: { ...one.counts, ...counts } }));
  } finally {
    simulation.close();
    await core.stop();
  }
}

async function judgeRebuild(core: Awaited<ReturnType<typeof startCore>>): Promise<Outcome> {
  const { events, players, difference_count, differences, failures } = await core.rebuild();
  const broken = [...differences, ...failures].map((one) => JSON.stringify(one));
  return outcome('P4', 'incremental state = rebuilt state', { events, players, differ: difference_count }, broken);
}

function labelCounts(messages: readonly Message[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { label } of messages) counts[`label_${label}`] = (counts[`label_${label}`] ?? 0) + 1;
  return counts;
}
