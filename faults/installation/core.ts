import type { Message } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import {
  type Brand,
  BrandRegistry,
  readDeclaration,
  Vault,
  writeBrand,
} from '../../packages/platform/src/brands/index.ts';
import { BucketLeases, storedCursors } from '../../packages/platform/src/buckets/index.ts';
import { type Clock, systemClock } from '../../packages/platform/src/clock.ts';
import { connectionConfig } from '../../packages/platform/src/database/index.ts';
import type { DeriveConsumer } from '../../packages/platform/src/derive/consumer.ts';
import type { OnRemoved } from '../../packages/platform/src/derive/history/prune.ts';
import {
  DeriveUpkeep,
  DeriveWorker,
  type HistoryRound,
  HistoryUpkeep,
  type RebuildResult,
  rebuild,
} from '../../packages/platform/src/derive/index.ts';
import { type Ledger, type LedgerEntry, playerHash } from '../../packages/platform/src/ledger/index.ts';
import { LedgerUpkeep, PostgresLedger } from '../../packages/platform/src/ledger/postgres.ts';

/*
 * The core of the platform in this process: the real ledger and the real derive on a real database, without HTTP. It is for
 * large sets of events, which would take minutes to send.
 */
export interface Core {
  brand: Brand;
  brands: BrandRegistry;
  leases: BucketLeases;
  /**
   * Appends events as two api processes would, in turns, `blockEvents` at a time. Pass no invalid messages, because ingest would
   * refuse them.
   */
  append(messages: readonly Message[]): Promise<void>;
  /** Derives all events; returns their number. */
  derive(): Promise<number>;
  /** Runs a worker's chores once: creates partitions for the next days, deletes old rows, and packs or drops old days. */
  upkeep(): Promise<HistoryRound>;
  rebuild(): Promise<RebuildResult>;
  stop(): Promise<void>;
}

/**
 * Number of events per block. It is more than one call and less than a full group commit, so batches of derive end both within
 * blocks and between them.
 */
const blockEvents = 300;
const writers = 2;

/**
 * @param clock used by all parts. Events are received at its current time. `consumers` are the stages that receive each derived
 * batch, and `onRemoved` is called for players whose old facts the upkeep removes.
 */
export async function startCore(
  pool: Pool,
  databaseUrl: string,
  settings: Record<string, unknown>,
  {
    clock = systemClock,
    consumers = [],
    onRemoved = async () => {},
  }: { clock?: Clock; consumers?: readonly DeriveConsumer[]; onRemoved?: OnRemoved } = {},
): Promise<Core> {
  const log = pino({ level: 'silent' });
  const vault = new Vault('a secret of 32 characters for fault runs');
  const reading = readDeclaration({ code: 'core', name: 'Core', ...settings }, 'brand');
  if (!reading.ok) throw new Error(reading.errors.map(({ path, message }) => `${path} ${message}`).join('; '));
  const brandId = await writeBrand(pool, vault, reading.declaration);
  const brands = new BrandRegistry({ pool, vault, log });
  await brands.refresh();
  const brand = brands.byId(brandId);
  if (brand === undefined) throw new Error('the brand was not stored');

  const connection = connectionConfig(databaseUrl, { name: 'core' });
  const readers = () => storedCursors(pool, ledger.beginning);
  const ledger: Ledger = new PostgresLedger({
    pool,
    connection,
    process: 'core',
    now: clock,
    log,
    readers,
    ready: async () => {},
  });
  const open = await Promise.all(Array.from({ length: writers }, () => ledger.openWriter()));
  const leases = new BucketLeases({ pool, process: 'core', beginning: ledger.beginning, log });
  await leases.runOnce();
  const worker = new DeriveWorker({ pool, ledger, leases, brands, clock, log, consumers });
  const entryOf = ({ kind, user_id, body }: Message): LedgerEntry => ({
    brand_id: brandId,
    kind,
    player_hash: playerHash(brandId, user_id),
    received_at: clock(),
    body: Buffer.from(body),
  });

  const history = ledger.days;
  const oldDays = new HistoryUpkeep({
    pool,
    ledger,
    history,
    brands,
    clock,
    log,
    paced: false,
    onRemoved,
  });
  const chores = [new LedgerUpkeep({ pool, now: clock, log }), new DeriveUpkeep({ pool, clock, log })];

  return {
    brand,
    brands,
    leases,
    async append(messages) {
      for (let from = 0, turn = 0; from < messages.length; from += blockEvents, turn++) {
        await open[turn % writers]?.append(messages.slice(from, from + blockEvents).map(entryOf));
      }
    },
    async derive() {
      let events = 0;
      // A batch without events may have skipped blocks that have no events of its buckets. So continue until no cursor moves.
      for (let batch = await worker.runOnce(); batch.moved > 0; batch = await worker.runOnce()) events += batch.events;
      return events;
    },
    async upkeep() {
      for (const chore of chores) await chore.runOnce();
      return oldDays.runOnce();
    },
    rebuild: () => rebuild({ pool, ledger, history, brands, log, clock, scope: { of: 'everything' } }),
    async stop() {
      await Promise.all(open.map((writer) => writer.close()));
      await leases.stop();
    },
  };
}
