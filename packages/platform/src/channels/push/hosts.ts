import type { Pool } from 'pg';
import type { Group } from '../../outgoing/index.ts';
import { type DeliveryPlace, dueOf, type HostDue, waitingHosts } from './delivery-store.ts';

/*
 * Which push services get slots: so that one that is dead, or slow on purpose, holds up no other. Endpoints name any host they like,
 * so a host has to earn its slots:
 *
 *   unproven  one call at a time, and all unproven hosts together no more than 16
 *   proven    16 at a time, and all proven hosts together no more than 48: its last call was answered
 *
 * Neither kind can take the other's slots, and a host takes none for what is not due yet. What this process knows is lost with it, and
 * learned again by one call.
 */
const slotLimits = { proven: 48, unproven: 16, host: 16 };
/** Hosts that are remembered as proven; the one used least recently is forgotten, and proves itself anew. */
const maxRemembered = 1_000;
/** Unproven hosts looked at in one round; the next one goes on behind them. Two looks into an index each. */
const hostsPerRound = 1_000;
/** From the claim to the beginning of the call: one short transaction, after which the row says how long the call may take. */
const claimMs = 15_000;

/** One more than may begin at once: whether something is left behind them. */
const counted = slotLimits.host + 1;

const groups = {
  proven: { name: 'proven', limit: slotLimits.proven },
  unproven: { name: 'unproven', limit: slotLimits.unproven },
} as const satisfies Record<string, Group>;

export class PushHosts {
  readonly #proven = new Set<string>();
  /** Among unproven hosts the next round begins here. */
  #first = '';
  #isPassedOver = false;

  /** Least recently answered first: of those that share too few slots, another one is first each time. */
  get proven(): string[] {
    return [...this.#proven];
  }

  isProven(host: string): boolean {
    return this.#proven.has(host);
  }

  /** @param answered the host did, whatever it said */
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

  /** The hosts for which something is due, in the order in which they are served. */
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

  /** Once around from `#first`, or as far as one round looks: then the next one begins where this one stopped. */
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
