/** SQLSTATE classes for temporary errors: connection, resources, shutdown. */
const awayClasses = new Set(['08', '53', '57', '58']);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** The driver reports these as plain errors. "connection error": the connection broke between two statements of a transaction. */
const driverWords =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|connection ended|connection error/i;

/** True if the database is unavailable or does not answer. The same call may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return awayClasses.has(code.slice(0, 2));
  return driverWords.test(error.message);
}

/** True if a statement hit its timeout (SQLSTATE 57014). That counts as temporary unless the caller knows better. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/**
 * True if the database ended the transaction in favor of another (SQLSTATE class 40): a deadlock or a serialization failure. A
 * retry may succeed.
 */
export function isAbortedForAnother(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^40[0-9A-Z]{3}$/.test(code);
}

/**
 * True if a value of the statement cannot be stored or compared: out of range, or text with a NUL (SQLSTATE class 22).
 */
export function isUnfitValue(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
}

/**
 * SQLSTATE classes of errors that do not depend on the values of a statement. Class 42 (an unknown table or column) is one of
 * them. Otherwise a missing migration would look like an error in the data of every player.
 */
const unrelatedClasses: ReadonlySet<string> = new Set([
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

/** The driver reports a lost or failed connection as a plain Error. */
const driverLostConnection =
  /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|pool after calling end|timeout expired|read timeout/i;

/**
 * True if the cause is in the data of the work, or in how this program handles it: the same work fails again, and other work does not.
 * False if the database is unavailable or in trouble, or if it ended the transaction in favor of another: the same work may succeed
 * later.
 */
export function isContentFailure(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string') {
    // SQLSTATEs of the server have five characters, at least one of them a digit. Other codes come from
    // Node: ERR_... is an error of this program, and the rest (ECONNREFUSED, EPIPE) are errors of the network.
    if (!/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code.startsWith('ERR_');
    return !unrelatedClasses.has(code.slice(0, 2));
  }
  return !(error instanceof Error && driverLostConnection.test(error.message));
}
