import type { Micros } from '@croupier/contracts';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** The current state of the whole installation, whichever processes do the work. */
export interface PlatformState {
  /** Microseconds since the arrival of the oldest event that is not derived yet; 0 if there is none. */
  derive_lag: Micros;
  derive_lag_blocks: number;
  parked_players: number;
  /** Number of buckets, of 64, whose segments cannot be computed. */
  segment_buckets_failing: number;
  /** Players whose segments cannot be computed, while those of the other players of their buckets can. */
  segment_players_failing: number;
  /** Campaign runs that failed in the last 24 hours because of their data. */
  spoiled_runs: number;
  quarantine_open: number;
  damaged_blocks: number;
  look_ups_waiting: number;
  look_ups_parked: number;
  /**
   * Bonus intents with an unknown outcome: the operator may or may not have credited them. Each brand counts up to 10,000 per
   * state.
   */
  bonus_intents_unknown: number;
  /** Messages that failed in the last hour, or ended with an unknown outcome. */
  messages_failed: number;
  workers: number;
  /** The offset of the process whose clock differs most from the database's; positive if its clock is ahead. */
  clock_offset_ms: number;
}

/** Milliseconds for which the state is cached, so that frequent scrapes do not load the database. */
const keepMs = 2_000;

/**
 * Gauges of the installation's state, read from the database at each scrape. Every api process returns the same, so it does not
 * matter which one is scraped, and workers need no port. While the database is unavailable they are missing.
 */
export function registerStateMetrics(registry: Registry, read: () => Promise<PlatformState>, log: Logger): void {
  let last: { at: number; state: Promise<PlatformState> } | undefined;
  const state = () => {
    const now = performance.now();
    if (last === undefined || now - last.at > keepMs) {
      const state = read();
      state.catch((error: unknown) =>
        log.warn(
          { err: error },
          'the state of the platform could not be read; this scrape of the metrics lacks its gauges',
        ),
      );
      last = { at: now, state };
    }
    return last.state;
  };
  const gauge = (name: string, help: string, value: (state: PlatformState) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set(value(await state()));
        } catch {
          this.remove();
        }
      },
    });
  gauge('croupier_derive_lag_seconds', 'Age of the oldest event that is not derived yet.', (s) => s.derive_lag / 1e6);
  gauge('croupier_derive_lag_blocks', 'Ledger blocks that are not derived yet.', (s) => s.derive_lag_blocks);
  gauge('croupier_derive_parked_players', 'Players with events that cannot be applied.', (s) => s.parked_players);
  gauge(
    'croupier_segment_buckets_failing',
    'Buckets of players, of 64, whose segments cannot be updated.',
    (s) => s.segment_buckets_failing,
  );
  gauge(
    'croupier_segment_players_failing',
    'Single players whose segments cannot be updated.',
    (s) => s.segment_players_failing,
  );
  gauge(
    'croupier_campaign_runs_spoiled',
    'Campaign runs that failed in the last 24 hours because their data could not be processed.',
    (s) => s.spoiled_runs,
  );
  gauge(
    'croupier_quarantine_open',
    'Invalid events that wait for a person; counts up to 100,000.',
    (s) => s.quarantine_open,
  );
  gauge('croupier_ledger_damaged_blocks', 'Ledger blocks that could not be read.', (s) => s.damaged_blocks);
  gauge(
    'croupier_look_ups_waiting',
    'Look-ups at operators that are due, in progress or waiting for a retry; each endpoint counts up to 10,000.',
    (s) => s.look_ups_waiting,
  );
  gauge(
    'croupier_look_ups_parked',
    'Look-ups of players that their operator does not know; each endpoint counts up to 10,000.',
    (s) => s.look_ups_parked,
  );
  gauge(
    'croupier_bonus_intents_unknown',
    'Bonus intents with an unknown outcome: the operator may or may not have credited them; each brand counts up to 10,000 per state.',
    (s) => s.bonus_intents_unknown,
  );
  gauge(
    'croupier_messages_failed',
    'E-mails, SMS and messages of other called channels that failed in the last hour, or ended with an unknown outcome; each brand counts up to 20,000.',
    (s) => s.messages_failed,
  );
  gauge(
    'croupier_clock_offset_seconds',
    "Largest difference between the clock of a process and the database's clock; positive if the process is ahead.",
    (s) => s.clock_offset_ms / 1_000,
  );
  gauge('croupier_workers', 'Worker processes that share the buckets.', (s) => s.workers);
}
