import { randomUUID } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import type { Service } from '../../../service.ts';
import type { OperatorEndpoint } from '../client/endpoints.ts';
import { isRefusal, storableDetail } from '../storable.ts';
import { saveCircuits } from './circuit-store.ts';
import { type CircuitReport, EndpointCircuits } from './circuits.ts';
import { addCounts, addCountsOneByOne, dropMinutesBefore, type EndpointCounts } from './health-store.ts';
import { latencyBucket, latencyBuckets } from './latency.ts';

/** One call, as its caller judged it: a 200 with a wrong body is a failure. */
export interface JudgedCall {
  brand_id: number;
  endpoint: OperatorEndpoint;
  took_ms: number;
  /** The operator answered, and not with 401 or 403: the credentials are right. */
  authenticated: boolean;
  failure?: { reason: string; detail: string } | undefined;
}

const flushMs = 1_000;
/** Counts per minute are kept for a week. */
const keepMinutes: Micros = 7 * 24 * 3_600_000_000;
const dropEveryMs = 3_600_000;
const minute: Micros = 60_000_000;
/**
 * Maximum number of minutes whose counts wait to be stored, over all endpoints. It is enough for 10 minutes of 100 brands
 * while the database is unavailable. Above it, the oldest minutes are dropped.
 */
const maxPending = 10_000;

/**
 * What this process knows of operators' endpoints: its circuits, and the counts of its calls. Counts are kept in memory and
 * added to the database every second.
 */
export class OperatorHealth implements Service {
  readonly circuits: EndpointCircuits;
  readonly #process: string;
  #hasReportedCircuits = false;
  #pool: Pool;
  #clock: Clock;
  #log: Logger;
  #pending = new Map<string, EndpointCounts>();
  readonly #rounds: Rounds;
  #droppedAt = Number.NEGATIVE_INFINITY;

  /** @param options.process unique among all processes of the database */
  constructor(options: {
    pool: Pool;
    clock: Clock;
    log: Logger;
    process?: string;
    circuits?: EndpointCircuits;
    guard?: ClockGuard;
  }) {
    this.#process = options.process ?? randomUUID();
    this.circuits = options.circuits ?? new EndpointCircuits();
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#rounds = new Rounds({
      name: 'counts of operator calls',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs: flushMs,
      log: options.log,
      words: {
        away: 'counts of operator calls are not stored: the database is unavailable',
        again: 'counts of operator calls are stored again',
        failed: 'storing counts of operator calls failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.runOnce().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the latest counts of operator calls could not be stored'),
    );
    await this.#reportCircuits([]).catch(() => {
      // A report of this process expires after 15 seconds.
    });
  }

  record(call: JudgedCall): void {
    const now = this.#clock();
    const counts = this.#countsOf(call, now - (now % minute));
    const bucket = latencyBucket(call.took_ms);
    counts.latency[bucket] = (counts.latency[bucket] ?? 0) + 1;
    if (call.authenticated) counts.last_authenticated_at = now;
    if (call.failure === undefined) {
      counts.successes++;
      counts.failures_in_a_row = 0;
      counts.failing_since = null;
      counts.last_success_at = now;
    } else {
      counts.failures++;
      counts.failures_in_a_row++;
      counts.failing_since ??= now;
      counts.last_failure_at = now;
      counts.last_failure = call.failure.reason;
      counts.last_failure_detail = storableDetail(call.failure.detail);
    }
  }

  /** Stores the state of the circuits and the counts, and once an hour deletes old minutes. */
  async runOnce(): Promise<{ stored: number; dropped: number }> {
    const counts = [...this.#pending.values()];
    this.#pending.clear();
    let refused: number;
    try {
      refused = await this.#store(counts);
    } catch (error) {
      this.#keep(counts);
      throw error;
    }
    await this.#reportCircuits(this.circuits.notClosed());
    return { stored: counts.length - refused, dropped: await this.#dropOld() };
  }

  /**
   * @returns how many counts the database refused because of their content. They are dropped; otherwise they would block all
   * others forever.
   */
  async #store(counts: readonly EndpointCounts[]): Promise<number> {
    if (counts.length === 0) return 0;
    try {
      await transaction(this.#pool, (tx) => addCounts(tx, counts));
      return 0;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const refused = await transaction(this.#pool, (tx) => addCountsOneByOne(tx, counts));
      const of = refused.map(({ brand_id, endpoint }) => ({ brand_id, endpoint }));
      this.#log.error(
        { err: error, left_out: of },
        'the database refused counts of operator calls, or their details; the refused data is dropped',
      );
      return refused.length;
    }
  }

  /** Writes nothing while all circuits are closed, which is nearly always. */
  async #reportCircuits(circuits: readonly CircuitReport[]): Promise<void> {
    if (circuits.length === 0 && !this.#hasReportedCircuits) return;
    await saveCircuits(this.#pool, this.#process, circuits);
    this.#hasReportedCircuits = circuits.length > 0;
  }

  async #dropOld(): Promise<number> {
    if (performance.now() - this.#droppedAt < dropEveryMs) return 0;
    this.#droppedAt = performance.now();
    return dropMinutesBefore(this.#pool, this.#clock() - keepMinutes);
  }

  #countsOf(call: JudgedCall, minuteOfCall: Micros): EndpointCounts {
    const key = `${call.brand_id} ${call.endpoint} ${minuteOfCall}`;
    const known = this.#pending.get(key);
    if (known) return known;
    const counts: EndpointCounts = {
      brand_id: call.brand_id,
      endpoint: call.endpoint,
      minute: minuteOfCall,
      successes: 0,
      failures: 0,
      latency: new Array<number>(latencyBuckets).fill(0),
      failures_in_a_row: 0,
      failing_since: null,
      last_success_at: null,
      last_failure_at: null,
      last_failure: null,
      last_failure_detail: null,
      last_authenticated_at: null,
    };
    this.#pending.set(key, counts);
    return counts;
  }

  /** Restores counts that could not be stored, before newer ones. */
  #keep(counts: readonly EndpointCounts[]): void {
    const newer = this.#pending;
    this.#pending = new Map(counts.map((one) => [`${one.brand_id} ${one.endpoint} ${one.minute}`, one]));
    for (const [key, one] of newer) {
      const older = this.#pending.get(key);
      this.#pending.set(key, older ? joined(older, one) : one);
    }
    for (const key of this.#pending.keys()) {
      if (this.#pending.size <= maxPending) break;
      this.#pending.delete(key);
    }
  }
}

function joined(older: EndpointCounts, newer: EndpointCounts): EndpointCounts {
  const recovered = newer.last_success_at !== null;
  return {
    ...newer,
    successes: older.successes + newer.successes,
    failures: older.failures + newer.failures,
    latency: older.latency.map((count, place) => count + (newer.latency[place] ?? 0)),
    failures_in_a_row: (recovered ? 0 : older.failures_in_a_row) + newer.failures_in_a_row,
    failing_since: recovered ? newer.failing_since : (older.failing_since ?? newer.failing_since),
    last_success_at: newer.last_success_at ?? older.last_success_at,
    last_failure_at: newer.last_failure_at ?? older.last_failure_at,
    last_failure: newer.last_failure ?? older.last_failure,
    last_failure_detail: newer.last_failure_detail ?? older.last_failure_detail,
    last_authenticated_at: newer.last_authenticated_at ?? older.last_authenticated_at,
  };
}
