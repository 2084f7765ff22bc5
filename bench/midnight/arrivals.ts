import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { MidnightStage } from './stage.ts';

const pollMs = 10;
const beatMs = 50;

export interface Arrival {
  /** performance.now() of the acknowledgment. */
  acknowledgedAt: number;
  /** Milliseconds until the transition was visible, with a precision of `pollMs`. */
  tookMs: number;
}

/** Deposits at a steady rate. Each deposit belongs to a player who is not a member yet, and makes the player a member. */
export class Arrivals {
  readonly #pool: Pool;
  readonly #stage: MidnightStage;
  readonly #players: { player_id: number; user_id: string }[];
  readonly #segmentId: number;
  readonly #pending = new Map<number, number>();
  readonly #seen: Arrival[] = [];
  #running: Promise<unknown> | undefined;
  #stopping = false;

  constructor(options: {
    pool: Pool;
    stage: MidnightStage;
    players: { player_id: number; user_id: string }[];
    segmentId: number;
  }) {
    this.#pool = options.pool;
    this.#stage = options.stage;
    this.#players = options.players;
    this.#segmentId = options.segmentId;
  }

  start(perSecond: number): void {
    this.#running = Promise.all([this.#send((perSecond * beatMs) / 1000), this.#watch()]);
  }

  /** Ends when every deposit has made its player a member, or after 30 s. */
  async stop(): Promise<{ seen: readonly Arrival[]; missing: number }> {
    this.#stopping = true;
    await this.#running;
    return { seen: this.#seen, missing: this.#pending.size };
  }

  async #send(each: number): Promise<void> {
    const began = performance.now();
    const beats: Promise<void>[] = [];
    for (let beat = 1; !this.#stopping && this.#players.length >= each; beat++) {
      beats.push(this.#sendSome(this.#players.splice(0, each)));
      await delay(Math.max(0, began + beat * beatMs - performance.now()));
    }
    await Promise.all(beats);
  }

  async #sendSome(players: { player_id: number; user_id: string }[]): Promise<void> {
    await this.#stage.deposit(players.map(({ user_id }) => user_id));
    const acknowledgedAt = performance.now();
    for (const { player_id } of players) this.#pending.set(player_id, acknowledgedAt);
  }

  async #watch(): Promise<void> {
    let endsAt = Number.POSITIVE_INFINITY;
    while (performance.now() < endsAt && !(this.#stopping && this.#pending.size === 0)) {
      if (this.#stopping && endsAt === Number.POSITIVE_INFINITY) endsAt = performance.now() + 30_000;
      const { rows } = await this.#pool.query<{ player_id: number }>(
        `select player_id from segment_transition where segment_id = $1 and transition = 'entered' and player_id = any($2::bigint[])`,
        [this.#segmentId, [...this.#pending.keys()]],
      );
      const now = performance.now();
      for (const { player_id } of rows) {
        const acknowledgedAt = this.#pending.get(player_id) ?? now;
        this.#pending.delete(player_id);
        this.#seen.push({ acknowledgedAt, tookMs: now - acknowledgedAt });
      }
      await delay(pollMs);
    }
  }
}
