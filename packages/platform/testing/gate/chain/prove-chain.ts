import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { systemClock } from '../../../src/clock.ts';
import { EmbeddedPostgres, migrate, openPool, transaction } from '../../../src/database/index.ts';
import { Sealer } from '../../../src/gate/chain/sealer.ts';
import { verifyChain } from '../../../src/gate/chain/verify.ts';
import { Gate } from '../../../src/gate/gate.ts';
import type { ContactRequest } from '../../../src/gate/request.ts';
import { createLog } from '../../../src/log.ts';

/*
 * Tests the chain at full size: a million decisions, sealed and verified while more are made, and one altered row that must be
 * found.
 *
 *     node scripts/run.mjs packages/platform/testing/gate/chain/prove-chain.ts [--decisions 1000000]
 *
 * It uses its own PostgreSQL, with fsync on. Every decision goes through the gate, in batches of 100 as in campaigns; the
 * sealer runs as in a worker; the first verification starts at half of the decisions. Prints a JSON line per figure; exits with
 * code 1 if a promise is broken. It also prints the load of the machine, because senders, sealer and verification share one
 * process here, and on busy cores the times include waiting for a core.
 */
const { values } = parseArgs({ options: { decisions: { type: 'string', default: '1000000' } } });
const wanted = Number(values.decisions);
const batch = 100;
const senders = 3;
const players = 10_000;
const brandId = 1;

const log = createLog({ level: 'warn', role: 'proof', to: 'stderr' });
const folder = await mkdtemp(path.join(os.tmpdir(), 'croupier-chain-'));
const server = new EmbeddedPostgres({ folder: path.join(folder, 'data'), log });
let broken = 0;
try {
  await server.start();
  await migrate(server.url);
  const pool = openPool(server.url, { name: 'proof', statementTimeoutMs: 0 });
  await prove(pool).finally(() => pool.end());
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = broken === 0 ? 0 : 1;

async function prove(pool: Pool): Promise<void> {
  const ids = await seed(pool);
  figure('load of the machine at the start', os.loadavg()[0] ?? 0, `over ${os.availableParallelism()} cores`);
  const sealer = new Sealer({ pool, clock: systemClock, log });
  await sealer.start();
  const began = performance.now();
  const half = Promise.withResolvers<void>();
  const sending = send(pool, ids, half.resolve);
  await half.promise;
  await verified(pool, 'while sends go on');
  const made = await sending;
  figure('decisions made', made, 'rows');
  figure('decisions a second, all work included', made / seconds(began), 'rows/s');
  figure('load of the machine at the end', os.loadavg()[0] ?? 0, `over ${os.availableParallelism()} cores`);
  await sealer.stop();
  await sealer.runOnce();
  figure('longest wait for a seal', await longestWait(pool), 's', (value) => value <= 10);
  await verified(pool, 'all', made);
  const altered = await alterOne(pool);
  const { finding } = await verifyChain(pool, brandId);
  figure(
    'altered row found',
    finding?.decision_id ?? 0,
    `decision_id, ${altered} was altered`,
    (value) => value === altered,
  );
}

async function seed(pool: Pool): Promise<number[]> {
  await pool.query(`insert into brand (code, name, settings) values ('proof', 'Proof', '{}')`);
  const { rows } = await pool.query<{ player_id: number }>(
    `insert into player (brand_id, user_id, bucket) select $1, 'p-' || n, 0 from generate_series(1, $2) n returning player_id`,
    [brandId, players],
  );
  await pool.query(
    'insert into player_profile (player_id, is_blocked, is_excluded, changed_at) select player_id, false, player_id % 50 = 0, now() from player',
  );
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'email', 'Email', 'Email', player_id % 3 > 0, 'look_up', now() from player`,
  );
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
     select player_id, look_up, brand_id, 1, 0, now() from player cross join unnest(array['details', 'consents', 'blocks']) look_up`,
  );
  await pool.query('analyze');
  return rows.map((row) => row.player_id);
}

async function send(pool: Pool, ids: readonly number[], onHalf: () => void): Promise<number> {
  const gate = new Gate({ clock: systemClock, brands: { byId: () => undefined } });
  let made = 0;
  let asked = 0;
  let inGate = 0;
  const sender = async () => {
    while (asked < wanted) {
      const first = asked;
      asked += batch;
      const requests = Array.from({ length: batch }, (_, n): ContactRequest => {
        const player_id = ids[(first * 7 + n) % ids.length] ?? 0;
        const cause = { kind: 'message', id: `m-${first + n}` } as const;
        return { brand_id: brandId, player_id, channel: 'email', purpose: 'marketing', cause, expires_at: null };
      });
      const began = performance.now();
      await transaction(pool, (tx) => gate.mayContact(tx, requests));
      inGate += performance.now() - began;
      made += batch;
      if (made >= wanted / 2) onHalf();
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  figure('gate, a request in batches of 100, its commit included', inGate / made, 'ms', (value) => value < 1);
  return made;
}

async function verified(pool: Pool, when: string, expected?: number): Promise<void> {
  const began = performance.now();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 100);
  const report = await verifyChain(pool, brandId);
  clearInterval(watch);
  if (report.finding !== null) log.error({ finding: report.finding }, 'the chain does not verify');
  const isWhole = report.finding === null && report.complete;
  figure(`verified, ${when}`, report.decisions, 'rows', (value) => isWhole && value === (expected ?? value));
  figure(`verified a second, ${when}`, report.decisions / seconds(began), 'rows/s');
  figure(`memory of the process, ${when}`, peak / 1024 / 1024, 'MiB', (value) => value < 600);
}

async function longestWait(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ wait: number }>(
    `select max(extract(epoch from g.sealed_at - d.decided_at))::float8 as wait
       from gate_decision d join gate_decision_seal s using (decision_id)
       join gate_seal g on g.brand_id = s.brand_id and g.seal_no = s.seal_no`,
  );
  return rows[0]?.wait ?? Number.POSITIVE_INFINITY;
}

async function alterOne(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ decision_id: number }>(
    `update gate_decision set outcome = 'withheld'
      where decision_id = (select decision_id from gate_decision where outcome = 'allowed' order by decision_id offset $1 limit 1)
     returning decision_id`,
    [Math.floor(wanted / 4)],
  );
  return rows[0]?.decision_id ?? 0;
}

function figure(name: string, value: number, unit: string, isKept?: (value: number) => boolean): void {
  const retained = isKept?.(value);
  if (retained === false) broken++;
  const rounded = Number(value.toFixed(3));
  process.stdout.write(
    `${JSON.stringify({ proof: 'gate chain', figure: name, value: rounded, unit, ...(isKept && { kept: retained }) })}\n`,
  );
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}
