import type { Micros } from '@croupier/contracts';
import { Circuit } from '../../operator/calling/index.ts';
import type { Group } from '../../outgoing/index.ts';
import { RateShortage } from '../rate-shortage.ts';
import { type RateShare, RateTokens, wholeRate } from '../rate-tokens.ts';
import type { AnySettings } from '../settings/settings.ts';
import type { CallPlace } from './store.ts';

/*
 * Decides how many calls each provider may get now. The limits are its connections and its rate. While its circuit is
 * probing, it gets one call at a time. Messages that get no slot stay due, and no try is counted. Each host that
 * webhooks call counts as one provider. All providers of one brand's channel share a group, so a brand whose hosts all
 * fail to answer takes no slots of another brand.
 */
const claimMs = 20_000;
const slotsOfChannel = 32;
/** Maximum number of providers kept in memory; the least recently used one is dropped. */
const mostRemembered = 2_000;

type Target = Pick<CallPlace, 'brand_id' | 'channel' | 'target'>;

interface Provider {
  of: Target;
  circuit: Circuit;
  tokens: RateTokens;
  busy: number;
  shortage: RateShortage;
}

export class CallPlaces {
  readonly #providers = new Map<string, Provider>();
  readonly #monotonic: () => number;
  readonly #rateShare: RateShare;

  /** @param monotonic returns milliseconds of a monotonic clock */
  constructor(monotonic: () => number = () => performance.now(), rateShare = wholeRate) {
    this.#monotonic = monotonic;
    this.#rateShare = rateShare;
  }

  place(of: Target & { due: number }, settings: AnySettings, at: Micros = 0): CallPlace {
    const share = this.#rateShare();
    const provider = this.#of(of, settings.per_second * share);
    const passage = provider.circuit.passage(this.#monotonic());
    const most = { all: settings.max_connections, probe: 1, none: 0 }[passage];
    const group: Group = {
      name: `${of.brand_id} ${of.channel}`,
      limit: Math.max(slotsOfChannel, settings.max_connections),
    };
    const { brand_id, channel, target, due } = of;
    // A limit counts open calls; tokens count calls that may begin.
    const limit = Math.min(most, provider.busy + provider.tokens.whole);
    // Without a share, other workers send the messages, so nothing is short.
    const isRateTheLimit = passage === 'all' && limit < most && share > 0;
    if (isRateTheLimit && due > limit - provider.busy) provider.shortage.note(at);
    return { brand_id, channel, target, due, limit, group, claim_ms: claimMs };
  }

  /** The time since which more messages are due than the provider's rate allows. Null if there is no such shortage. */
  shortSince(of: Target, at: Micros): Micros | null {
    return this.#providers.get(nameOf(of))?.shortage.since(at) ?? null;
  }

  /** All providers with such a shortage now. */
  shortages(at: Micros): (Target & { since: Micros })[] {
    return [...this.#providers.values()].flatMap(({ of, shortage }) => {
      const since = shortage.since(at);
      return since === null ? [] : [{ ...of, since }];
    });
  }

  began(of: Target): void {
    const provider = this.#providers.get(nameOf(of));
    if (provider === undefined) return;
    provider.tokens.take();
    provider.busy += 1;
  }

  /** @param outcome null if the provider was not called @returns the state of the circuit before and after. */
  ended(of: Target, outcome: { isAlive: boolean; pauseMs: number | null } | null) {
    const provider = this.#providers.get(nameOf(of));
    if (provider === undefined) return { before: 'closed', after: 'closed' } as const;
    const now = this.#monotonic();
    const before = provider.circuit.condition(now).state;
    provider.busy -= 1;
    if (outcome === null) return { before, after: before };
    const { isAlive, pauseMs } = outcome;
    if (isAlive) provider.circuit.answered();
    else provider.circuit.failed(now);
    if (pauseMs !== null) provider.circuit.pause(now, pauseMs);
    return { before, after: provider.circuit.condition(now).state };
  }

  #of(of: Target, perSecond: number): Provider {
    const now = this.#monotonic();
    const name = nameOf(of);
    const known = this.#providers.get(name);
    if (known === undefined) {
      const { brand_id, channel, target } = of;
      const made = {
        of: { brand_id, channel, target },
        circuit: new Circuit(),
        tokens: new RateTokens(perSecond, now),
        busy: 0,
        shortage: new RateShortage(),
      };
      this.#providers.set(name, made);
      this.#forget();
      return made;
    }
    this.#providers.delete(name);
    this.#providers.set(name, known);
    known.tokens.refill(perSecond, now);
    return known;
  }

  #forget(): void {
    if (this.#providers.size <= mostRemembered) return;
    for (const [name, { busy }] of this.#providers) {
      if (busy > 0) continue;
      this.#providers.delete(name);
      return;
    }
  }
}

function nameOf({ brand_id, channel, target }: Target): string {
  return `${brand_id} ${channel} ${target}`;
}
