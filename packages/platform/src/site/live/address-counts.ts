import { networkOf } from '../../http/network.ts';

/** Number of sockets of this process per address; a /64 of IPv6 counts as one. */
export class AddressCounts {
  readonly #counts = new Map<string, number>();

  of(address: string): number {
    return this.#counts.get(networkOf(address)) ?? 0;
  }

  add(address: string): void {
    this.#counts.set(networkOf(address), this.of(address) + 1);
  }

  remove(address: string): void {
    const left = this.of(address) - 1;
    if (left > 0) this.#counts.set(networkOf(address), left);
    else this.#counts.delete(networkOf(address));
  }
}
