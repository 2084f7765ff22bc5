import { FencedOff } from '../../buckets/index.ts';
import { isContentFailure } from '../../database/index.ts';

/**
 * The kind of error, which decides what happens to the batch:
 *
 *   fenced   the worker lost a bucket: drop the batch, because the new owner of the bucket processes it
 *   outage   the database or the server is in trouble, or transactions conflicted: wait, then retry the same batch
 *   content  some of these events cannot be applied: find out which, and park them
 */
export type Failure = 'fenced' | 'outage' | 'content';

export function failureOf(error: unknown): Failure {
  if (error instanceof FencedOff) return 'fenced';
  return isContentFailure(error) ? 'content' : 'outage';
}

export function reasonOf(error: unknown): string {
  const { message = String(error), code } = error as { message?: string; code?: string };
  return `${code === undefined ? '' : `${code} `}${message}`.slice(0, maxReason);
}

const maxReason = 500;
