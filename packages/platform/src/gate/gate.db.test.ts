import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { makeKnown, setupGate } from '../../testing/gate/setup-gate.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { forgetContacts, type HoldKey } from './records/hold-store.ts';

const { pool } = await setupDatabase();
const setup = await setupGate(pool);
const { gate, clock, request, ask } = setup;
const second = 1_000_000;

async function records(cause: { id: string }) {
  const { rows } = await pool.query(
    'select outcome, reason, age_ms, rule_version, inputs from gate_decision where cause_id = $1 order by decision_id',
    [cause.id],
  );
  return rows;
}

async function owed(playerId: number): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ look_up: string; owed: number }>(
    'select look_up, requested - done as owed from player_sync where player_id = $1 and requested > done order by look_up',
    [playerId],
  );
  return Object.fromEntries(rows.map((row) => [row.look_up, row.owed]));
}

const holds = async (cause: { id: string }) =>
  (await pool.query<HoldKey & { reason: string }>('select * from gate_hold where cause_id = $1', [cause.id])).rows;

test('a batch is decided in the order of the requests, and each decision is recorded with what it is based on', async () => {
  const allowed = request(await setup.addPlayer('ann'));
  const excluded = request(await setup.addPlayer('ben'), { purpose: 'service' });
  await pool.query('update player_profile set is_excluded = true where player_id = $1', [excluded.player_id]);
  const unknown = request(999_999_999);
  clock.advance(5 * second);

  expect(await ask(excluded, allowed, unknown)).toEqual([
    { decision_id: expect.any(Number), outcome: 'withheld', reason: 'excluded' },
    { decision_id: expect.any(Number), outcome: 'allowed' },
    { decision_id: expect.any(Number), outcome: 'withheld', reason: 'unknown_player' },
  ]);
  const [record] = await records(allowed.cause);
  expect(record).toMatchObject({ outcome: 'allowed', reason: null, age_ms: 5_000, rule_version: 3 });
  expect(record.inputs.said.map((one: { input: string; value: boolean }) => [one.input, one.value])).toEqual([
    ['details.is_excluded', false],
    ['blocks.Excluded', false],
    ['details.is_blocked', false],
    ['blocks.Blocked', false],
    ['consents.Email', true],
  ]);
});

test('a player of another brand is unknown', async () => {
  const playerId = await setup.addPlayer('carl');
  const [decision] = await ask(request(playerId, { brand_id: setup.brand.brand_id + 1 }));
  expect(decision).toMatchObject({ outcome: 'withheld', reason: 'unknown_player' });
});

test('an erased player is unknown, even if contacts were held', async () => {
  const playerId = await setup.addPlayer('cora');
  await pool.query("update player set user_id = 'erased:1', erased_at = now() where player_id = $1", [playerId]);
  expect(await ask(request(playerId))).toMatchObject([{ outcome: 'withheld', reason: 'unknown_player' }]);
});

test('nothing is recorded when the caller rolls back', async () => {
  const asked = request(await setup.addPlayer('dora'));
  await transaction(pool, async (tx) => {
    await gate.mayContact(tx, [asked]);
    throw new Error('the caller changes its mind');
  }).catch(() => {});
  expect(await records(asked.cause)).toEqual([]);
});

describe('a held contact', () => {
  test('requests the missing look-ups, is recorded once, and again when finally decided', async () => {
    const playerId = await setup.addStranger('eva');
    const asked = request(playerId);
    const [first] = await ask(asked);
    expect(first).toMatchObject({ outcome: 'held', reason: 'unknown', ask_again_ms: 100 });
    expect(await owed(playerId)).toEqual({ blocks: 1, consents: 1, details: 1 });

    clock.advance(20 * second);
    const [again] = await ask(asked);
    expect(again).toEqual({ ...first, ask_again_ms: 2_000 });
    expect(await owed(playerId)).toEqual({ blocks: 1, consents: 1, details: 1 });
    expect(await holds(asked.cause)).toMatchObject([{ reason: 'unknown', decision_id: first?.decision_id }]);

    await pool.query('delete from player_sync where player_id = $1', [playerId]);
    await makeKnown(pool, setup.brand.brand_id, [playerId], timestamptzText(clock.now()));
    expect(await ask(asked)).toMatchObject([{ outcome: 'allowed' }]);
    expect(await holds(asked.cause)).toEqual([]);
    expect((await records(asked.cause)).map(({ outcome }) => outcome)).toEqual(['held', 'allowed']);
  });

  test('requests once while its look-up fails, so that the look-up keeps its own retry schedule', async () => {
    const playerId = await setup.addPlayer('finn');
    await pool.query(
      `update player_sync set requested = requested + 1, news = requested + 1, attempts = 3, lane = 1
        where player_id = $1 and look_up = 'blocks'`,
      [playerId],
    );
    const asked = request(playerId);
    expect(await ask(asked)).toMatchObject([{ outcome: 'held', reason: 'outdated' }]);
    expect(await owed(playerId)).toEqual({ blocks: 2 });
    await pool.query('update player_sync set attempts = 1 where player_id = $1', [playerId]);
    await ask(asked);
    expect(await owed(playerId)).toEqual({ blocks: 2 });
  });

  test('is withheld and recorded when it expires', async () => {
    const asked = request(await setup.addStranger('gus'), { expires_at: clock.now() + 60 * second });
    expect(await ask(asked)).toMatchObject([{ outcome: 'held' }]);
    clock.advance(60 * second);
    expect(await ask(asked)).toMatchObject([{ outcome: 'withheld', reason: 'expired_while_unknown' }]);
    expect(await records(asked.cause)).toHaveLength(2);
    expect(await holds(asked.cause)).toEqual([]);
  });

  test('without an expiry is withheld if it was held for too long', async () => {
    const asked = request(await setup.addStranger('gil'), { expires_at: null, mostHeld: 60 * second });
    expect(await ask(asked)).toMatchObject([{ outcome: 'held' }]);
    clock.advance(59 * second);
    expect(await ask(asked)).toMatchObject([{ outcome: 'held' }]);
    clock.advance(1 * second);
    expect(await ask(asked)).toMatchObject([{ outcome: 'withheld', reason: 'expired_while_unknown' }]);
    expect(await holds(asked.cause)).toEqual([]);
  });

  test('is deleted with its cause', async () => {
    const asked = request(await setup.addStranger('hal'));
    await ask(asked);
    await transaction(pool, (tx) => forgetContacts(tx, [asked.cause]));
    expect(await holds(asked.cause)).toEqual([]);
  });
});

test('an old exclusion withholds immediately, and is refreshed for the next contact', async () => {
  const playerId = await setup.addPlayer('ida');
  await pool.query('update player_profile set is_excluded = true where player_id = $1', [playerId]);
  clock.advance(25 * 3_600 * second);
  expect(await ask(request(playerId))).toMatchObject([{ outcome: 'withheld', reason: 'excluded' }]);
  expect(await owed(playerId)).toEqual({ blocks: 1, consents: 1, details: 1 });
});

test('a decision sees what was committed before it, even in a transaction that began long before', async () => {
  const playerId = await setup.addPlayer('jon');
  await transaction(pool, async (tx) => {
    expect(await gate.mayContact(tx, [request(playerId)])).toMatchObject([{ outcome: 'allowed' }]);
    await pool.query('update player_profile set is_excluded = true where player_id = $1', [playerId]);
    expect(await gate.mayContact(tx, [request(playerId)])).toMatchObject([{ reason: 'excluded' }]);
  });
});
