import { FencedOff } from '../../buckets/index.ts';

/**
 * The kind of error, which decides what happens to the batch:
 *
 *   fenced   the worker lost a bucket: drop the batch, because the new owner of the bucket processes it
 *   outage   the database or the server is in trouble, or transactions conflicted: wait, then retry the same batch
 *   content  some of these events cannot be applied: find out which, and park them
 */
export type Failure = 'fenced' | 'outage' | 'content';

/**
 * SQLSTATE classes that do not depend on the events. 42 (an unknown table or column) is one of them: otherwise a
 * missing migration would park every player.
 */
const outageClasses: ReadonlySet<string> = new Set([
  '08', // connection exceptions
  '25', // invalid transaction state, such as a server that became read-only
  '28', // authorization
  '3D', // the database does not exist
  '40', // deadlock, serialization failure
  '42', // schema not as expected
  '53', // out of disk, memory, connections
  '55', // object in use, lock not available
  '57', // shutdown, cancel
  '58', // system errors, such as I/O
]);

export function failureOf(error: unknown): Failure {
  if (error instanceof FencedOff) return 'fenced';
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') {
    // SQLSTATEs of the server have five characters, at least one of them a digit. Other codes (ECONNREFUSED, EPIPE)
    // come from the network.
    if (!/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code.startsWith('ERR_') ? 'content' : 'outage';
    return outageClasses.has(code.slice(0, 2)) ? 'outage' : 'content';
  }
  return error instanceof Error && driverLostConnection.test(error.message) ? 'outage' : 'content';
}

/** The driver reports a lost or failed connection as a plain Error. */
const driverLostConnection =
  /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|pool after calling end|timeout expired|read timeout/i;

export function reasonOf(error: unknown): string {
  const { message = String(error), code } = error as { message?: string; code?: string };
  return `${code === undefined ? '' : `${code} `}${message}`.slice(0, maxReason);
}

const maxReason = 500;
