import type { Pool } from 'pg';
import type { Group } from '../../outgoing/index.ts';
import { type DeliveryPlace, dueOf, type HostDue, waitingHosts } from './delivery-store.ts';

/*
 * Decides which push services get slots. A service that does not answer, or is slow on purpose, must not delay the
 * others. Endpoints can name any host, so a host has to prove itself:
 *
 *   unproven  one call at a time, and at most 16 for all unproven hosts together
 *   proven    16 at a time, and at most 48 for all proven hosts together: its last call was answered
 *
 * Neither kind can take the other's slots, and a host gets none for deliveries that are not due yet. The proofs are lost with
 * the process, and one call per host restores them.
 */
const slotLimits = { proven: 48, unproven: 16, host: 16 };
/** Maximum number of hosts kept as proven. The least recently used one is dropped, and must prove itself again. */
const maxRemembered = 1_000;
/** Maximum number of unproven hosts checked per round; the next round continues after them. Each takes two index probes. */
const hostsPerRound = 1_000;
/**
 * The life of a claim until the call starts. One short transaction happens in this time; it writes to the row how long the call
 * may take.
 */
const claimMs = 15_000;

/** One more than the calls that may begin at once, so that the count shows whether more is due. */
const counted = slotLimits.host + 1;

const groups = {
  proven: { name: 'proven', limit: slotLimits.proven },
  unproven: { name: 'unproven', limit: slotLimits.unproven },
} as const satisfies Record<string, Group>;

export class PushHosts {
  readonly #proven = new Set<string>();
  /** The unproven host with which the next round begins. */
  #first = '';
  #isPassedOver = false;

  /** Least recently answered first. If there are too few slots, a different host is first each time. */
  get proven(): string[] {
    return [...this.#proven];
  }

  isProven(host: string): boolean {
    return this.#proven.has(host);
  }

  /** @param answered whether the host answered, even with a refusal */
  record(host: string, answered: boolean): void {
    this.#proven.delete(host);
    if (answered) this.#proven.add(host);
    const [oldest] = this.#proven;
    if (this.#proven.size > maxRemembered && oldest !== undefined) this.#proven.delete(oldest);
  }

  placeOf({ host, due }: HostDue): DeliveryPlace {
    const isProven = this.isProven(host);
    const group = isProven ? groups.proven : groups.unproven;
    return { host, due, limit: isProven ? slotLimits.host : 1, group, claim_ms: claimMs };
  }

  /** The hosts with due deliveries, in the order in which they get slots. */
  async places(pool: Pool): Promise<DeliveryPlace[]> {
    this.#isPassedOver = false;
    const hosts = [...(await dueOf(pool, this.proven, counted)), ...(await this.#unproven(pool))];
    return hosts.map((host) => this.placeOf(host));
  }

  /** The first unproven host that got no slot is first in the next round. */
  passedOver({ host, group }: DeliveryPlace): void {
    if (group !== groups.unproven || this.#isPassedOver) return;
    this.#isPassedOver = true;
    this.#first = host;
  }

  /** All hosts once from `#first`, up to the limit per round; the next round begins where this one stopped. */
  async #unproven(pool: Pool): Promise<HostDue[]> {
    const from = this.#first;
    const hosts = await waitingHosts(pool, from, { limit: hostsPerRound, counted });
    const left = hostsPerRound - hosts.length;
    this.#first = left > 0 ? '' : (hosts.at(-1)?.host ?? '');
    const seen = new Set(hosts.map(({ host }) => host));
    if (left > 0 && from !== '')
      hosts.push(...(await waitingHosts(pool, '', { limit: left, counted })).filter(({ host }) => !seen.has(host)));
    return hosts.filter(({ host }) => !this.isProven(host));
  }
}
