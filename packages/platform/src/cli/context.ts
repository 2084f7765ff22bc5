import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Brand, Vault } from '../brands/index.ts';
import { type Config, loadConfig } from '../config/index.ts';
import { EmbeddedPostgres, findRunningPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { prepareDatabase } from '../supervisor/index.ts';
import { type CommandStages, createCommandStages } from '../wiring/command-line.ts';

/** What a command works with. Logs of level `warn` and above go to stderr, so that stdout contains only the answer. */
export interface CliContext {
  config: Config;
  pool: Pool;
  databaseUrl: string;
  vault: Vault;
  log: Logger;
  /** The stages that do the work of a command. First load the brands: call `brand`, or `stages.brands.refresh`. */
  stages: CommandStages;
  /** @throws {CliError} if there is no such brand */
  brand(code: string): Promise<Brand>;
}

/** An error in the person's input. Only its message is shown. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1 }: { exitCode?: number } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs one command against the installation's database: that of DATABASE_URL, or the embedded one of a running `npm
 * start`, or, if none is running, the embedded one started for the duration of the command.
 */
export async function withContext<T>(command: (context: CliContext) => Promise<T>): Promise<T> {
  const config = await loadConfig({ LOG_LEVEL: 'warn', ...process.env });
  const log = createLog({ level: config.log_level, role: 'cli', to: 'stderr' });
  const folder = `${config.data_dir}/postgres`;
  const found = config.database_url ?? (await findRunningPostgres(folder));
  const own = found === null ? new EmbeddedPostgres({ folder, log }) : null;
  await own?.start();
  const databaseUrl = own?.url ?? found ?? '';
  try {
    if (own !== null) {
      const brands = config.file ? config.brands : undefined;
      const { secret, previous_secrets: previousSecrets } = config;
      await prepareDatabase(databaseUrl, { brands, secret, previousSecrets, log });
    }
    return await withPool({ config, databaseUrl, log }, command);
  } finally {
    await own?.stop();
  }
}

async function withPool<T>(
  base: Pick<CliContext, 'config' | 'databaseUrl' | 'log'>,
  command: (context: CliContext) => Promise<T>,
): Promise<T> {
  // Without a statement timeout, because a rebuild reads everything, and a person can press Ctrl-C.
  const pool = openPool(base.databaseUrl, { name: 'cli', max: 8, statementTimeoutMs: 0, log: base.log });
  const vault = new Vault(base.config.secret, base.config.previous_secrets);
  const stages = createCommandStages({ ...base, pool, vault });
  try {
    return await command({ ...base, pool, vault, stages, brand: (code) => findBrand(stages, code) });
  } finally {
    await pool.end();
  }
}

async function findBrand({ brands }: CommandStages, code: string): Promise<Brand> {
  await brands.refresh();
  const brand = brands.byCode(code);
  if (brand !== undefined) return brand;
  const codes = brands.all().map((one) => one.code);
  const existing = codes.length > 0 ? `existing brands: ${codes.join(', ')}` : 'no brand exists yet';
  throw new CliError(`the brand ${code} does not exist; ${existing}`);
}
