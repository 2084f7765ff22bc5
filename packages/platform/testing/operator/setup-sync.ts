import { type SandboxOperator, type StartOptions, startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { Brand, BrandRegistry } from '../../src/brands/index.ts';
import { systemClock } from '../../src/clock.ts';
import { OperatorClients, OperatorHealth } from '../../src/operator/calling/index.ts';
import { type LookUp, lookUps } from '../../src/operator/judging/index.ts';
import {
  LookUpScheduler,
  readSyncedPlayer,
  requestRefresh,
  type SyncedPlayer,
} from '../../src/operator/players/index.ts';
import { RecordWriter } from '../../src/operator/writeback/index.ts';
import { inOrder } from '../../src/service.ts';
import { createBrand } from '../brand.ts';
import { testLog } from '../log.ts';

/*
 * Setup for tests of this stage: a brand with its sandbox operator, and a worker's player sync, all real. Everything stops when
 * the test ends.
 */

export interface SyncSetup {
  brand: Brand;
  operator: SandboxOperator;
  worker: SyncWorker;
  /** A player of the brand, known to the operator unless the options say otherwise. @returns player_id */
  addPlayer(userId: string, options?: { unknownToOperator?: boolean }): Promise<number>;
  refresh(playerId: number, wanted?: readonly LookUp[]): Promise<void>;
  read(playerId: number): Promise<SyncedPlayer>;
  /** Reads the player repeatedly until the condition is met; the test's timeout is the limit. */
  until(playerId: number, isThere: (player: SyncedPlayer) => boolean): Promise<SyncedPlayer>;
}

export interface SyncWorker {
  scheduler: LookUpScheduler;
  writer: RecordWriter;
  clients: OperatorClients;
  health: OperatorHealth;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function setupSync(
  pool: Pool,
  options: {
    operator?: StartOptions;
    settings?: Record<string, unknown>;
    started?: boolean;
    stopGraceMs?: number;
  } = {},
): Promise<SyncSetup> {
  const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
  const operator = await startSandboxOperator({ auth, ...options.operator });
  const { brand } = await createBrand(pool, { operator: { base_url: operator.url, auth, ...options.settings } });
  const worker = makeWorker(pool, [brand], options.stopGraceMs);
  if (options.started !== false) await worker.start();
  let finished = false;
  onTestFinished(async () => {
    finished = true;
    await worker.stop();
    await operator.stop();
  });

  const read = (playerId: number) => readSyncedPlayer(pool, playerId);
  return {
    brand,
    operator,
    worker,
    read,
    async addPlayer(userId, { unknownToOperator = false } = {}) {
      if (!unknownToOperator) operator.books.addPlayer(userId);
      return insertPlayer(pool, brand.brand_id, userId);
    },
    async refresh(player_id, wanted = lookUps) {
      await requestRefresh(pool, { player_id, brand_id: brand.brand_id }, wanted);
      worker.scheduler.wake();
    },
    async until(playerId, isThere) {
      while (!finished) {
        const player = await read(playerId);
        if (isThere(player)) return player;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('the test ended before the player was as expected');
    },
  };
}

/** The player sync of one worker process, for these brands, which never change. */
export function makeWorker(pool: Pool, brands: readonly Brand[], stopGraceMs?: number): SyncWorker {
  return workerOf(pool, { all: () => brands, refresh: async () => false }, stopGraceMs);
}

/** The player sync of one worker process. */
export function workerOf(pool: Pool, brands: Pick<BrandRegistry, 'all' | 'refresh'>, stopGraceMs?: number): SyncWorker {
  const deps = { pool, clock: systemClock, log: testLog };
  const health = new OperatorHealth(deps);
  const clients = new OperatorClients({ health });
  const scheduler = new LookUpScheduler({ ...deps, health, clients, stopGraceMs, brands });
  const onStored = scheduler.wake;
  const writer = new RecordWriter({ ...deps, health, clients, stopGraceMs, onStored, brands });
  const services = inOrder([health, clients, scheduler, writer]);
  return { scheduler, writer, clients, health, start: () => services.start(), stop: () => services.stop() };
}

export async function insertPlayer(pool: Pool, brandId: number, userId: string): Promise<number> {
  const { rows } = await pool.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket) values ($1, $2, 0) returning player_id',
    [brandId, userId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('no player was made');
  return row.player_id;
}

export const isCurrent = (player: SyncedPlayer): boolean => player.sync.state === 'current';
