/*
 * Which calls may begin: so that one push service that is dead, or slow on purpose, holds up no other. Endpoints name any host they like,
 * so a host has to earn its slots:
 *
 *   unproven  one call at a time, and all unproven hosts together no more than 16
 *   proven    16 at a time: its last call was answered
 *
 * Of 64 calls at once at least 48 stay for hosts that answer. What this process knows is lost with it, and learned again by one call.
 */
export const slotLimits = { all: 64, unproven: 16, host: 16 };
/** Hosts that are remembered as proven; the one used least recently is forgotten, and proves itself anew. */
const maxRemembered = 1_000;

export class HostSlots {
  readonly #taken = new Map<string, number>();
  readonly #proven = new Set<string>();
  #unprovenTaken = 0;

  /** Calls that may begin now, to each of these hosts, in their order. */
  free(hosts: readonly string[]): { host: string; free: number }[] {
    let all = slotLimits.all - this.inUse;
    let unproven = slotLimits.unproven - this.#unprovenTaken;
    return hosts.flatMap((host) => {
      const isProven = this.#proven.has(host);
      const limit = isProven ? slotLimits.host : 1;
      const free = Math.min(limit - (this.#taken.get(host) ?? 0), all, isProven ? all : unproven);
      if (free <= 0) return [];
      all -= free;
      if (!isProven) unproven -= free;
      return [{ host, free }];
    });
  }

  get inUse(): number {
    return [...this.#taken.values()].reduce((sum, taken) => sum + taken, 0);
  }

  /** @returns gives the slot back; `answered`: the host did, whatever it said; null: it was not called. */
  take(host: string): (answered: boolean | null) => void {
    const wasProven = this.#proven.has(host);
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    if (!wasProven) this.#unprovenTaken++;
    return (answered) => {
      const left = (this.#taken.get(host) ?? 1) - 1;
      if (left > 0) this.#taken.set(host, left);
      else this.#taken.delete(host);
      if (!wasProven) this.#unprovenTaken--;
      if (answered === null) return;
      this.#proven.delete(host);
      if (answered) this.#proven.add(host);
      const [oldest] = this.#proven;
      if (this.#proven.size > maxRemembered && oldest !== undefined) this.#proven.delete(oldest);
    };
  }
}
