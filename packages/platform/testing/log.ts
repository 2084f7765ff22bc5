import { createLog, type LogLevel } from '../src/log.ts';

/** Silent, unless the environment variable `LOG_LEVEL` is set, for example to `debug`. */
export const testLog = createLog({ level: (process.env.LOG_LEVEL ?? 'silent') as LogLevel, role: 'test' });
