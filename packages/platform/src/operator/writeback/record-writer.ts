import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import { lost, Runner, type RunnerSpec } from '../../outgoing/index.ts';
import { type WriteClaim, type WritePlace, writeQueue } from './claim-store.ts';
import { beginWrite, finishWrite, type OpenWrite, sendWrite, type WriteAnswer, type WriteDeps } from './write.ts';
import { writePlaces } from './write-slots.ts';

/*
 * Brings changes of consents and blocks into the operator's books (write.ts), on the engine for outgoing calls. A withdrawal made at the
 * edge is on its way within one poll, 250 ms.
 *
 * Why no loop arises with an operator who publishes a consents event for every write of ours: the event causes a look-up and
 * never a write, and a look-up causes a write only by contradicting a stored withdrawal, at most `maxRewrites` times.
 */

/** Time for writes in hand when the process stops; then their claims are given back, and their answers ignored. */
const defaultStopGraceMs = 5_000;

export interface RecordWriterOptions extends Omit<WriteDeps, 'random'> {
  brands: { all(): Iterable<Brand> };
  guard?: ClockGuard;
  /** The operator has stored something, so a look-up is due: the scheduler of this process need not wait for its poll. */
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
      // It runs out, or somebody else has it: what was to be written is sent by the next claim.
      if (answer === null) return lost;
      const outcome = await finishWrite(open, answer, deps);
      if (answer.judgement.stored && outcome.outcome !== 'lost') onStored?.();
      return outcome;
    },
    about: ({ player_id, record }) => ({ player_id, record }),
    words: {
      away: 'nothing is written back while the database is away',
      again: 'changes are written back again',
      failed: 'a round of writes failed; the next one tries again',
      brokeOff: 'a write was not recorded; it is repeated',
    },
  };
}
