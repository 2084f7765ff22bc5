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
/** The driver reports these as plain errors. A "connection error" broke between two statements of a transaction. */
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

/** True if the database ended the transaction in favor of another (SQLSTATE class 40): a deadlock. A repetition succeeds. */
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
