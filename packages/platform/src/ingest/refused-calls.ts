import type { OperatorEventKind } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { keyHash } from '../brands/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import type { Service } from '../service.ts';
import { deleteSurplus, type NewRefusedCallCount, writeRefusedCalls } from './refused-call-store.ts';

/** Milliseconds between two writes. */
const pollMs = 1_000;
/** Combinations of reason, kind and key that a process counts separately between two writes. */
const mostSeparate = 30;

export interface RefusedCall {
  reason: NewRefusedCallCount['reason'];
  /** Null if the path or the method belongs to no event. */
  kind: OperatorEventKind | null;
  /** The key that was sent. Only its hash is kept. */
  key: string | undefined;
}

/**
 * Counts calls that the edge refused before it validated their body, so that the console can show why no event arrives.
 *
 * Anybody can cause such calls, so they must cost little. A call changes a number in memory. Once a second, a process writes the counts
 * in one statement, with at most 30 rows and one more for each reason: further calls are counted there, without kind and key. A
 * process that dies loses the counts of one second.
 */
export class RefusedCalls implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rounds: Rounds;
  #counts = new Map<string, NewRefusedCallCount>();

  constructor(deps: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = deps.pool;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#rounds = new Rounds({
      name: 'counts of refused calls',
      guard: deps.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: deps.log,
      words: {
        away: 'refused calls cannot be counted: the database is unavailable',
        again: 'refused calls are counted again',
        failed: 'counting refused calls failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.runOnce().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the last refused calls could not be counted; their numbers are too low');
    });
  }

  note({ reason, kind, key }: RefusedCall): void {
    const sha256 = key === undefined ? null : keyHash(key);
    this.#add(`${reason} ${kind} ${sha256?.toString('base64')}`, { reason, kind, sha256, calls: 1 });
  }

  /** Writes what was counted since the last write. */
  async runOnce(): Promise<{ written: number }> {
    const counts = this.#counts;
    if (counts.size === 0) return { written: 0 };
    this.#counts = new Map();
    try {
      await writeRefusedCalls(this.#pool, [...counts.values()], this.#clock());
    } catch (error) {
      // The counts are kept for the next round. If only the database's answer was lost, they are counted twice.
      for (const [id, count] of counts) this.#add(id, count);
      throw error;
    }
    await deleteSurplus(this.#pool);
    return { written: counts.size };
  }

  #add(id: string, more: NewRefusedCallCount): void {
    const { reason, calls } = more;
    const isSeparate = this.#counts.has(id) || this.#counts.size < mostSeparate;
    const place = isSeparate ? id : reason;
    const counted = isSeparate ? more : { reason, kind: null, sha256: null };
    this.#counts.set(place, { ...counted, calls: calls + (this.#counts.get(place)?.calls ?? 0) });
  }
}
