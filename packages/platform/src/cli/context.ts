import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Brand, Vault } from '../brands/index.ts';
import { type Config, loadConfig } from '../config/index.ts';
import { EmbeddedPostgres, findRunningPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { prepareDatabase } from '../supervisor/index.ts';
import { type CommandStages, createCommandStages } from '../wiring.ts';

/** What a command works with. Logs go to stderr from `warn` up, so that stdout holds the answer alone. */
export interface CliContext {
  config: Config;
  pool: Pool;
  databaseUrl: string;
  vault: Vault;
  log: Logger;
  /** What does the work of a command. Its brands are read by `brand`, or by their `refresh`. */
  stages: CommandStages;
  /** @throws {CliError} when there is no such brand. */
  brand(code: string): Promise<Brand>;
}

/** A mistake in what the person asked for: its message is all that is shown. */
export class CliError extends Error {
  override name = 'CliError';
}

/**
 * Runs one command against the installation's database: that of DATABASE_URL, the embedded one of the `npm start` that
 * runs beside us, or, when none runs, the embedded one started for the length of the command.
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
      await prepareDatabase(databaseUrl, { brands, secret: config.secret, log });
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
  // No limit of its own on a statement: a rebuild reads everything, and a person can press Ctrl-C.
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
  throw new CliError(`there is no brand ${code}; there is ${codes.length > 0 ? codes.join(', ') : 'none yet'}`);
}
