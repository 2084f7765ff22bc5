import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ErasedPlayers, type ErasureKeys } from '../ledger/index.ts';
import type { Service } from '../service.ts';

/** An erased player's events are taken for so much longer; derive notices those, and they leave the ledger again. */
const refreshMs = 1_000;

/**
 * Late events of erased players: answered as any other, so that the operator's queue goes on, and kept nowhere but in a number
 * (design.md 7). As long as nobody was erased within 30 days, an event costs one look at an empty map.
 */
export class LateEvents implements Service {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #erased: ErasedPlayers;
  #dropped = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #away = false;

  constructor(deps: { pool: Pool; keys: ErasureKeys; log: Logger }) {
    this.#pool = deps.pool;
    this.#log = deps.log;
    this.#erased = new ErasedPlayers(deps.keys);
  }

  async start(): Promise<void> {
    await this.runOnce();
    this.#timer = setInterval(() => {
      this.#round ??= this.#guardedRound();
    }, refreshMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#guardedRound();
  }

  /** True for an event of a player that was erased within 30 days: it is counted, and must not be kept. */
  drops(brandId: number, playerHash: bigint): boolean {
    const key = this.#erased.keyOf(brandId, playerHash);
    if (key === undefined) return false;
    this.#count(key, 1);
    return true;
  }

  /** Learns who was erased, and writes down how much was dropped. */
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
      // For the next round. Where only the answer was lost, they are counted twice: too many rather than too few.
      for (const [key, count] of counts) this.#count(key, count);
      throw error;
    }
    return { dropped: counts.reduce((sum, [, count]) => sum + count, 0) };
  }

  #count(key: string, more: number): void {
    this.#dropped.set(key, (this.#dropped.get(key) ?? 0) + more);
  }

  async #guardedRound(): Promise<void> {
    try {
      await this.runOnce();
      this.#away = false;
    } catch (error) {
      if (!this.#away) this.#log.warn({ err: error }, 'who was erased cannot be asked, going on with those known');
      this.#away = true;
    } finally {
      this.#round = undefined;
    }
  }
}
