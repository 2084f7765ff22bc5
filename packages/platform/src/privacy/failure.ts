import { isDatabaseAway } from '../database/index.ts';

/** SQLSTATE classes that people can act on. */
const classes: Record<string, string> = {
  '40': 'others changed the same rows at that moment',
  '53': 'the database is short of memory, disk or connections',
  '54': 'a limit of the database was reached',
  '55': 'somebody else held what it needed',
  '57': 'the database stopped it, or is stopping itself',
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
