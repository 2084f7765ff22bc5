import { createLog, type LogLevel } from '../src/log.ts';

/** Silent, unless somebody looks for a mistake with `LOG_LEVEL=debug`. */
export const testLog = createLog({ level: (process.env.LOG_LEVEL ?? 'silent') as LogLevel, role: 'test' });
