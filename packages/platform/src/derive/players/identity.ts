import type { ClientBase } from 'pg';
import { ErasedPlayers, type ErasureKeys } from '../../ledger/index.ts';
import { type PlayerKey, resolvePlayers } from './store.ts';

/** The number of players whose internal number is kept in memory, at about 100 bytes each. */
const maxKnown = 200_000;
/** If another transaction is creating a player, the next query finds the player, after that transaction has ended. */
const maxLooks = 3;

/**
 * The internal number of each player (docs/reference/decisions.md 2.10: any event of an unknown user_id creates the
 * player).
 *
 * Numbers never change, so they are kept in memory. They are added only after the transaction that assigned them has
 * committed: otherwise a number that was rolled back could be used. The memory has two halves, so that only the older
 * half is dropped when it is full.
 */
export class PlayerIds {
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  /** The memory of this process may still contain the number of an erased player, so check this before every use of the memory. */
  readonly #erased: ErasedPlayers;

  constructor(keys: ErasureKeys) {
    this.#erased = new ErasedPlayers(keys);
  }

  /**
   * Returns the events that belong to no erased player. Call it in the transaction that applies them, after
   * `enterLive`: an erasure removes a player only while no such transaction runs (privacy/README.md).
   */
  async withoutErased<E extends { source: { brand_id: number; player_hash: bigint } }>(
    tx: ClientBase,
    events: readonly E[],
  ): Promise<{ remaining: readonly E[]; erased: readonly E[] }> {
    if (events.length === 0) return { remaining: events, erased: events };
    if (await this.#erased.refresh(tx)) this.#forget();
    const erased = events.filter(({ source }) => this.#erased.has(source.brand_id, source.player_hash));
    return erased.length === 0
      ? { remaining: events, erased }
      : { remaining: events.filter((event) => !erased.includes(event)), erased };
  }

  /** Returns all requested numbers. Pass those in `fresh` to `remember` after `tx` has committed. */
  async resolve(
    tx: ClientBase,
    keys: readonly PlayerKey[],
  ): Promise<{ ids: ReadonlyMap<string, number>; fresh: ReadonlyMap<string, number> }> {
    const ids = new Map<string, number>();
    const fresh = new Map<string, number>();
    let missing = new Map<string, PlayerKey>();
    for (const key of keys) {
      const name = playerName(key.brand_id, key.user_id);
      const known = this.#known(name);
      if (known === undefined) missing.set(name, key);
      else ids.set(name, known);
    }
    for (let look = 1; missing.size > 0; look++) {
      if (look > maxLooks) throw new Error(`${missing.size} players were neither found nor created`);
      for (const row of await resolvePlayers(tx, [...missing.values()])) {
        const name = playerName(row.brand_id, row.user_id);
        ids.set(name, row.player_id);
        fresh.set(name, row.player_id);
      }
      missing = new Map([...missing].filter(([name]) => !ids.has(name)));
    }
    return { ids, fresh };
  }

  remember(fresh: ReadonlyMap<string, number>): void {
    for (const [name, id] of fresh) {
      if (this.#young.size >= maxKnown / 2) {
        this.#old = this.#young;
        this.#young = new Map();
      }
      this.#young.set(name, id);
    }
  }

  /**
   * Called when a player was erased, or when an erased player may be created again. In both cases, the number in memory is that of a
   * tombstone.
   */
  #forget(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  #known(name: string): number | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.#young.set(name, old);
    return old;
  }
}

export function playerName(brandId: number, userId: string): string {
  return `${brandId}:${userId}`;
}
