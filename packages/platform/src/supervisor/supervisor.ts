import type { Logger } from 'pino';
import { type Config, loadConfig } from '../config/index.ts';
import { type Credentials, createFirstUser } from '../console/accounts/index.ts';
import { EmbeddedPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { ServiceStack, together } from '../service.ts';
import { announce } from './announce.ts';
import { roleChildren, sandboxChild } from './children.ts';
import { claimPort } from './claim-port.ts';
import { consoleBuild } from './console-build.ts';
import { demoBrand } from './demo-brand.ts';
import { prepareDatabase } from './prepare-database.ts';
import { claimSandboxPort } from './sandbox-port.ts';
import { describeStartFailure, exitCodeOf } from './start-failure.ts';
import { startSandbox } from './start-sandbox.ts';
import { stopSignal } from './stop-signals.ts';

/*
 * `npm start`: everything on one machine.
 *
 *   configuration -> port free? -> PostgreSQL (embedded, or DATABASE_URL) -> migrations, brands -> api and worker
 *   processes -> sandbox, when no configuration was given -> the first account -> the announcement
 *
 * The supervisor loads none of the stages, because this takes long. A worker creates the content of the demo brand.
 *
 * Stopping uses the reverse order: sandbox, then api and workers, which finish their open work, then the database.
 */
export interface SupervisorOptions {
  /** False: no simulated operator and no simulated traffic. They run only without a configuration file. */
  sandbox: boolean;
}

/** Runs until it is stopped. Returns the exit code. */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  process.title = 'croupier supervisor';
  const given = await loadConfig(process.env);
  const log = createLog({ level: given.log_level, role: 'supervisor' });
  for (const warning of given.warnings) log.warn(warning);
  const stack = new ServiceStack();
  const stopRequested = Promise.race([stopSignal(log), starterEnded()]);
  const failed = startAll(given, options, log, stack).then(() => new Promise<never>(() => {}));
  const failure = await Promise.race([stopRequested, failed]).then(
    (reason) => log.info({ reason }, 'stopping'),
    (error: Error) => error,
  );
  if (failure instanceof Error) process.stderr.write(describeStartFailure(failure));
  try {
    await stack.stop();
    return failure instanceof Error ? exitCodeOf(failure) : 0;
  } catch (error) {
    log.error({ err: error }, 'did not stop cleanly');
    return 1;
  }
}

async function startAll(given: Config, options: SupervisorOptions, log: Logger, stack: ServiceStack): Promise<void> {
  const apiPort = await claimPort(given.port, given.host);
  const config = await loadConfig({ ...process.env, PORT: String(apiPort.port) });
  const url = config.database_url ?? (await startEmbedded(config, log, stack));
  const withSandbox = config.file === undefined && options.sandbox;
  const sandboxPort = withSandbox ? await claimSandboxPort(config.sandbox_port) : null;
  const demo = config.file === undefined ? await demoBrand(config.data_dir, sandboxPort?.port ?? null) : null;
  const { secret, previous_secrets: previousSecrets, brands } = config;
  await prepareDatabase(url, {
    ...(demo ? { brands: undefined, demo: demo.declaration } : { brands }),
    secret,
    previousSecrets,
    log,
  });
  await stack.start(consoleBuild(log));
  await apiPort.release();
  await stack.start(together(roleChildren(config, url, { log, hasDemo: demo !== null })));
  await sandboxPort?.release();
  const hasSandbox =
    demo !== null &&
    sandboxPort !== null &&
    (await startSandbox(stack, sandboxChild(config, demo, sandboxPort.port, log), log));
  // The account is created last, because its password is shown only once. A start that fails earlier creates no account.
  const login = await firstLogin(url, log);
  process.stdout.write(announce({ config, demo: demo && !hasSandbox ? { ...demo, sandbox_url: null } : demo, login }));
}

async function startEmbedded(config: Config, log: Logger, stack: ServiceStack): Promise<string> {
  const postgres = new EmbeddedPostgres({ folder: `${config.data_dir}/postgres`, log });
  await stack.start(postgres);
  return postgres.url;
}

/** Null if an account that can sign in already exists. */
async function firstLogin(url: string, log: Logger): Promise<Credentials | null> {
  const pool = openPool(url, { name: 'supervisor', max: 1, log });
  try {
    return await createFirstUser(pool);
  } finally {
    await pool.end();
  }
}

/** Resolves when scripts/start.mjs has ended for any reason; then this process stops as if requested. */
function starterEnded(): Promise<string> {
  const ended = new Promise<string>((resolve) =>
    process.once('disconnect', () => resolve('the starting process exited')),
  );
  process.channel?.unref();
  return ended;
}
