import type { PlatformEvent } from '@croupier/contracts';
import type { SandboxOperator } from '@croupier/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changeOperator, testVault } from '../../../../testing/brand.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { testLog } from '../../../../testing/log.ts';
import { medianOf } from '../../../../testing/median-of.ts';
import { isCurrent, setupSync, workerOf } from '../../../../testing/operator/setup-sync.ts';
import { BrandRegistry } from '../../../brands/index.ts';
import { transaction } from '../../../database/index.ts';
import { readEndpoints } from '../../calling/health/health-store.ts';
import { RefreshConsumer } from './refresh-consumer.ts';

const { pool } = await setupDatabase();

const email = (opted_in: boolean) => ({ type: 'Email', opted_in });

/** Makes the operator answer exactly this, whatever its records say. */
function answer(operator: SandboxOperator, endpoint: 'userconsents' | 'userblocks', body: object): void {
  operator.dials.set(endpoint, { faults: [{ fault: 'status', status: 200, body }] });
}

describe('a refresh', () => {
  test('stores profile, consents and blocks with their age', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const before = Date.now() * 1000;
    const player = await addPlayer('ann');
    operator.books.change('ann', { details: { first_name: 'Ann', segmentation: { vip_level: 3 } } });
    answer(operator, 'userconsents', { consents: [email(true), { type: 'sms', opted_in: false }] });
    answer(operator, 'userblocks', { blocks: [{ type: 'Excluded', active: true, note: 'self' }] });
    await refresh(player);
    const { profile, consents, blocks, sync } = await until(player, isCurrent);
    const age = { as_of: expect.any(Number), source: 'look_up', in_doubt: false };
    expect(profile).toMatchObject({
      first_name: 'Ann',
      segmentation: { vip_level: 3 },
      extra: {},
      older: {},
      in_doubt: [],
    });
    expect(consents).toEqual([
      { type: 'Email', opted_in: true, ...age },
      { type: 'SMS', opted_in: false, ...age },
      ...['Telephone', 'PostMail', 'SiteNotification', 'PushNotification'].map((type) => {
        return { type, opted_in: null, in_doubt: false, as_of: null, source: null };
      }),
    ]);
    expect(blocks).toEqual([
      { type: 'Excluded', active: true, note: 'self', ...age },
      { type: 'Blocked', active: false, note: null, ...age },
    ]);
    expect(sync).toMatchObject({ state: 'current', last_success: expect.any(Number), last_error: null, problems: [] });
    expect(sync.last_success).toBeGreaterThanOrEqual(before);
  });

  test('of one kind requests that kind only', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    await refresh(player, ['consents']);
    await until(player, ({ sync }) => sync.look_ups.consents.state === 'current');
    expect(operator.calls.list().map((call) => call.endpoint)).toEqual(['userconsents']);
  });

  test('that confirms everything writes no record, and renews every age', async () => {
    const { addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    await refresh(player);
    const first = await until(player, isCurrent);
    const versions = async () => {
      const { rows } = await pool.query(
        `select 'profile', xmin::text from player_profile where player_id = $1
         union all select type_key, xmin::text from player_consent where player_id = $1
         union all select type_key, xmin::text from player_block where player_id = $1 order by 1`,
        [player],
      );
      return rows;
    };
    const written = await versions();
    await refresh(player);
    const second = await until(
      player,
      ({ sync }) => isCurrent({ ...first, sync }) && sync.last_success !== first.sync.last_success,
    );
    expect(await versions()).toEqual(written);
    for (const [n, consent] of second.consents.entries())
      expect(consent.as_of).toBeGreaterThan(first.consents[n]?.as_of ?? 0);
    for (const [n, block] of second.blocks.entries()) expect(block.as_of).toBeGreaterThan(first.blocks[n]?.as_of ?? 0);
    expect(second.profile?.as_of).toBeGreaterThan(first.profile?.as_of ?? 0);
  });

  test('stores withdrawn consents and lifted blocks; a missing consent becomes unknown, and a missing block is not in force', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    const block = (type: string) => ({ type, active: true, note: type });
    answer(operator, 'userconsents', { consents: [email(true), { type: 'SMS', opted_in: true }] });
    answer(operator, 'userblocks', { blocks: [block('Excluded'), block('Blocked')] });
    await refresh(player);
    await until(player, isCurrent);
    answer(operator, 'userconsents', { consents: [email(false)] });
    answer(operator, 'userblocks', { blocks: [block('Blocked')] });
    await refresh(player);
    const { consents, blocks } = await until(player, (now) => isCurrent(now) && now.blocks[0]?.active === false);
    expect(consents.slice(0, 2)).toMatchObject([
      { opted_in: false },
      { type: 'SMS', opted_in: null, source: 'look_up' },
    ]);
    expect(blocks).toMatchObject([
      { type: 'Excluded', active: false, note: null },
      { type: 'Blocked', active: true, note: 'Blocked' },
    ]);
  });
});

test('an exclusion at the operator is stored within a second of its event', async () => {
  const setup = await setupSync(pool);
  setup.operator.dials.set('*', { delay_ms: 20 });
  const consumer = new RefreshConsumer({ brands: { byId: () => setup.brand }, wake: setup.worker.scheduler.wake });
  const { brand_id } = setup.brand;
  const exclude = async (user_id: string) => {
    const player_id = await setup.addPlayer(user_id);
    await setup.refresh(player_id);
    await setup.until(player_id, isCurrent);
    setup.operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: 'self' }] });
    const received_at = Date.now() * 1000;
    const event: PlatformEvent = { kind: 'blocks_update', user_id, timestamp: received_at };
    const position = { writer_id: 1, seq: 1, index: 0 };
    const started = performance.now();
    await transaction(pool, (tx) =>
      consumer.onBatch(tx, {
        applied: [{ player_id, brand_id, user_id, event, received_at, verdict: 'applied', position }],
      }),
    );
    consumer.onCommitted();
    await setup.until(player_id, ({ blocks }) => blocks[0]?.active === true);
    return performance.now() - started;
  };
  expect(await medianOf(5, (n) => exclude(`ann-${n}`))).toBeLessThan(1_000);
});

describe('a bad answer never overwrites a good one', () => {
  test('fields of the wrong type keep their value and age and are listed, and flags count as true', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    operator.books.change('ann', { details: { email: 'ann@example.com', is_excluded: false } });
    await refresh(player);
    const good = await until(player, isCurrent);

    operator.dials.set('*', { faults: [{ fault: 'wrong_body', shape: 'wrong_types' }] });
    await refresh(player);
    const bad = await until(player, ({ sync }) => sync.problems.length > 0 && sync.state === 'current');
    expect(bad.profile).toMatchObject({
      email: 'ann@example.com',
      is_excluded: false,
      in_doubt: ['is_blocked', 'is_excluded'],
      older: { email: good.profile?.as_of, is_excluded: good.profile?.as_of },
    });
    expect(bad.consents.filter((consent) => consent.opted_in !== null).every((consent) => consent.in_doubt)).toBe(true);
    expect(bad.blocks).toMatchObject(
      good.blocks.map(({ type, active, as_of }) => ({ type, active, as_of, in_doubt: true })),
    );
    expect(bad.sync.problems).toContainEqual(
      expect.objectContaining({ look_up: 'details', path: 'is_excluded', reason: 'wrong_type' }),
    );

    operator.dials.clear();
    await refresh(player);
    const healed = await until(player, ({ sync }) => sync.problems.length === 0 && sync.state === 'current');
    expect(healed.profile).toMatchObject({ older: {}, in_doubt: [] });
    expect(healed.consents.some((consent) => consent.in_doubt)).toBe(false);
  });

  test('blocks in an answer with a sign of failure lift no protection, and are requested again', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const blocked = { blocks: [{ type: 'Excluded', active: true, note: '' }] };
    operator.books.addPlayer('eve', blocked);
    const player = await addPlayer('eve');
    await refresh(player);
    const good = await until(player, isCurrent);
    const body = { blocks: [], success: false, error: 'no such table' };
    operator.dials.set('userblocks', { faults: [{ fault: 'error_body', body }] });
    await refresh(player, ['blocks']);
    const bad = await until(player, ({ sync }) => sync.state === 'retrying');
    expect(bad.blocks).toEqual(good.blocks);
    expect(bad.sync.last_error).toMatchObject({ look_up: 'blocks', reason: 'error_in_answer' });
  });

  test.each([
    ['another_player', 'other_player'],
    ['html', 'not_json'],
    ['empty_object', 'unknown_player'],
    ['array', 'unknown_player'],
    ['null', 'unknown_player'],
  ] as const)('200 with %s changes nothing and is listed', async (shape, reason) => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    operator.books.addPlayer('bob');
    const player = await addPlayer('ann');
    await refresh(player);
    const good = await until(player, isCurrent);
    operator.dials.set('userdetails', { faults: [{ fault: 'wrong_body', shape }] });
    await refresh(player, ['details']);
    const bad = await until(player, ({ sync }) => sync.state === 'retrying');
    expect(bad.profile).toEqual(good.profile);
    expect(bad.sync.last_error).toMatchObject({ look_up: 'details', reason });
    expect(bad.sync.look_ups.consents.state).toBe('current');
  });

  test('an error text that is cut in the middle of a character is stored, for the player and for the endpoint', async () => {
    const { brand, operator, worker, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    // One text is shifted by one code unit against the other. Wherever the cut is, it splits a surrogate pair in one of
    // them.
    answer(operator, 'userconsents', { error: '\u{1f600}'.repeat(500) });
    answer(operator, 'userblocks', { error: `.${'\u{1f600}'.repeat(500)}` });
    await refresh(player, ['consents', 'blocks']);
    const { consents, blocks } = (
      await until(player, ({ sync }) => sync.look_ups.consents.attempts > 0 && sync.look_ups.blocks.attempts > 0)
    ).sync.look_ups;
    await worker.health.runOnce();
    const endpoints = await readEndpoints(pool, brand.brand_id, 0);
    for (const [look_up, endpoint] of [
      [consents, 'userconsents'],
      [blocks, 'userblocks'],
    ] as const) {
      expect(look_up).toMatchObject({ state: 'retrying', last_error: { reason: 'unknown_player' } });
      expect(look_up.last_error?.detail).toContain('\u{1f600}');
      const counted = endpoints.find((one) => one.endpoint === endpoint);
      expect(counted).toMatchObject({ last_failure_detail: look_up.last_error?.detail });
    }
  });

  test('malformed UTF-8 affects only the field that contains it', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ann');
    operator.dials.set('userdetails', { faults: [{ fault: 'malformed_utf8' }] });
    await refresh(player);
    const { profile, sync } = await until(player, isCurrent);
    expect(sync.problems).toMatchObject([{ path: 'address', reason: 'damaged_text' }]);
    expect(profile).toMatchObject({ address: null, email: expect.stringContaining('@') });
  });
});

describe('failing look-ups', () => {
  test.each([
    ['500', { fault: 'status', status: 500 }, 'server_error'],
    ['a cut connection', { fault: 'reset', at: 'in_body' }, 'cut'],
    ['no answer', { fault: 'timeout' }, 'timeout'],
  ] as const)('%s: retried until it succeeds', async (_name, fault, reason) => {
    const setup = await setupSync(pool, { settings: { call_timeout_ms: 200 } });
    const player = await setup.addPlayer('ann');
    setup.operator.dials.set('userconsents', { faults: [{ ...fault, times: 1 }] });
    await setup.refresh(player);
    const healed = await setup.until(player, isCurrent);
    expect(healed.sync.last_error).toMatchObject({ look_up: 'consents', reason });
    expect(setup.operator.calls.count('userconsents')).toBe(2);
  });

  test('with a key that was corrected in the meantime are repeated immediately with the new key', async () => {
    const wrong = { type: 'api_key', header: 'X-API-Key', value: 'a wrong key' };
    const { brand, operator, addPlayer, refresh, until } = await setupSync(pool, {
      started: false,
      settings: { auth: wrong },
    });
    const player = await addPlayer('ann');
    const registry = new BrandRegistry({ pool, vault: testVault, log: testLog });
    await registry.refresh();
    await changeOperator(pool, brand, { base_url: operator.url, auth: { ...wrong, value: 'key' } });
    // The registry is not started, so it reads the new key only when the look-ups ask for it.
    const worker = workerOf(pool, registry);
    onTestFinished(() => worker.stop());
    await refresh(player);
    await worker.start();
    await until(player, isCurrent);
    const statuses = operator.calls.list().map(({ status }) => status);
    expect(statuses[0]).toBe(401);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  });

  test('a player whom the operator does not know is parked, and looked up again with the next request', async () => {
    const { operator, addPlayer, refresh, until } = await setupSync(pool);
    const player = await addPlayer('ghost', { unknownToOperator: true });
    await refresh(player);
    const retrying = await until(player, ({ sync }) =>
      Object.values(sync.look_ups).every(({ attempts }) => attempts > 0),
    );
    expect(retrying.sync).toMatchObject({ state: 'retrying', last_error: { reason: 'unknown_player' } });
    expect(retrying.profile).toBeNull();

    // This is the state of the look-up after more than an hour of tries.
    await pool.query('update player_sync set attempts = 6, tries = 6, due_at = now() where player_id = $1', [player]);
    // One parked look-up is enough for the state `details_missing`, so this waits until all look-ups are parked.
    const inFiveHours = Date.now() * 1000 + 5 * 3_600_000_000;
    const parked = await until(player, ({ sync }) =>
      Object.values(sync.look_ups).every(({ due_at }) => due_at !== null && due_at > inFiveHours),
    );
    expect(parked.sync.state).toBe('details_missing');

    operator.books.addPlayer('ghost');
    await refresh(player);
    expect((await until(player, isCurrent)).profile).not.toBeNull();
  });

  test('a brand without an operator gets no calls, and its requests are kept', async () => {
    const { brand, operator, worker, addPlayer, refresh, read, until } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    const settings = brand.operator;
    brand.operator = null;
    await refresh(player);
    expect(await worker.scheduler.runOnce()).toEqual({ claimed: 0 });
    expect((await read(player)).sync.state).toBe('waiting');
    brand.operator = settings;
    expect(await worker.scheduler.runOnce()).toEqual({ claimed: 3 });
    await until(player, isCurrent);
    expect(operator.calls.count()).toBe(3);
  });
});
