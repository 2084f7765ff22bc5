import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Dial, makePlayer } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { BrandRegistry, readDeclaration, Vault, writeBrand } from '../../packages/platform/src/brands/index.ts';
import { systemClock } from '../../packages/platform/src/clock.ts';
import { openPool } from '../../packages/platform/src/database/index.ts';
import { OperatorClients, OperatorHealth } from '../../packages/platform/src/operator/calling/index.ts';
import {
  cancelReconciliation,
  decideHeldReconciliation,
  Reconciler,
  type ReconciliationRun,
  readReconciliation,
  requestReconciliations,
} from '../../packages/platform/src/operator/reconciliation/index.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { watchMemory } from './memory.ts';

export interface Sizes {
  ids: number;
  players: number;
  errorAfter: number;
}

/** Maximum growth of the process in MB while a list of any length is read and compared, including all of its corrections. */
const mostGrowth = 100;
/** Players of the platform that the operator does not list at all. */
const strangers = 1_000;

/** The parts of the proof: a worker's reconciler on its own database, and the operator in another process. */
interface Stage {
  pool: Pool;
  brandId: number;
  reconciler: Reconciler;
  dial(dial: Dial): Promise<void>;
}

/**
 * Reads three lists: one that ends with an error, one of all players (`active`), and one of consents, which is compared with the
 * records. Measures the memory use of each.
 */
export async function proveReconciliation(
  databaseUrl: string,
  sizes: Sizes,
  say: (line: Record<string, unknown>) => void,
): Promise<Outcome[]> {
  const operator = fork(path.join(import.meta.dirname, 'operator.ts'), [String(sizes.ids)]);
  const [url] = (await once(operator, 'message')) as [string];
  const pool = openPool(databaseUrl, { name: 'proof', byKey: true, max: 4, statementTimeoutMs: 0 });
  try {
    const stage = await setStage(pool, url, operator);
    await seedPlayers(stage, sizes.players);
    // A small run comes first, so that the code is loaded and connections are open before memory is measured.
    await stage.dial({ faults: [{ fault: 'error_in_stream', after: 20_000 }] });
    await reconcile(stage, 'active');
    return [
      await proveError(stage, sizes, say),
      await proveAll(stage, sizes, say),
      await proveConsents(stage, sizes, say),
    ];
  } finally {
    operator.disconnect();
    await pool.end();
  }
}

async function setStage(pool: Pool, base_url: string, operator: ChildProcess): Promise<Stage> {
  const log = pino({ level: 'silent' });
  const vault = new Vault('proof');
  const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' };
  const reading = readDeclaration({ code: 'proof', name: 'Proof', operator: { base_url, auth } }, 'brand');
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  const brandId = await writeBrand(pool, vault, reading.declaration);
  const brands = new BrandRegistry({ pool, vault, log });
  await brands.refresh();
  const health = new OperatorHealth({ pool, clock: systemClock, log });
  const clients = new OperatorClients({ health });
  const reconciler = new Reconciler({ pool, brands, clients, health, clock: systemClock, log });
  const dial = (set: Dial) =>
    new Promise<void>((resolve, reject) => operator.send(set, (error) => (error ? reject(error) : resolve())));
  return { pool, brandId, reconciler, dial };
}

/** Players of the operator's population and unlisted players, all opted in to e-mail an hour ago. */
async function seedPlayers({ pool, brandId }: Stage, players: number): Promise<void> {
  await pool.query(
    `with made as (
       insert into player (brand_id, user_id, bucket)
       select $1, user_id, 0 from (select 'p' || n from generate_series(0, $2 - 1) n
                                   union all select 'stranger' || n from generate_series(1, $3) n) u (user_id)
       returning player_id
     ), sync as (
       insert into player_sync (player_id, look_up, brand_id, lane, requested, done, as_of)
       select player_id, look_up, $1, 0, 1, 1, now() - interval '1 hour'
         from made cross join unnest(array['details', 'consents', 'blocks']) as look_up
     )
     insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'email', 'Email', 'Email', true, 'look_up', now() - interval '1 hour' from made`,
    [brandId, players, strangers],
  );
  await pool.query('analyze player, player_sync, player_consent');
}

type Growth = ReturnType<ReturnType<typeof watchMemory>['stop']>;

interface Measured {
  run: ReconciliationRun;
  memory: { reading: Growth; comparing: Growth };
  seconds: { read: number; compare: number };
}

/** Requests one field and waits until its comparison ends. */
async function reconcile({ pool, brandId, reconciler }: Stage, field: 'active' | 'consent_email'): Promise<Measured> {
  const request = { brand_id: brandId, fields: [field], cause: 'person' as const, now: systemClock() };
  const [asked] = await requestReconciliations(pool, request);
  if (asked === undefined) throw new Error('no run was created');
  const read = async () => {
    const run = await readReconciliation(pool, brandId, asked.reconciliation_id);
    if (run === undefined) throw new Error('the run no longer exists');
    return run;
  };
  const whileReading = watchMemory();
  const started = performance.now();
  await reconciler.readOnce();
  // The operator's records differ from ours for most players. A first list that would withdraw that many waits for a person.
  if ((await read()).state === 'held')
    await decideHeldReconciliation(pool, brandId, asked.reconciliation_id, 'approve', systemClock());
  const readAt = performance.now();
  const reading = whileReading.stop();
  const whileComparing = watchMemory();
  let run = await read();
  while (run.state === 'comparing' && (await reconciler.walkOnce())) run = await read();
  const ended = performance.now();
  // The rest depends on a worker's look-ups, and there is no worker here.
  await cancelReconciliation(pool, brandId, asked.reconciliation_id, systemClock());
  const seconds = { read: Math.round((readAt - started) / 100) / 10, compare: Math.round((ended - readAt) / 100) / 10 };
  return { run, memory: { reading, comparing: whileComparing.stop() }, seconds };
}

async function proveError(stage: Stage, { errorAfter }: Sizes, say: (line: object & Record<string, unknown>) => void) {
  const before = await fingerprint(stage);
  await stage.dial({ faults: [{ fault: 'error_in_stream', after: errorAfter }] });
  const { run, memory, seconds } = await reconcile(stage, 'consent_email');
  say({ list: 'ended with an error', state: run.state, reason: run.reason, ids_read: run.ids_read, memory, seconds });
  const after = await fingerprint(stage);
  const broken = [
    ...(run.reason === 'operator_error' ? [] : [`the run is ${run.state}: ${run.reason} ${run.detail}`]),
    ...(before === after ? [] : [`players or consents changed: ${before} before, ${after} after`]),
    ...tooLarge(memory.reading.growth),
  ];
  const title = 'a list that ends with an error changes nothing';
  return outcome('reconciliation', title, { ids_read: run.ids_read, growth_mb: memory.reading.growth }, broken);
}

async function proveAll(stage: Stage, { ids, players }: Sizes, say: (line: Record<string, unknown>) => void) {
  await stage.dial({});
  const { run, memory, seconds } = await reconcile(stage, 'active');
  say({ list: 'active', state: run.state, ids: run.ids, bytes: run.bytes, memory, seconds });
  const broken = [
    ...(run.ids === ids && run.ids_read === ids ? [] : [`${run.ids} ids of ${ids}: ${run.state} ${run.detail}`]),
    ...(run.compared === players + strangers ? [] : [`${run.compared} players were compared`]),
    ...tooLarge(memory.reading.growth + memory.comparing.growth),
  ];
  const counts = {
    ids: run.ids ?? 0,
    compared: run.compared,
    growth_mb: memory.reading.growth + memory.comparing.growth,
    seconds: seconds.read + seconds.compare,
  };
  return outcome('reconciliation', 'all ids pass in bounded memory', counts, broken);
}

async function proveConsents(stage: Stage, { ids, players }: Sizes, say: (line: Record<string, unknown>) => void) {
  const { run, memory, seconds } = await reconcile(stage, 'consent_email');
  say({ list: 'consent_email', state: run.state, ids: run.ids, tightened: run.tightened, memory, seconds });
  const known = Math.min(ids, players);
  const withdrawn = Array.from({ length: known }, (_, n) => `p${n}`).filter((id) => !isOptedIn(id));
  const { rows } = await stage.pool.query<{ user_id: string }>(
    `select user_id from player_consent join player using (player_id)
      where not opted_in and source = 'reconciliation' and user_id like 'p%'`,
  );
  const found = new Set(rows.map(({ user_id }) => user_id));
  const expected = withdrawn.length + strangers + (players - known);
  const broken = [
    ...(run.tightened === expected
      ? []
      : [`${run.tightened} consents were withdrawn, not ${expected}: ${run.state} ${run.detail}`]),
    ...withdrawn.filter((id) => !found.has(id)).map((id) => `${id} is still opted in`),
    ...tooLarge(memory.reading.growth + memory.comparing.growth),
  ];
  const counts = {
    ids: run.ids ?? 0,
    tightened: run.tightened,
    growth_mb: memory.reading.growth + memory.comparing.growth,
    growth_by_corrections_mb: memory.comparing.growth,
    seconds: seconds.read + seconds.compare,
  };
  return outcome('reconciliation', "consents are withdrawn exactly where the operator's books say so", counts, broken);
}

function isOptedIn(userId: string): boolean {
  return makePlayer(userId).consents.some(({ type, opted_in }) => type === 'Email' && opted_in);
}

function tooLarge(growth: number): string[] {
  return growth < mostGrowth ? [] : [`the process grew by ${growth} MB`];
}

/** Returns a hash of all data that a list may change. */
async function fingerprint({ pool }: Stage): Promise<string> {
  const { rows } = await pool.query<{ fingerprint: string }>(
    `select concat_ws(' ',
              (select md5(string_agg(concat_ws(' ', player_id, type_key, opted_in, as_of), ',' order by player_id, type_key))
                 from player_consent),
              (select count(*) from player), (select count(*) from player_block), (select sum(requested) from player_sync)) as fingerprint`,
  );
  return rows[0]?.fingerprint ?? '';
}
