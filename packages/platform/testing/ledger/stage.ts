import type { Micros } from '@croupier/contracts';
import type { Bucket, Cursor, Ledger } from '../../src/ledger/index.ts';
import { entryOf, readAll, start, startOf } from './entries.ts';

/** A ledger and its environment, controlled by a test. */
export interface LedgerStage {
  ledger: Ledger;
  /** The clock of writers and of days. */
  clock: { now: Micros };
  /** The stored positions of the readers, as passed to the ledger. */
  readers: Map<Bucket, Cursor>;
  /** Kills the ledger's server immediately, and resolves when it answers again. Only for a stage on its own server. */
  crash(): Promise<void>;
}

/** Creates an empty ledger that nothing else uses. With its own server, which takes longer to start, the test can kill it. */
export type MakeLedger = (options?: { ownServer: boolean }) => Promise<LedgerStage>;

/** The timeout of tests that start a server and kill it. Starting and killing both wait for a signal only. */
export const killing = { timeout: 120_000 };

export const dayMicros = 86_400_000_000;
export const today = '2026-05-01';
export const tomorrow = '2026-05-02';

/** Moves every reader to the end of the ledger. */
export async function readToTheEnd({ ledger, readers }: LedgerStage): Promise<void> {
  const { cursors } = await readAll(ledger, startOf(ledger), 1_000);
  for (const [bucket, cursor] of cursors) readers.set(bucket, cursor);
}

/** Two days of two writers: numbers 0 to 59 on the first, 60 to 99 on the second. The clock then shows the third day. */
export async function twoDays(make: MakeLedger, options?: { ownServer: boolean }) {
  const stage = await make(options);
  const writers = [await stage.ledger.openWriter(), await stage.ledger.openWriter()];
  for (let i = 0; i < 100; i += 2) {
    if (i === 60) stage.clock.now = start + dayMicros;
    const at = stage.clock.now + i;
    const entries = [i, i + 1].map((n) => ({
      ...entryOf(`u-${n % 17}`, n, n % 3 === 0 ? 'login' : 'payment'),
      received_at: at,
    }));
    await writers[(i / 2) % 2]?.append(entries);
  }
  stage.clock.now = start + 2 * dayMicros + 7_200_000_000;
  await readToTheEnd(stage);
  return { ...stage, days: stage.ledger.days, writers, close: () => Promise.all(writers.map((one) => one.close())) };
}
