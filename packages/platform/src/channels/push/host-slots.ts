/*
 * Which calls may begin: so that one push service that is dead, or slow on purpose, holds up no other. Endpoints name any host they like,
 * so a host has to earn its slots:
 *
 *   unproven  one call at a time, and all unproven hosts together no more than 16
 *   proven    16 at a time, and all proven hosts together no more than 48: its last call was answered
 *
 * Neither kind can take the other's slots, and a host takes none for what is not due yet. What this process knows is lost with it, and
 * learned again by one call.
 */
export const slotLimits = { proven: 48, unproven: 16, host: 16 };
/** Hosts that are remembered as proven; the one used least recently is forgotten, and proves itself anew. */
const maxRemembered = 1_000;

/** So many deliveries to a host are due; counted no further than `countedDue`. */
export interface HostDue {
  host: string;
  due: number;
}

/** One more than may begin at once: whether something is left behind them. */
export const countedDue = slotLimits.host + 1;

export interface Granted {
  /** `more`: not all that is due there may begin. */
  slots: { host: string; free: number; more: boolean }[];
  /** The first host that got nothing only because others of its kind came before it. */
  passedOver: string | null;
}

export class HostSlots {
  readonly #taken = new Map<string, number>();
  readonly #proven = new Set<string>();
  #unprovenTaken = 0;

  /** Least recently answered first: of those that share too few slots, another one is first each time. */
  get proven(): string[] {
    return [...this.#proven];
  }

  isProven(host: string): boolean {
    return this.#proven.has(host);
  }

  /** Calls that may begin now to each of these hosts, in their order. */
  free(hosts: readonly HostDue[]): Granted {
    const left = {
      proven: slotLimits.proven - (this.inUse - this.#unprovenTaken),
      unproven: slotLimits.unproven - this.#unprovenTaken,
    };
    const granted: Granted = { slots: [], passedOver: null };
    for (const { host, due } of hosts) {
      const kind = this.isProven(host) ? 'proven' : 'unproven';
      const own = Math.min(due, (kind === 'proven' ? slotLimits.host : 1) - (this.#taken.get(host) ?? 0));
      if (own <= 0) continue;
      const free = Math.min(own, left[kind]);
      if (free <= 0) {
        granted.passedOver ??= host;
        continue;
      }
      left[kind] -= free;
      granted.slots.push({ host, free, more: due > free });
    }
    return granted;
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
