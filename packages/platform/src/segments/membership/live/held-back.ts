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
  /** The version that cannot be evaluated; null if the failure has another cause. */
  version_id: number | null;
}

/**
 * Players for whom a round fails. Other rounds leave them out, so that they delay nobody. Each is tried again alone. The memory of the
 * process is enough: after a restart, they fail again and are found again.
 */
export class HeldBackPlayers {
  readonly #players = new Map<number, HeldBack>();

  get ids(): number[] {
    return [...this.#players.keys()];
  }

  hold(playerId: number, versionId: number | null, at: Micros): void {
    const failures = (this.#players.get(playerId)?.failures ?? 0) + 1;
    this.#players.set(playerId, { failures, failedAt: at, version_id: versionId });
  }

  release(playerId: number): void {
    this.#players.delete(playerId);
  }

  /** Releases the players of all other buckets, because another worker processes them now. */
  keepOnly(buckets: ReadonlySet<number>): void {
    for (const id of this.#players.keys()) if (!buckets.has(id % 64)) this.#players.delete(id);
  }

  /** Players who failed because of this version. */
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
