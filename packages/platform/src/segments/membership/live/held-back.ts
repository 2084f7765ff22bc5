import type { Micros } from '@croupier/contracts';

/** How long a player is held back after the first failure. It doubles with each further failure, up to `longestWait`. */
export const shortestWait: Micros = 5_000_000;
export const longestWait: Micros = 300_000_000;
/** Maximum number of players who are tried again per round. Each is one transaction. */
const mostRetried = 20;
/**
 * Maximum number of players who are held back per worker. Statements get their ids as a parameter. If more players fail, their buckets
 * fail, and all players there wait.
 */
export const mostHeldBack = 1_000;

interface HeldBack {
  failures: number;
  failedAt: Micros;
  /** The version that cannot be evaluated. Null if the failure has another cause, or if the player failed before this process began. */
  version_id: number | null;
  /** True if the player failed before this process began. */
  isKnown: boolean;
}

/**
 * Players for whom a round fails. Other rounds leave them out, so that they delay nobody. Each is tried again alone. They are also stored
 * (player-failures.ts), so that the next owner of their bucket need not search for them: their news is the oldest, and would always be
 * taken first.
 */
export class HeldBackPlayers {
  readonly #players = new Map<number, HeldBack>();

  get ids(): number[] {
    return [...this.#players.keys()];
  }

  hold(playerId: number, versionId: number | null, at: Micros): void {
    const { failures = 0, isKnown = false } = this.#players.get(playerId) ?? {};
    const version_id = isKnown ? null : versionId;
    this.#players.set(playerId, { failures: failures + 1, failedAt: at, version_id, isKnown });
  }

  /** Holds a player back who failed in another process. */
  restore(playerId: number, { failures, failedAt }: { failures: number; failedAt: Micros }): void {
    this.#players.set(playerId, { failures, failedAt, version_id: null, isKnown: true });
  }

  /** The player waits as long as after the last failure, because the try ended without a result. */
  postpone(playerId: number, at: Micros): void {
    const held = this.#players.get(playerId);
    if (held !== undefined) held.failedAt = at;
  }

  release(playerId: number): void {
    this.#players.delete(playerId);
  }

  /** Releases the players of all other buckets, because another worker processes them now. */
  keepOnly(buckets: ReadonlySet<number>): void {
    for (const id of this.#players.keys()) if (!buckets.has(id % 64)) this.#players.delete(id);
  }

  /** Players who failed because of this version, without those who failed before this process began. */
  of(versionId: number): number[] {
    return [...this.#players].flatMap(([id, { version_id }]) => (version_id === versionId ? [id] : []));
  }

  /** The players to try again now. The wait also ends if the clock steps back. */
  due(at: Micros): number[] {
    const due = [...this.#players].filter(
      ([, { failures, failedAt }]) => Math.abs(at - failedAt) >= waitAfter(failures),
    );
    return due.slice(0, mostRetried).map(([id]) => id);
  }
}

function waitAfter(failures: number): Micros {
  return Math.min(shortestWait * 2 ** (failures - 1), longestWait);
}
