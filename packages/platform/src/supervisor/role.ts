import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { loadConfig } from '../config/index.ts';
import { createLog } from '../log.ts';
import type { Service } from '../service.ts';
import type { ProcessContext } from '../wiring/shared.ts';
import { readyMessage } from './child.ts';
import { prepareDatabase } from './prepare-database.ts';
import { demoVariable, type Role, supervisedVariable } from './roles.ts';
import { StartRefused } from './start-refused.ts';
import { stopSignal } from './stop-signals.ts';
import { yieldCpu } from './yield-cpu.ts';

/** Maximum time from SIGTERM to exit (docs/reference/design.md 6). */
const stopLimitMs = 10_000;

/** Creates the service of a role, from the wiring. */
export type CreateRole = (context: ProcessContext) => Service;

/** Runs one role in this process until it is stopped. Returns the exit code. */
export async function runRole(role: Role, create: CreateRole): Promise<number> {
  process.title = `croupier ${role}`;
  const supervised = process.env[supervisedVariable] !== undefined;
  const config = await loadConfig(process.env);
  const log = createLog({ level: config.log_level, role });
  if (!supervised) for (const warning of config.warnings) log.warn(warning);
  if (role === 'worker' && !yieldCpu(config.processes.worker_nice))
    log.warn(
      'the system refuses a lower CPU priority for this worker: while it is busy, events are acknowledged later',
    );
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'exits because of an unexpected error'));
  if (config.database_url === undefined) {
    throw new StartRefused(
      `The role ${role} requires DATABASE_URL. The embedded PostgreSQL is part of \`npm start\`, which runs all roles.`,
    );
  }
  const stopped = stopSignal(log);
  const databaseUrl = config.database_url;
  const name = `${role}-${hostname().slice(0, 20)}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const service = create({ config, databaseUrl, log, name });
  const started = (async () => {
    const brands = config.file ? config.brands : undefined;
    const { secret, previous_secrets: previousSecrets } = config;
    if (!supervised) await prepareDatabase(databaseUrl, { brands, secret, previousSecrets, log });
    if (process.env[demoVariable] !== undefined) {
      const { furnishDemo } = await import('./furnish-demo.ts');
      await furnishDemo(databaseUrl, config, log);
    }
    await service.start();
    process.send?.(readyMessage);
    log.info('ready');
  })();
  // A signal also takes effect during a start, which may wait for its database for a minute.
  const signal = await Promise.race([stopped, started.then(() => stopped)]);
  log.info({ signal }, 'stopping');
  return stopWithin(service, log);
}

async function stopWithin(service: Service, log: Logger): Promise<number> {
  const limit = Promise.withResolvers<number>();
  const timer = setTimeout(() => {
    log.error({ limit_ms: stopLimitMs }, 'did not stop in time');
    limit.resolve(1);
  }, stopLimitMs);
  const stop = service.stop().then(
    () => 0,
    (error) => {
      log.error({ err: error }, 'did not stop cleanly');
      return 1;
    },
  );
  return Promise.race([stop, limit.promise]).finally(() => clearTimeout(timer));
}
