import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { BrandRegistry, type Vault } from '../brands/index.ts';
import { DatabaseClock } from '../chores/index.ts';
import { connectionConfig, openPool } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { PostgresLedger } from '../ledger/postgres.ts';
import { OperatorClients, OperatorHealth } from '../operator/calling/index.ts';
import { Reconciler } from '../operator/reconciliation/index.ts';
import { Eraser } from '../privacy/index.ts';
import { endingWith, inOrder, type Service } from '../service.ts';

/** The objects that the command line uses. None of them runs in the background. */
export interface CommandStages {
  /** Start it before code that erases or starts something, as `withRightClock` does. */
  databaseClock: DatabaseClock;
  brands: BrandRegistry;
  ledger: Ledger;
  eraser: Pick<Eraser, 'runOnce'>;
  /** Uses separate connections. The caller starts and stops it. */
  reconciler(): Service;
}

/** @param of.pool without a limit on statements: a person waits, and can press Ctrl-C */
export function createCommandStages(of: { pool: Pool; databaseUrl: string; vault: Vault; log: Logger }): CommandStages {
  const { pool, databaseUrl, vault, log } = of;
  const databaseClock = new DatabaseClock({ pool, log, process: `cli-${hostname().slice(0, 20)}-${process.pid}` });
  const clock = databaseClock.agreed;
  const chore = { clock, log, guard: databaseClock };
  const connection = connectionConfig(databaseUrl, { name: 'cli' });
  const brands = new BrandRegistry({ pool, vault, log });
  const ledger = new PostgresLedger({
    pool,
    connection,
    process: 'cli',
    now: clock,
    log,
    ready: () => databaseClock.compared(),
  });
  return {
    databaseClock,
    brands,
    ledger,
    eraser: new Eraser({ pool, ledger, brands, ...chore }),
    reconciler: () => {
      const own = openPool(databaseUrl, { name: 'cli reconcile', log, byKey: true, max: 4, statementTimeoutMs: 0 });
      const health = new OperatorHealth({ pool: own, ...chore });
      const clients = new OperatorClients({ health });
      const reconciler = new Reconciler({ pool: own, brands, clients, health, ...chore });
      return inOrder([endingWith(own), brands, health, clients, reconciler]);
    },
  };
}
