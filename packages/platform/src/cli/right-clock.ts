import type { CommandStages } from '../wiring/command-line.ts';
import { CliError } from './context.ts';

/**
 * Runs an operation that erases or starts something, after comparing the clock of this machine with the database's. The
 * command line does the work of a worker, so, like a worker, it does not do this work while the clock is wrong.
 *
 * @throws {CliError} if the clocks differ by more than a minute, or could not be compared
 */
export async function withRightClock<T>(
  { databaseClock }: Pick<CommandStages, 'databaseClock'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    await databaseClock.start();
    if (databaseClock.isWrong()) throw new CliError(refusal(databaseClock.status().offset_ms));
    return await run();
  } finally {
    await databaseClock.stop();
  }
}

function refusal(offsetMs: number | undefined): string {
  if (offsetMs === undefined)
    return 'the clock of this machine could not be compared with the database clock; try again';
  const seconds = Math.abs(Math.round(offsetMs / 1_000));
  return `the clock of this machine is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database clock; correct it first`;
}
