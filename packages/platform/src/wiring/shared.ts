import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { BrandRegistry, Vault } from '../brands/index.ts';
import { storedCursors } from '../buckets/index.ts';
import { BrandPushKeys, MessageTokens, PushTokens } from '../channels/index.ts';
import { DatabaseClock } from '../chores/index.ts';
import type { Config } from '../config/index.ts';
import { connectionConfig, openPool } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { PostgresLedger } from '../ledger/postgres.ts';
import { endingWith, inOrder } from '../service.ts';

/*
 * This folder connects the stages, and is the only part that knows all of them. `api.ts` and `worker.ts` are one role each,
 * `command-line.ts` serves the commands, and this file has what both roles need. A process loads only the file of its role,
 * because each loaded module costs memory.
 *
 *   operator -> ingest -> ledger -> derive -> operator look-ups -> gate -> actions -> operator
 *                                     |-> segments -> campaigns -> gate -> actions, channels
 *                                     \-> console API
 *   player -> hosted pages -> consents (changed immediately) -> operator
 *          -> site API -> messages, events, claims
 *          -> providers, mail servers -> replies -> consents, ledger
 */

/** The options of a process, from the supervisor, or from a person who starts a single role. */
export interface ProcessContext {
  config: Config;
  databaseUrl: string;
  log: Logger;
  /** Unique among all processes of the database: 'api-1f3a', 'worker-09bc'. */
  name: string;
}

/** Creates the parts that both roles need. */
export function sharedParts({ config, databaseUrl, log, name }: ProcessContext, { byKey }: { byKey: boolean }) {
  const pool = openPool(databaseUrl, {
    name,
    log,
    byKey,
    max: config.database.max_connections,
    statementTimeoutMs: config.database.statement_timeout_ms,
  });
  // A separate pool, so that waiting for a connection, or slow statements of other code, do not distort the comparison.
  const clockPool = openPool(databaseUrl, { name: `${name} clock`, log, max: 1, statementTimeoutMs: 5_000 });
  const databaseClock = new DatabaseClock({ pool: clockPool, log, process: name });
  const clock = databaseClock.agreed;
  const connection = connectionConfig(databaseUrl, { name });
  const vault = new Vault(config.secret, config.previous_secrets);
  const brands = new BrandRegistry({ pool, vault, log });
  // Code that packs, drops or erases reads the time from the database.
  const ledgerOn = (on: Pool, now = databaseClock.now): Ledger =>
    new PostgresLedger({
      pool: on,
      connection,
      process: name,
      now,
      log,
      ready: () => databaseClock.compared(),
      readers: () => storedCursors(on, ledger.beginning),
    });
  const ledger = ledgerOn(pool, clock);
  const history = ledgerOn(pool).days;
  const secrets: [string, ...string[]] = [config.secret, ...config.previous_secrets];
  const push = {
    vault,
    keys: new BrandPushKeys({ pool, vault, clock }),
    tokens: new PushTokens({ secrets }),
  };
  const messageTokens = new MessageTokens({ secrets });
  const clocks = inOrder([endingWith(clockPool), databaseClock]);
  return {
    clock,
    databaseClock,
    clocks,
    pool,
    connection,
    brands,
    ledger,
    ledgerOn,
    history,
    secrets,
    push,
    messageTokens,
  };
}
