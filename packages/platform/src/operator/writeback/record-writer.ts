import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import { lost, Runner, type RunnerSpec } from '../../outgoing/index.ts';
import { type WriteClaim, type WritePlace, writeQueue } from './claim-store.ts';
import { beginWrite, finishWrite, type OpenWrite, sendWrite, type WriteAnswer, type WriteDeps } from './write.ts';
import { writePlaces } from './write-slots.ts';

/*
 * Writes changes of consents and blocks to the operator (write.ts), with the engine for outgoing calls. A withdrawal made at
 * the edge is sent within one poll, 250 ms.
 *
 * If an operator publishes a consents event for every write of the platform, this causes no loop. The event causes a look-up
 * and never a write. A look-up causes a write only if it contradicts a stored withdrawal, at most `maxRewrites` times.
 */

/** Time for open writes when the process stops. After that, their claims are released, and their answers ignored. */
const defaultStopGraceMs = 5_000;

export interface RecordWriterOptions extends Omit<WriteDeps, 'random'> {
  brands: { all(): Iterable<Brand> };
  guard?: ClockGuard;
  /**
   * Called when the operator has stored a change, so that a look-up is due. It wakes the scheduler of this process before its
   * next poll.
   */
  onStored?: (() => void) | undefined;
  /** Default 5000. */
  stopGraceMs?: number | undefined;
  random?: (() => number) | undefined;
}

export class RecordWriter extends Runner<WritePlace, WriteClaim, OpenWrite, WriteAnswer> {
  constructor(options: RecordWriterOptions) {
    const { pool, log, guard, stopGraceMs = defaultStopGraceMs } = options;
    super(writing(options), { pool, log, guard, stopGraceMs });
  }
}

export function writing(options: RecordWriterOptions): RunnerSpec<WritePlace, WriteClaim, OpenWrite, WriteAnswer> {
  const deps: WriteDeps = { ...options, random: options.random ?? Math.random };
  const { brands, health, onStored } = options;
  const brandOf = ({ brand_id }: Pick<WriteClaim, 'brand_id'>) =>
    [...brands.all()].find((brand) => brand.brand_id === brand_id);
  return {
    queue: writeQueue,
    places: () => writePlaces(brands.all(), health.circuits),
    begin: (claim) => beginWrite(claim, brandOf(claim), deps),
    send: (open) => sendWrite(open, deps),
    callMs: ({ claim }) => brandOf(claim)?.operator?.call_timeout_ms ?? 0,
    async finish(open, answer) {
      // The claim expires, or another worker has it. The next claim sends what was to be written.
      if (answer === null) return lost;
      const outcome = await finishWrite(open, answer, deps);
      if (answer.judgment.stored && outcome.outcome !== 'lost') onStored?.();
      return outcome;
    },
    about: ({ player_id, record }) => ({ player_id, record }),
    words: {
      away: 'changes are not written back: the database is unavailable',
      again: 'changes are written back again',
      failed: 'writing back changes failed; will retry in the next round',
      brokeOff: 'a write could not be recorded; it is repeated',
    },
  };
}
