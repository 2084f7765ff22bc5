import { isDatabaseAway } from '../database/index.ts';

/** SQLSTATE classes that people can act on. */
const classes: Record<string, string> = {
  '40': 'another transaction changed the same rows',
  '53': 'the database has too little memory, disk or connections',
  '54': 'a limit of the database was reached',
  '55': 'another transaction held a lock',
  '57': 'the database cancelled it or is stopping',
};

/**
 * Why a step of an erasure failed, in words that may be shown and stored. An error's own message may quote a row of the player
 * who is being erased. It is only in the log, which is deleted after the installation's retention.
 */
export function safeReason(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    const meaning = classes[code.slice(0, 2)] ?? 'the database refused a statement';
    return `the step failed: ${meaning} (SQLSTATE ${code})`;
  }
  if (isDatabaseAway(error)) return 'the step failed: the database does not answer';
  return `the step failed: ${error instanceof Error ? error.name : 'an unknown error'}`;
}
