import type { Micros } from '@croupier/contracts';
import { Allowance, type Rate } from '../../http/allowance.ts';
import { SiteRefusal } from '../api/envelope.ts';
import type { Caller } from '../session/caller.ts';

/** What a player may do how often; of each api process. A page that behaves comes nowhere near. */
const perPlayer = {
  /** An event for each click, and a burst when a page opens. */
  track: { burst: 60, per_second: 1 },
  claim: { burst: 20, per_second: 0.5 },
  /** Each change is a call to the operator. */
  consent: { burst: 10, per_second: 0.2 },
  read: { burst: 60, per_second: 2 },
} as const satisfies Record<string, Rate>;
type Deed = keyof typeof perPlayer;

/** Tracked events at once, in seconds of `site_functions.tracked_per_second`: a mail to everybody opens many pages in a minute. */
const brandBurstSeconds = 10;

export class PlayerLimits {
  readonly #now: () => Micros;
  readonly #players: Record<Deed, Allowance<number>> = {
    track: new Allowance(),
    claim: new Allowance(),
    consent: new Allowance(),
    read: new Allowance(),
  };
  readonly #brands = new Allowance<number>();

  constructor(now: () => Micros) {
    this.#now = now;
  }

  /** @throws {SiteRefusal} too_many_requests, with the seconds after which to come back. */
  take({ brand, player_id }: Caller, deed: Deed): void {
    const now = this.#now();
    refuseWhen(this.#players[deed].take(player_id, perPlayer[deed], now));
    if (deed !== 'track') return;
    // After the player's own: whoever overdoes it takes nothing from the others.
    const per_second = brand.settings.site_functions.tracked_per_second;
    refuseWhen(this.#brands.take(brand.brand_id, { burst: per_second * brandBurstSeconds, per_second }, now));
  }
}

function refuseWhen(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw new SiteRefusal('too_many_requests', { retryAfterSeconds });
}
