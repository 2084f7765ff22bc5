import { consentTypes, type Micros, type ReconciliationField } from '@croupier/contracts';
import { type Dial, type SandboxOperator, type StartOptions, startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { type Brand, BrandRegistry } from '../../../src/brands/index.ts';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { timestamptzText, transaction } from '../../../src/database/index.ts';
import { OperatorClients } from '../../../src/operator/calling/client/operator-clients.ts';
import { OperatorHealth } from '../../../src/operator/calling/health/endpoint-health.ts';
import type { BlockRow, ConsentRow, ProfileRow } from '../../../src/operator/players/records/rows.ts';
import { noteProtection } from '../../../src/operator/protection/note-protection.ts';
import { Reconciler } from '../../../src/operator/reconciliation/reconciler.ts';
import { requestRuns } from '../../../src/operator/reconciliation/run/request-store.ts';
import type { Run } from '../../../src/operator/reconciliation/run/run.ts';
import { readRun } from '../../../src/operator/reconciliation/run/run-store.ts';
import { createBrand, testVault } from '../../brand.ts';
import { testLog } from '../../log.ts';
import { insertPlayer } from '../setup-sync.ts';

/*
 * Setup for tests of this folder: a brand with its sandbox operator, and one worker's reconciler that does only what the test
 * calls.
 */
export interface ReconciliationSetup {
  brand: Brand;
  operator: SandboxOperator;
  reconciler: Reconciler;
  health: OperatorHealth;
  /** Requests a run and processes it as far as possible without a person. */
  reconcile(field: ReconciliationField): Promise<Run>;
  request(field: ReconciliationField): Promise<number>;
  /** Processes all due batches. */
  walk(): Promise<void>;
  run(reconciliationId: number): Promise<Run>;
  dial(fault: NonNullable<Dial['faults']>[number]): void;
  /** A player as look-ups found them an hour ago: in no list, unless `facts` say otherwise. @returns player_id */
  player(userId: string, facts?: KnownFacts): Promise<number>;
  consent(playerId: number, type?: string): Promise<Pick<ConsentRow, 'opted_in' | 'source' | 'as_of'> | undefined>;
  block(
    playerId: number,
    type: 'Blocked' | 'Excluded',
  ): Promise<Pick<BlockRow, 'active' | 'source' | 'as_of'> | undefined>;
  /** Look-ups requested since the player was created, by name. */
  asked(playerId: number): Promise<string[]>;
}

export interface KnownFacts {
  /** Consents that are given; the others are withdrawn. */
  consents?: string[];
  blocks?: ('Blocked' | 'Excluded')[];
  flags?: Partial<Pick<ProfileRow, 'is_blocked' | 'is_excluded'>>;
  /** When the look-ups were requested; null for never. Default an hour ago. */
  as_of?: Micros | null;
}

const hour = 3_600_000_000;

export async function setupReconciliation(
  pool: Pool,
  options: {
    operator?: StartOptions;
    settings?: Record<string, unknown>;
    brand?: Record<string, unknown>;
    clock?: Clock;
  } = {},
): Promise<ReconciliationSetup> {
  const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
  const clock = options.clock ?? systemClock;
  const operator = await startSandboxOperator({ auth, now: () => clock() / 1_000, ...options.operator });
  const { brand } = await createBrand(pool, {
    ...options.brand,
    operator: { base_url: operator.url, auth: { ...auth, ...(options.operator?.auth && {}) }, ...options.settings },
  });
  const health = new OperatorHealth({ pool, clock, log: testLog });
  const clients = new OperatorClients({ health });
  const registry = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await registry.refresh();
  // A test may change this object directly. It is replaced only if the database changes.
  let current = brand;
  const brands = {
    // Brands of other tests in the same database are left out.
    all: () => [current],
    byId: () => current,
    refresh: async () => {
      if (await registry.refresh()) current = registry.byId(brand.brand_id) ?? brand;
    },
    erasureKey: (brandId: number, hash: bigint) => registry.erasureKey(brandId, hash),
  };
  const reconciler = new Reconciler({ pool, brands, clients, health, clock, log: testLog });
  onTestFinished(async () => {
    await reconciler.stop();
    await clients.stop();
    await operator.stop();
  });
  const { brand_id } = brand;

  const request: ReconciliationSetup['request'] = async (field) => {
    const [asked] = await requestRuns(pool, { brand_id, fields: [field], cause: 'person', now: clock() });
    if (asked === undefined) throw new Error('no run was made');
    return asked.reconciliation_id;
  };
  const run: ReconciliationSetup['run'] = async (id) => {
    const found = await readRun(pool, brand_id, id);
    if (found === undefined) throw new Error(`there is no run ${id}`);
    return found;
  };
  const walk: ReconciliationSetup['walk'] = async () => {
    while (await reconciler.walkOnce());
  };

  return {
    brand,
    operator,
    reconciler,
    health,
    request,
    walk,
    run,
    async reconcile(field) {
      const id = await request(field);
      await reconciler.readOnce();
      await walk();
      return run(id);
    },
    dial(fault) {
      operator.dials.set('reconciliation', { faults: [fault] });
    },
    async player(userId, facts = {}) {
      const playerId = await insertPlayer(pool, brand_id, userId);
      const as_of = facts.as_of === undefined ? clock() - hour : facts.as_of;
      if (as_of !== null) await storeFacts(pool, { player_id: playerId, brand_id }, facts, as_of);
      await noteProtectionOf(pool, playerId, clock());
      return playerId;
    },
    async consent(playerId, type = 'Email') {
      const { rows } = await pool.query(
        'select opted_in, source, as_of from player_consent where player_id = $1 and type = $2',
        [playerId, type],
      );
      return rows[0];
    },
    async block(playerId, type) {
      const { rows } = await pool.query(
        'select active, source, as_of from player_block where player_id = $1 and type = $2',
        [playerId, type],
      );
      return rows[0];
    },
    async asked(playerId) {
      const { rows } = await pool.query<{ look_up: string }>(
        'select look_up from player_sync where player_id = $1 and requested > done order by look_up',
        [playerId],
      );
      return rows.map(({ look_up }) => look_up);
    },
  };
}

async function storeFacts(
  pool: Pool,
  { player_id, brand_id }: { player_id: number; brand_id: number },
  { consents = [], blocks = [], flags = {} }: KnownFacts,
  as_of: Micros,
): Promise<void> {
  const at = timestamptzText(as_of);
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, lane, requested, done, as_of)
     select $1, look_up, $2, 0, 1, 1, $3 from unnest(array['details', 'consents', 'blocks']) as look_up`,
    [player_id, brand_id, at],
  );
  await pool.query(
    `insert into player_profile (player_id, is_blocked, is_excluded, changed_at) values ($1, $2, $3, $4)`,
    [player_id, flags.is_blocked ?? false, flags.is_excluded ?? false, at],
  );
  for (const type of consentTypes) {
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, $2, $3, $3, $4, 'look_up', $5)`,
      [player_id, type.toLowerCase(), type, consents.includes(type), at],
    );
  }
  for (const type of ['Blocked', 'Excluded'] as const) {
    await pool.query(
      `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
       values ($1, $2, $3, $3, $4, 'look_up', $5)`,
      [player_id, type.toLowerCase(), type, blocks.includes(type), at],
    );
  }
}

async function noteProtectionOf(pool: Pool, playerId: number, at: Micros): Promise<void> {
  await transaction(pool, (tx) => noteProtection(tx, [playerId], { source: 'look_up', at }));
}
