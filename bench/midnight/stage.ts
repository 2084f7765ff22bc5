import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { type Brand, BrandRegistry, Vault } from '../../packages/platform/src/brands/index.ts';
import { BucketLeases, storedCursors } from '../../packages/platform/src/buckets/index.ts';
import type { Clock } from '../../packages/platform/src/clock.ts';
import { connectionConfig, transaction } from '../../packages/platform/src/database/index.ts';
import { DeriveWorker } from '../../packages/platform/src/derive/index.ts';
import { type LedgerEntry, playerHash } from '../../packages/platform/src/ledger/index.ts';
import { PostgresLedger } from '../../packages/platform/src/ledger/postgres.ts';
import {
  DueSweeper,
  insertSegment,
  PlatformRules,
  publish,
  readSegments,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
  saveContent,
} from '../../packages/platform/src/segments/membership/index.ts';

export interface MidnightStage {
  readonly brand: Brand;
  /** Publishes a segment and computes it. @returns its version */
  segment(code: string, rule: Rule): Promise<number>;
  start(): Promise<void>;
  /** Appends payments to the ledger, as ingest does; they are durable when it returns. */
  deposit(userIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Ledger, derive and segments of one worker in this process. They use the bench's own clock, so that the bench does not have to wait
 * for midnight. Therefore nothing here compares this clock with that of the database.
 */
export async function startMidnightStage(options: {
  pool: Pool;
  databaseUrl: string;
  clock: Clock;
}): Promise<MidnightStage> {
  const { pool, databaseUrl, clock } = options;
  const log = pino({ level: 'warn' });
  const brands = new BrandRegistry({ pool, vault: new Vault('a secret of 32 characters for the bench'), log });
  await brands.refresh();
  const brand = brands.byCode('bench');
  if (brand === undefined) throw new Error('there is no brand bench');
  const connection = connectionConfig(databaseUrl, { name: 'bench' });
  const ledger = new PostgresLedger({
    pool,
    connection,
    process: 'bench',
    now: clock,
    log,
    readers: () => storedCursors(pool, ledger.beginning),
    ready: async () => {},
  });
  const writer = await ledger.openWriter();
  const leases = new BucketLeases({ pool, process: 'bench', beginning: ledger.beginning, log });
  await leases.runOnce();
  const rules = new PlatformRules({ pool });
  const deps = { pool, brands, rules, clock, log };
  const sweeper = new DueSweeper(deps);
  const lane = new SegmentLane({ ...deps, leases, onMass: sweeper.want });
  const consumer = new SegmentConsumer({ wake: lane.wake, triggerAge: () => 3_600_000_000 });
  const worker = new DeriveWorker({ pool, ledger, leases, brands, clock, log, consumers: [consumer] });
  const computer = new SegmentComputer(deps);
  // A writer can append only one batch at a time.
  let appended: Promise<unknown> = Promise.resolve();
  const services = [leases, worker, lane, sweeper];
  return {
    brand,
    async segment(code, rule) {
      const by = { at: clock(), actor: 'bench' };
      await transaction(pool, async (tx) => {
        await insertSegment(tx, { brand_id: brand.brand_id, code, name: code }, by);
        const [segment] = await readSegments(tx, brand.brand_id, { code });
        if (segment === undefined) throw new Error(`${code} was not created`);
        await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by);
        await publish(tx, rules, segment, by);
      });
      await computer.runOnce();
      const { rows } = await pool.query<{ version_id: number }>(
        `select version_id from segment_active where code = $1 and phase = 'in_force'`,
        [code],
      );
      const [active] = rows;
      if (active === undefined) throw new Error(`${code} is not in force`);
      return active.version_id;
    },
    async start() {
      for (const service of services) await service.start();
    },
    async deposit(userIds) {
      const received_at = clock();
      const timestamp = new Date(received_at / 1000).toISOString();
      const entries = userIds.map((user_id): LedgerEntry => {
        const body = Buffer.from(JSON.stringify(depositOf(user_id, timestamp)));
        const player_hash = playerHash(brand.brand_id, user_id);
        return { brand_id: brand.brand_id, kind: 'payment', player_hash, received_at, body };
      });
      const own = appended.then(() => writer.append(entries));
      appended = own.catch(() => {});
      await own;
      worker.wake();
    },
    async stop() {
      for (const service of services.toReversed()) await service.stop();
      await writer.close();
    },
  };
}

function depositOf(user_id: string, timestamp: string) {
  return {
    user_id,
    timestamp,
    payment_id: `${user_id} ${timestamp}`,
    type: 'Credit',
    status: 'Approved',
    amount: 10,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: 'visa',
    origin: 'www.example.com',
  };
}
