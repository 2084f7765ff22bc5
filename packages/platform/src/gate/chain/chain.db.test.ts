import { beforeEach, describe, expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { setupGate } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import type { ChainHead } from '../../sealing/index.ts';
import { Sealer } from './sealer.ts';
import { verifyChain } from './verify.ts';

const { pool } = await setupDatabase();
const sealer = new Sealer({ pool, clock: () => noon, log: testLog });

/** Makes a brand with three seals, each over two decisions. */
async function chain() {
  const setup = await setupGate(pool);
  const brandId = setup.brand.brand_id;
  const playerId = await setup.addPlayer('ann');
  const ids: number[] = [];
  for (let seal = 0; seal < 3; seal++) {
    const decisions = await setup.ask(setup.request(playerId), setup.request(playerId, { channel: 'sms' }));
    ids.push(...decisions.map((decision) => decision.decision_id));
    await sealer.runOnce();
  }
  return { ...setup, brandId, playerId, ids };
}

let made: Awaited<ReturnType<typeof chain>>;
beforeEach(async () => {
  made = await chain();
});

test('every decision is sealed once, and each seal refers to the previous one', async () => {
  const { brandId, ids } = made;
  const { rows } = await pool.query(
    'select seal_no, decision_ids, previous, hash from gate_seal where brand_id = $1 order by seal_no',
    [brandId],
  );
  expect(rows.map((row) => row.seal_no)).toEqual([1, 2, 3]);
  expect(rows.flatMap((row) => row.decision_ids)).toEqual(ids);
  expect(rows.slice(1).map((row) => row.previous)).toEqual(rows.slice(0, -1).map((row) => row.hash));
  expect(await sealer.runOnce()).toEqual({ seals: 0, decisions: 0 });
  const report = await verifyChain(pool, brandId);
  expect(report).toMatchObject({ finding: null, seals: 3, decisions: 6, complete: true, head: { seal_no: 3 } });
});

test('a decision that commits late, with a lower number, is part of a later seal', async () => {
  const { brandId, playerId, gate, request, ask } = made;
  const tx = await pool.connect();
  await tx.query('begin');
  const [late] = await gate.mayContact(tx, [request(playerId)]);
  const early: number[] = [];
  // The late decision is also sealed if nothing else is written, so that its transaction is the newest one.
  for (let round = 0; round < 3; round++) await sealer.runOnce();
  // After many rounds, the floor is still below the decision that commits later, so no round skips it.
  for (let round = 0; round < 5; round++) {
    early.push(...(await ask(request(playerId))).map(({ decision_id }) => decision_id));
    await sealer.runOnce();
  }
  await tx.query('commit');
  tx.release();
  expect(await sealer.runOnce()).toEqual({ seals: 1, decisions: 1 });
  const { rows } = await pool.query(
    'select decision_ids from gate_seal where brand_id = $1 and seal_no > 3 order by seal_no',
    [brandId],
  );
  expect(rows.map((row) => row.decision_ids)).toEqual([...early, late?.decision_id].map((id) => [id]));
  expect(late?.decision_id).toBeLessThan(early[0] ?? 0);
  expect((await verifyChain(pool, brandId)).finding).toBeNull();
});

test('workers that seal at the same time create one chain', async () => {
  const { brandId, playerId, request, ask } = made;
  const others = Array.from({ length: 4 }, () => new Sealer({ pool, clock: () => noon, log: testLog }));
  for (let round = 0; round < 5; round++) {
    await ask(...Array.from({ length: 50 }, () => request(playerId)));
    await Promise.all(others.map((other) => other.runOnce()));
  }
  await sealer.runOnce();
  expect(await verifyChain(pool, brandId)).toMatchObject({ finding: null, decisions: 6 + 250, complete: true });
});

describe('every manipulation of the tables is found and reported', () => {
  test.each<[name: string, sql: string, place: number, kind: string]>([
    [
      'an altered outcome',
      `update gate_decision set outcome = 'withheld' where decision_id = $1`,
      2,
      'altered_decision',
    ],
    [
      'another player',
      'update gate_decision set player_id = player_id + 64 where decision_id = $1',
      3,
      'altered_decision',
    ],
    [
      'another time',
      `update gate_decision set decided_at = decided_at - interval '1 us' where decision_id = $1`,
      0,
      'altered_decision',
    ],
    ['altered inputs', `update gate_decision set inputs = '{}' where decision_id = $1`, 5, 'altered_decision'],
    ['a deleted decision', 'delete from gate_decision where decision_id = $1', 4, 'missing_decision'],
    ['a deleted mark', 'delete from gate_decision_seal where decision_id = $1', 4, 'altered_decision'],
    [
      'a decision and its mark, both deleted',
      'with d as (delete from gate_decision where decision_id = $1) delete from gate_decision_seal where decision_id = $1',
      4,
      'missing_decision',
    ],
  ])('%s', async (_name, sql, place, kind) => {
    const { brandId, ids } = made;
    await pool.query(sql, [ids[place]]);
    const { finding, complete } = await verifyChain(pool, brandId);
    expect(finding).toMatchObject({ kind, decision_id: ids[place], seal_no: Math.floor(place / 2) + 1 });
    expect(complete).toBe(false);
  });

  const copied = `brand_id, player_id, channel, purpose, outcome, reason, cause_kind, cause_id, rule_version, inputs,
    inputs_sha256, age_ms, decided_at, expires_at`;
  test('an inserted decision, with or without a mark', async () => {
    const { brandId, ids } = made;
    const { rows } = await pool.query<{ decision_id: number }>(
      `insert into gate_decision (decision_id, ${copied})
       select id_in_bucket(nextval('gate_decision_number'), player_id), ${copied} from gate_decision where decision_id = $1 returning decision_id`,
      [ids[0]],
    );
    const decision_id = rows[0]?.decision_id;
    expect((await verifyChain(pool, brandId)).finding).toMatchObject({ kind: 'inserted_decision', decision_id });
    await pool.query('insert into gate_decision_seal values ($1, $2, 2)', [decision_id, brandId]);
    expect((await verifyChain(pool, brandId)).finding).toMatchObject({
      kind: 'inserted_decision',
      decision_id,
      seal_no: 2,
    });
  });

  test.each<[name: string, sql: string, kind: string, sealNo: number]>([
    ['a deleted seal', 'delete from gate_seal where brand_id = $1 and seal_no = 2', 'missing_seal', 2],
    [
      'a seal that lists less',
      'update gate_seal set decision_ids = decision_ids[1:1] where brand_id = $1 and seal_no = 2',
      'altered_seal',
      2,
    ],
    ['another root', `update gate_seal set root = sha256('x') where brand_id = $1 and seal_no = 3`, 'altered_seal', 3],
    [
      'another time of sealing',
      `update gate_seal set sealed_at = now() where brand_id = $1 and seal_no = 1`,
      'altered_seal',
      1,
    ],
    ['a tail cut off', 'delete from gate_seal where brand_id = $1 and seal_no = 3', 'missing_tail', 3],
  ])('%s', async (_name, sql, kind, seal_no) => {
    await pool.query(sql, [made.brandId]);
    expect((await verifyChain(pool, made.brandId)).finding).toMatchObject({ kind, seal_no });
  });

  test('if the last seals were removed with everything that refers to them, a head recorded elsewhere reveals it', async () => {
    const { brandId, ids } = made;
    const { head } = await verifyChain(pool, brandId);
    await pool.query('delete from gate_seal where brand_id = $1 and seal_no = 3', [brandId]);
    await pool.query('delete from gate_decision where decision_id = any($1::bigint[])', [ids.slice(4)]);
    await pool.query('delete from gate_decision_seal where decision_id = any($1::bigint[])', [ids.slice(4)]);
    expect((await verifyChain(pool, brandId)).finding).toBeNull();
    const expect_ = head as ChainHead;
    expect((await verifyChain(pool, brandId, { expect: expect_ })).finding).toMatchObject({ kind: 'missing_tail' });
  });
});

test('a walk can be interrupted and continued', async () => {
  let seals = 0;
  const first = await verifyChain(pool, made.brandId, { until: () => seals++ === 2 });
  expect(first).toMatchObject({ complete: false, finding: null, seals: 2, head: { seal_no: 2 } });
  const rest = await verifyChain(pool, made.brandId, { after: first.head ?? undefined });
  expect(rest).toMatchObject({ complete: true, finding: null, seals: 1, decisions: 2 });
});

test('a brand that cannot be sealed does not delay the others, and is sealed as soon as it can be', async () => {
  const other = await chain();
  await made.ask(made.request(made.playerId));
  await other.ask(other.request(other.playerId));
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no seal'; end $$;
    create trigger refuse before insert on gate_seal for each row when (new.brand_id = ${made.brandId}) execute function refuse()`);
  expect(await sealer.runOnce()).toEqual({ seals: 1, decisions: 1 });
  await pool.query('drop trigger refuse on gate_seal');
  expect(await sealer.runOnce()).toEqual({ seals: 1, decisions: 1 });
});

test('the search for decisions without a seal can be interrupted and continued', async () => {
  const { brandId } = made;
  let asked = 0;
  // The time limit is checked before each of the three seals, and then before the first stretch of the search, where it
  // stops the walk.
  const first = await verifyChain(pool, brandId, { until: () => asked++ === 3 });
  expect(first).toMatchObject({ complete: false, finding: null, seals: 3, searched_to: 0 });
  const rest = await verifyChain(pool, brandId, { after: first.head ?? undefined, searched_to: 0 });
  expect(rest).toMatchObject({ complete: true, finding: null, seals: 0 });
  expect(rest.searched_to).toBeGreaterThanOrEqual(made.ids.at(-1) ?? 0);
});
