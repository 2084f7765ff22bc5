import pino, { type Level, type Logger } from 'pino';
import { WordedError } from './language.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = Level | 'silent';

/**
 * Names of fields through which a secret could reach a log line by accident: at the top, and two levels down
 * (`req.headers`, `brand.operator`). The rule remains that code must not log them; this is an additional safeguard.
 */
const secretNames = [
  'authorization',
  'x-api-key',
  'authtoken',
  'cookie',
  'api_key',
  'api_keys',
  'key',
  'sid',
  'token',
  'admin_token',
  'password',
  'secret',
  'client_secret',
  'auth',
  'credentials',
];
const paths = secretNames.flatMap((name) => {
  const quoted = `["${name}"]`;
  return [quoted, `*${quoted}`, `*.*${quoted}`];
});

export interface LogOptions {
  level: LogLevel;
  role: string;
  /** Default stdout. Commands write their answer there, so they log to stderr. */
  to?: 'stdout' | 'stderr' | pino.DestinationStream;
}

/** JSON lines, one per event, with the role and the process that wrote it. */
export function createLog({ level, role, to = 'stdout' }: LogOptions): Logger {
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[secret]' },
      serializers: { err: describeError },
    },
    typeof to === 'string' ? pino.destination({ dest: to === 'stdout' ? 1 : 2, sync: true }) : to,
  );
}

/**
 * An error without its additional data: database errors contain the row in `detail` and `where`, and failed calls to
 * the operator contain headers and bodies.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(describeError) } : {}),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
    // The message of such an error says what to do, so a stack trace would only hide it.
    ...(error instanceof WordedError ? {} : { stack: error.stack }),
  };
}
