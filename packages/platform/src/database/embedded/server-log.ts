import type { Level, Logger } from 'pino';

const levels: Record<string, Level> = {
  PANIC: 'fatal',
  FATAL: 'debug',
  ERROR: 'debug',
  WARNING: 'warn',
  LOG: 'debug',
};

/**
 * Logs one line of the server's log. FATAL and ERROR concern one connection each; the user of that connection gets the
 * error and logs it if needed. The end of the server itself is detected by the end of its process.
 */
export function logServerLine(log: Logger, line: string): void {
  const parts = /^([A-Z]+): +(.*)$/.exec(line);
  if (parts === null) return;
  const [, severity = '', message = ''] = parts;
  const level = levels[severity];
  if (level !== undefined) log[level]({ from: 'postgres' }, message);
}
