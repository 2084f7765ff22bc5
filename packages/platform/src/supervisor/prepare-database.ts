import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type BrandDeclaration, declareBrands, KeyRefused, provideBrand, Vault } from '../brands/index.ts';
import { ConfigError } from '../config/index.ts';
import { type DatabaseFacts, judgeDatabase, migrate, openPool, readDatabaseFacts } from '../database/index.ts';
import { StartRefused } from './start-refused.ts';
import { retryMs, whenReachable } from './when-reachable.ts';

/**
 * The start fails if a restore makes no progress for this long. A restore has no other limit. Its duration depends on the
 * size of its archive, and if the supervisor gave up, it would end the embedded server in the middle of the restore.
 */
const stalledRestoreMs = 60_000;
const logEveryMs = 10_000;

/**
 * Prepares the database for this version: checks that it is reachable and fit (`judgeDatabase`), migrates it, and
 * declares the brands. A process that is started alone does this itself. Processes of a supervisor rely on the
 * supervisor.
 *
 * @throws {ConfigError} if a declared key belongs to another brand
 * @throws {StartRefused} if the database is unfit. This waits for a restore in progress, until the restore makes no progress for a minute
 * @throws if the database is not reachable for a minute
 */
export async function prepareDatabase(
  url: string,
  options: {
    /** The brands of the configuration file; undefined without a file, in which case nothing is changed. */
    brands: readonly BrandDeclaration[] | undefined;
    /** The brand of an installation without a file. */
    demo?: BrandDeclaration;
    secret: string;
    /** CROUPIER_PREVIOUS_SECRETS. Without them, a start would encrypt all credentials again, and processes with only the old secret could not read them. */
    previousSecrets: readonly string[];
    log: Logger;
    /** Default 60,000. */
    stalledRestoreMs?: number;
  },
): Promise<void> {
  const { log } = options;
  const pool = openPool(url, { name: 'prepare', max: 2, log });
  try {
    const facts = await afterRestore(pool, options.stalledRestoreMs ?? stalledRestoreMs, log);
    const { refusals, warnings } = judgeDatabase(facts);
    for (const warning of warnings) log.warn(warning);
    if (refusals.length > 0) {
      throw new StartRefused(`This database cannot be used: ${refusals.join('; ')}.`, {
        // After a failover or a restore, the same server accepts writes.
        mayPass: facts.recovery !== 'none',
      });
    }
    const { applied, unknown } = await migrate(url);
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrations were applied');
    if (unknown.length > 0) {
      log.warn({ migrations: unknown }, 'a newer version has migrated the database; update this machine soon');
    }
    const vault = new Vault(options.secret, options.previousSecrets);
    if (options.demo !== undefined) await provideBrand(pool, vault, options.demo);
    if (options.brands === undefined) return;
    warnOfShortKeys(options.brands, log);
    const declaring = declareBrands(pool, vault, options.brands);
    for (const held of await declaring.catch(inWordsOfTheFile)) {
      log.warn(
        held,
        "a declared setting is not applied: it cannot be changed, because past sums and days of the brand's players were computed with the current value",
      );
    }
  } finally {
    await pool.end();
  }
}

/** Reports errors that only the database can find as errors in the file. */
function inWordsOfTheFile(error: unknown): never {
  if (!(error instanceof KeyRefused)) throw error;
  throw new ConfigError(undefined, [{ path: 'api_keys:', message: error.message }]);
}

/** Generated keys have 32 random characters. A short key that a person made up can be guessed. */
const safeKeyLength = 16;

function warnOfShortKeys(brands: readonly BrandDeclaration[], log: Logger): void {
  for (const { code, api_keys } of brands) {
    for (const { name, key } of api_keys) {
      if (key.length < safeKeyLength)
        log.warn({ brand: code, key_name: name }, 'an API key is too short and could be guessed; use a longer one');
    }
  }
}

/**
 * Returns the facts of the database. PostgreSQL answers queries before a restore is complete. So this waits until the database
 * accepts writes again, as long as the restore makes progress.
 */
async function afterRestore(pool: Pool, stalledMs: number, log: Logger): Promise<DatabaseFacts> {
  let replayed: string | null = null;
  let progressAt = performance.now();
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const facts = await whenReachable(() => readDatabaseFacts(pool), log);
    const now = performance.now();
    if (facts.replayed !== replayed) progressAt = now;
    replayed = facts.replayed;
    if (facts.recovery !== 'replaying' || now - progressAt >= stalledMs) return facts;
    if (now - loggedAt >= logEveryMs) {
      log.warn({ replayed }, 'the database is in recovery; the start continues when the recovery has ended');
      loggedAt = now;
    }
    await delay(retryMs);
  }
}
