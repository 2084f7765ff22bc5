import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { Circuit } from '../../operator/calling/index.ts';
import { RateShortage } from '../rate-shortage.ts';
import { type RateShare, RateTokens, wholeRate } from '../rate-tokens.ts';
import { type EmailOutcome, isAlive } from './judge-reply.ts';
import type { EmailPlace } from './store.ts';

/*
 * Decides how many e-mails each brand's server may get now. The limits are its connections and its rate. While its
 * circuit is probing, it gets one e-mail at a time. E-mails that get no slot stay due, and no try is counted.
 */
const claimMs = 20_000;

interface Server {
  circuit: Circuit;
  tokens: RateTokens;
  busy: number;
  shortage: RateShortage;
}

export class EmailServers {
  readonly #servers = new Map<number, Server>();
  readonly #monotonic: () => number;
  readonly #rateShare: RateShare;

  /** @param monotonic returns milliseconds of a monotonic clock */
  constructor(monotonic: () => number = () => performance.now(), rateShare = wholeRate) {
    this.#monotonic = monotonic;
    this.#rateShare = rateShare;
  }

  places(brands: readonly Brand[], at: Micros = 0): EmailPlace[] {
    const share = this.#rateShare();
    return brands.flatMap(({ brand_id, email }) => {
      if (email === null) return [];
      const server = this.#of(brand_id, email.per_second * share);
      const passage = server.circuit.passage(this.#monotonic());
      const most = { all: email.max_connections, probe: 1, none: 0 }[passage];
      // Without a share, other workers send the e-mails, so nothing is short.
      if (passage === 'all' && server.tokens.whole < 1 && share > 0) server.shortage.note(at);
      // A limit counts open calls; tokens count calls that may begin.
      return [{ brand_id, limit: Math.min(most, server.busy + server.tokens.whole), claim_ms: claimMs }];
    });
  }

  /**
   * The time since which the server gets as many e-mails as its rate allows, so that others may wait. Null if it gets
   * fewer.
   */
  shortSince(brandId: number, at: Micros): Micros | null {
    return this.#servers.get(brandId)?.shortage.since(at) ?? null;
  }

  /** All current shortages (`shortSince`). */
  shortages(at: Micros): { brand_id: number; since: Micros }[] {
    return [...this.#servers].flatMap(([brand_id, { shortage }]) => {
      const since = shortage.since(at);
      return since === null ? [] : [{ brand_id, since }];
    });
  }

  began(brandId: number): void {
    const server = this.#servers.get(brandId);
    if (server === undefined) return;
    server.tokens.take();
    server.busy += 1;
  }

  /** @returns the state of the circuit before and after. */
  ended(brandId: number, outcome: EmailOutcome | null) {
    const server = this.#servers.get(brandId);
    if (server === undefined) return { before: 'closed', after: 'closed' } as const;
    const now = this.#monotonic();
    const before = server.circuit.condition(now).state;
    server.busy -= 1;
    if (outcome === null) return { before, after: before };
    if (isAlive(outcome)) server.circuit.answered();
    else server.circuit.failed(now);
    return { before, after: server.circuit.condition(now).state };
  }

  #of(brandId: number, perSecond: number): Server {
    const now = this.#monotonic();
    const known = this.#servers.get(brandId);
    if (known === undefined) {
      const tokens = new RateTokens(perSecond, now);
      const made = { circuit: new Circuit(), tokens, busy: 0, shortage: new RateShortage() };
      this.#servers.set(brandId, made);
      return made;
    }
    known.tokens.refill(perSecond, now);
    return known;
  }
}
