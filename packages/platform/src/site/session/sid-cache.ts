/*
 * Caches operators' answers about sids, by their hash, for a short time (docs/reference/decisions.md 4): valid 60 s, invalid 5
 * s.
 *
 * It also remembers for hours which sids were good: these are exempt from their address's limit on wrong ones
 * (failed-tries.ts).
 *
 * Valid and invalid answers have separate maps, each limited. So a client that sends random sids fills only the second, and evicts no
 * signed-in player. All entries of a map have the same lifetime, so the oldest is always the first, and eviction needs no
 * search.
 */
export const validMs = 60_000;
export const invalidMs = 5_000;
/** An entry has 200 bytes, so all have 10 MB at most. Above the limit, a player causes one more call to the operator. */
const maxValid = 50_000;
const maxInvalid = 10_000;
/** 12 hours, which covers a long evening. An entry has 100 bytes, so all have 10 MB at most. */
const goodMs = 12 * 3_600_000;
const maxGood = 100_000;

export interface ValidSid {
  user_id: string;
  /**
   * The database's snapshot from before the operator was asked: an end of a session that is not in it may be later than the
   * answer.
   */
  snapshot: string;
}

interface Entry<T> {
  until: number;
  value: T;
}

export class SidCache {
  readonly #valid = new Map<string, Entry<ValidSid>>();
  readonly #invalid = new Map<string, Entry<null>>();
  readonly #good = new Map<string, Entry<null>>();
  readonly #monotonic: () => number;

  /** @param monotonic returns milliseconds of a monotonic clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Null if invalid. Undefined if the operator has to be asked. */
  get(hash: string): ValidSid | null | undefined {
    const now = this.#monotonic();
    return live(this.#valid, hash, now) ?? live(this.#invalid, hash, now);
  }

  set(hash: string, value: ValidSid | null): void {
    const now = this.#monotonic();
    this.forget(hash);
    this.#good.delete(hash);
    if (value === null) keep(this.#invalid, hash, { until: now + invalidMs, value }, maxInvalid, now);
    else {
      keep(this.#valid, hash, { until: now + validMs, value }, maxValid, now);
      keep(this.#good, hash, { until: now + goodMs, value: null }, maxGood, now);
    }
  }

  /** Whether the operator's last answer about the sid, some time ago, was that it is valid. */
  wasGood(hash: string): boolean {
    return live(this.#good, hash, this.#monotonic()) !== undefined;
  }

  forget(hash: string): void {
    this.#valid.delete(hash);
    this.#invalid.delete(hash);
  }

  get size(): number {
    return this.#valid.size + this.#invalid.size;
  }
}

function live<T>(map: Map<string, Entry<T>>, hash: string, now: number): T | undefined {
  const entry = map.get(hash);
  return entry !== undefined && now < entry.until ? entry.value : undefined;
}

function keep<T>(map: Map<string, Entry<T>>, hash: string, entry: Entry<T>, most: number, now: number): void {
  for (const [oldest, { until }] of map) {
    if (now < until && map.size < most) break;
    map.delete(oldest);
  }
  map.set(hash, entry);
}
