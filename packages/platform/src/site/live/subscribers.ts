import type { LiveSocket } from './live-socket.ts';

/** The sockets of this process, by player. */
export class Subscribers {
  readonly #byPlayer = new Map<number, Set<LiveSocket>>();

  add(playerId: number, socket: LiveSocket): void {
    const sockets = this.#byPlayer.get(playerId);
    if (sockets === undefined) this.#byPlayer.set(playerId, new Set([socket]));
    else sockets.add(socket);
  }

  remove(playerId: number, socket: LiveSocket): void {
    const sockets = this.#byPlayer.get(playerId);
    if (sockets === undefined) return;
    sockets.delete(socket);
    if (sockets.size === 0) this.#byPlayer.delete(playerId);
  }

  has(playerId: number): boolean {
    return this.#byPlayer.has(playerId);
  }

  /** A copy, because callers may close sockets while iterating. */
  of(playerId: number): readonly LiveSocket[] {
    return [...(this.#byPlayer.get(playerId) ?? [])];
  }

  count(playerId: number): number {
    return this.#byPlayer.get(playerId)?.size ?? 0;
  }

  players(): readonly number[] {
    return [...this.#byPlayer.keys()];
  }
}
