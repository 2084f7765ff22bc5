import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { type Bucket, type Cursor, type Ledger, type LedgerEvent, playerHash } from '../../ledger/index.ts';
import { positionName } from '../journal/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../read.ts';
import type { Shadow } from './shadow.ts';

export type RebuildScope =
  | { of: 'everything' }
  | { of: 'brand'; brand_id: number }
  | { of: 'player'; brand_id: number; user_id: string };

export interface ReplayOptions {
  ledger: Ledger;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  scope: RebuildScope;
  signal?: AbortSignal | undefined;
  onStep: () => void;
}

/** Events applied to the shadow in one transaction, and asked of the ledger at once. */
const eventsPerStep = 2_000;
/** Events told that could not be applied; their players differ in any case. */
const maxFailures = 1_000;

/**
 * Brings a shadow to exactly the events that the live state has been given: those that the buckets' cursors cover,
 * without the parked ones.
 */
export class Replay {
  readonly #shadow: Shadow;
  readonly #options: ReplayOptions;
  /** Events left out because they were parked, by `positionName`. They may be released later. */
  readonly #parked = new Map<string, LedgerEvent>();
  /** Applied so far. */
  events = 0;
  readonly failures: { user_id: string; reason: string }[] = [];

  constructor(shadow: Shadow, options: ReplayOptions) {
    this.#shadow = shadow;
    this.#options = options;
  }

  /**
   * Applies what lies between two cursors of each bucket. A read may go past the later one: what that does not cover is
   * left out.
   *
   * @param parked positions that are parked as of the later cursors, by `positionName`
   */
  async applyBetween(
    from: ReadonlyMap<Bucket, Cursor>,
    upTo: ReadonlyMap<Bucket, Cursor>,
    parked: ReadonlySet<string>,
  ): Promise<void> {
    const { ledger, signal, onStep } = this.#options;
    const cursors = new Map([...upTo.keys()].map((bucket) => [bucket, from.get(bucket) ?? ledger.beginning]));
    const hasArrived = ([bucket, cursor]: [Bucket, Cursor]) => ledger.reaches(cursor, upTo.get(bucket) ?? cursor);
    while (![...cursors].every(hasArrived)) {
      signal?.throwIfAborted();
      const reads = await ledger.read(cursors, eventsPerStep);
      if (reads.length === 0) break;
      const events: LedgerEvent[] = [];
      for (const read of reads) {
        cursors.set(read.bucket, read.cursor);
        const bound = upTo.get(read.bucket);
        for (const event of read.events) {
          if (bound === undefined || !this.#isInScope(event) || !ledger.covers(bound, event.position)) continue;
          if (parked.has(positionName(event.position))) this.#parked.set(positionName(event.position), event);
          else events.push(event);
        }
      }
      await this.#apply(events);
      onStep();
    }
    await this.#applyReleased(new Set(upTo.keys()), parked);
  }

  /** Events that were parked at an earlier cursor and are no longer: the live state has been given them since. */
  async #applyReleased(buckets: ReadonlySet<Bucket>, parked: ReadonlySet<string>): Promise<void> {
    const released: LedgerEvent[] = [];
    for (const [name, event] of this.#parked) {
      if (!buckets.has(event.bucket) || parked.has(name)) continue;
      this.#parked.delete(name);
      released.push(event);
    }
    await this.#apply(released);
  }

  async #apply(events: readonly LedgerEvent[]): Promise<void> {
    const { brands, clock } = this.#options;
    const readable = events.flatMap((event): ReadableEvent[] => {
      const reading = readLedgerEvent(event, brands.byId(event.brand_id));
      return reading.ok && this.#isOfPlayer(reading.readable) ? [reading.readable] : [];
    });
    for (const { event, reason } of await this.#shadow.apply(readable, clock())) {
      if (this.failures.length === maxFailures) break;
      this.failures.push({ user_id: event.event.user_id, reason });
    }
    this.events += readable.length;
  }

  #isInScope({ brand_id, player_hash }: LedgerEvent): boolean {
    const { scope } = this.#options;
    if (scope.of === 'everything') return true;
    if (brand_id !== scope.brand_id) return false;
    return scope.of === 'brand' || player_hash === playerHash(scope.brand_id, scope.user_id);
  }

  /** Two players may share a hash; the body decides. */
  #isOfPlayer({ event }: ReadableEvent): boolean {
    const { scope } = this.#options;
    return scope.of !== 'player' || event.user_id === scope.user_id;
  }
}
