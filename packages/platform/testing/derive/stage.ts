import type { EventKind, Micros } from '@croupier/contracts';
import { afterAll } from 'vitest';
import { type Brand, BrandRegistry } from '../../src/brands/index.ts';
import { BucketLeases, storedCursors } from '../../src/buckets/index.ts';
import { connectionConfig } from '../../src/database/index.ts';
import type { DeriveConsumer } from '../../src/derive/consumer.ts';
import { DeriveWorker } from '../../src/derive/worker.ts';
import { type Ledger, type LedgerEntry, playerHash } from '../../src/ledger/index.ts';
import { PostgresLedger } from '../../src/ledger/postgres.ts';
import { createBrand, testVault } from '../brand.ts';
import { type TestClock, testClock } from '../clock.ts';
import { setupDatabase } from '../database.ts';
import { testLog } from '../log.ts';

/** A body as an operator sends it. `received_at` is the time of its arrival, by default the current time of the test clock. */
export interface Publication {
  kind: EventKind;
  body: Record<string, unknown> & { user_id: string };
  received_at?: Micros;
  brand?: Brand;
}

/**
 * A ledger and a worker on a database of this test file, for tests of derive: `publish` appends as ingest would, `derive`
 * applies everything. Only the test moves the clock.
 */
export async function setupStage(
  options: {
    brand?: Record<string, unknown>;
    consumers?: readonly DeriveConsumer[];
    clock?: TestClock;
    lanes?: number;
  } = {},
) {
  const { pool, url } = await setupDatabase();
  const clock = options.clock ?? testClock();
  const { brand } = await createBrand(pool, options.brand);
  const brands = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await brands.refresh();
  const connection = connectionConfig(url, { name: 'test' });
  const ledger: Ledger = new PostgresLedger({
    pool,
    connection,
    process: 'test',
    now: clock.now,
    log: testLog,
    readers: () => storedCursors(pool, ledger.beginning),
    ready: async () => {},
  });
  const history = ledger.days;
  const writer = await ledger.openWriter();
  afterAll(() => writer.close());

  /** A worker with its own leases, run by hand: nothing happens except what the test calls. */
  const createWorker = async (name: string, consumers = options.consumers ?? []) => {
    const leases = new BucketLeases({ pool, process: name, beginning: ledger.beginning, log: testLog });
    await leases.runOnce();
    const worker = new DeriveWorker({
      pool,
      ledger,
      leases,
      brands,
      clock: clock.now,
      log: testLog,
      consumers,
      ...(options.lanes !== undefined && { lanes: options.lanes }),
    });
    return { worker, leases };
  };
  const { worker, leases } = await createWorker('test');

  return {
    pool,
    url,
    clock,
    brand,
    brands,
    ledger,
    history,
    worker,
    leases,
    createWorker,
    async publish(...publications: readonly Publication[]): Promise<void> {
      await writer.append(publications.map((publication) => entryOf(publication, brand, clock)));
    },
    /** Applies everything that was published. */
    async derive(): Promise<void> {
      while ((await worker.runOnce()).moved > 0);
    },
    async playerId(userId: string, of: Brand = brand): Promise<number> {
      const { rows } = await pool.query<{ player_id: number }>(
        'select player_id from player where brand_id = $1 and user_id = $2',
        [of.brand_id, userId],
      );
      if (rows[0] === undefined) throw new Error(`there is no player ${userId}`);
      return rows[0].player_id;
    },
  };
}

function entryOf({ kind, body, received_at, brand }: Publication, usual: Brand, clock: TestClock): LedgerEntry {
  const { brand_id } = brand ?? usual;
  return {
    brand_id,
    kind,
    player_hash: playerHash(brand_id, body.user_id),
    received_at: received_at ?? clock.now(),
    body: Buffer.from(JSON.stringify(body)),
  };
}

export type Stage = Awaited<ReturnType<typeof setupStage>>;

/** A valid payment body; pass the fields that matter to the test. */
export function paymentBody(fields: Record<string, unknown> & { user_id: string }) {
  return {
    type: 'Credit',
    status: 'Approved',
    amount: 10,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: 'v1',
    origin: 'www.example.com',
    timestamp: '2026-05-01T11:00:00Z',
    ...fields,
  };
}
