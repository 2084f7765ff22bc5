import { createLog, type LogLevel } from '../src/log.ts';

/** Silent, except with `LOG_LEVEL=debug` for debugging. */
export const testLog = createLog({ level: (process.env.LOG_LEVEL ?? 'silent') as LogLevel, role: 'test' });
