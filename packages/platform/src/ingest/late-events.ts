import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Rounds } from '../chores/index.ts';
import { ErasedPlayers, type ErasureKeys } from '../ledger/index.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds between two reads of the list of erased players. Events that arrive before the next read are still stored; derive detects
 * them, and they are removed from the ledger.
 */
const pollMs = 1_000;

/**
 * Handles late events of erased players. They are answered like any other event, so that the operator's queue continues.
 * They are only counted, and not stored (docs/reference/design.md 7). If no player was erased within 30 days, an event costs one
 * look-up in an empty map.
 */
export class LateEvents implements Service {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #rounds: Rounds;
  readonly #erased: ErasedPlayers;
  #dropped = new Map<string, number>();

  constructor(deps: { pool: Pool; keys: ErasureKeys; log: Logger }) {
    this.#pool = deps.pool;
    this.#log = deps.log;
    this.#erased = new ErasedPlayers(deps.keys);
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      pollMs,
      log: deps.log,
      words: {
        away: 'the list of erased players cannot be refreshed: the database is unavailable; using the known list',
        again: 'the list of erased players is refreshed again',
        failed: 'refreshing the list of erased players failed; will retry in the next round',
      },
    });
  }

  /** @throws if the list of erased players cannot be read. Without the list, their events would be stored. */
  async start(): Promise<void> {
    await this.runOnce();
    await this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.runOnce().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'late events of erased players could not be counted; their count is too low');
    });
  }

  /** True for an event of a player that was erased within 30 days. The event is counted, and must not be stored. */
  drops(brandId: number, playerHash: bigint): boolean {
    const key = this.#erased.keyOf(brandId, playerHash);
    if (key === undefined) return false;
    this.#count(key, 1);
    return true;
  }

  /** Reads who was erased, and writes the counts of dropped events. */
  async runOnce(): Promise<{ dropped: number }> {
    await this.#erased.refresh(this.#pool);
    const counts = [...this.#dropped];
    if (counts.length === 0) return { dropped: 0 };
    this.#dropped = new Map();
    try {
      await this.#pool.query(
        `update erased_user e set dropped = e.dropped + k.dropped
         from unnest($1::text[], $2::bigint[]) as k(user_key, dropped) where e.user_key = decode(k.user_key, 'base64')`,
        [counts.map(([key]) => key), counts.map(([, count]) => count)],
      );
    } catch (error) {
      // The counts are kept for the next round. If only the database's answer was lost, they are counted twice. A count
      // that is too high is better than one that is too low.
      for (const [key, count] of counts) this.#count(key, count);
      throw error;
    }
    return { dropped: counts.reduce((sum, [, count]) => sum + count, 0) };
  }

  #count(key: string, more: number): void {
    this.#dropped.set(key, (this.#dropped.get(key) ?? 0) + more);
  }
}
