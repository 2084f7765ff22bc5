import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds, Underway } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import type { OperatorClients, OperatorHealth } from '../calling/index.ts';
import { claimDueWrites, endClaim, type WriteClaim } from './claim-store.ts';
import { writeBack } from './write.ts';
import { claimMarginMs, WriteSlots, writeEndpointOf } from './write-slots.ts';

/*
 * Brings changes of consents and blocks into the operator's books: claims rows of the queue, calls, records.
 *
 *              wake / slot free / poll
 *     idle --------------------------> claiming ----> taking items ----> calling ----> recording ----> slot free
 *
 * As with look-ups (sync/scheduler.ts) nothing that matters is remembered here: the rows say what is due, whatever happens
 * to this process.
 *
 * Why no loop arises with an operator who publishes a consents event for every write of ours: the event causes a look-up and
 * never a write, and a look-up causes a write only by contradicting a stored withdrawal, at most `maxRewrites` times.
 */

/** The net below `wake`, which only reaches this process. A withdrawal made at the edge is on its way within this time. */
const pollMs = 250;
/** Time for writes in hand when the process stops; then their claims are ended, and their answers ignored. */
const defaultStopGraceMs = 5_000;

export interface RecordWriterOptions {
  pool: Pool;
  brands: { all(): Iterable<Brand> };
  clients: OperatorClients;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** The operator has stored something, so a look-up is due: the scheduler of this process need not wait for its poll. */
  onStored?: (() => void) | undefined;
  /** Default 5000. */
  stopGraceMs?: number | undefined;
  random?: (() => number) | undefined;
}

export class RecordWriter implements Service {
  #options: RecordWriterOptions;
  #slots: WriteSlots;
  #rounds: Rounds;
  #writes = new Underway<WriteClaim>();

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    this.#slots = new WriteSlots(options.health.circuits);
    this.#rounds = new Rounds({
      name: 'write-backs',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'nothing is written back while the database is away',
        again: 'changes are written back again',
        failed: 'a round of writes failed; the next one tries again',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  /** Something may be due: look now. Cheap, and never waits. */
  wake = (): void => this.#rounds.wake();

  async stop(): Promise<void> {
    await this.#rounds.stop();
    const left = await this.#writes.finish(this.#options.stopGraceMs ?? defaultStopGraceMs);
    // What is still under way may reach the operator or not: sent again by another worker, it changes nothing there.
    for (const claim of left) {
      await endClaim(this.#options.pool, claim).catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the claim on a write was not ended; it runs out by itself');
      });
    }
  }

  /** One round: claims what is due and starts it. The writes go on after it has returned. */
  async runOnce(): Promise<{ claimed: number }> {
    const brands = new Map([...this.#options.brands.all()].map((brand) => [brand.brand_id, brand]));
    const wanted = this.#slots.free(brands.values());
    const claimedAt = performance.now();
    const claims = await claimDueWrites(this.#options.pool, wanted);
    for (const claim of claims) {
      const brand = brands.get(claim.brand_id);
      if (brand) this.#begin(claim, brand, claimedAt);
    }
    return { claimed: claims.length };
  }

  #begin(claim: WriteClaim, brand: Brand, claimedAt: number): void {
    this.#slots.take(claim);
    const done = this.#write(claim, brand, claimedAt)
      .catch((error: unknown) => {
        const { player_id, record } = claim;
        this.#options.log.warn({ err: error, player_id, record }, 'a write was not recorded; it is repeated');
      })
      .finally(() => {
        this.#slots.give(claim);
        this.wake();
      });
    this.#writes.begin(claim, done);
  }

  async #write(claim: WriteClaim, brand: Brand, claimedAt: number): Promise<void> {
    const { clients, health, random = Math.random, onStored } = this.#options;
    const client = clients.of(brand);
    if (client === null) return;
    // Half of the margin is for beginning, the other half for recording.
    const isInTime = () => performance.now() - claimedAt < claimMarginMs / 2;
    const lesson = await writeBack(claim, { ...this.#options, client, random, isInTime });
    if (lesson === null) return;
    health.circuits.learn(claim.brand_id, writeEndpointOf[claim.record], lesson);
    if (lesson.stored) onStored?.();
  }
}
