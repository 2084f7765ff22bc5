import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, startSandboxOperator } from '@croupier/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type IntentSetup, setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { testLog } from '../../../testing/log.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { carryOut } from '../../outgoing/call.ts';
import type { IntentState } from '../intent.ts';
import { applyIntentEvent } from './apply.ts';
import { beginAttempt, type OpenCall } from './attempt.ts';
import { claimMs, intentQueue } from './claim-store.ts';
import { crediting } from './runner.ts';

const { pool } = await setupDatabase();

test('a bonus is credited once, with its references and its key', async () => {
  const { operator, order, untilState, attempts, knownPlayer, creditsOf } = await setupIntents(pool, {
    settings: { bonus_extra_fields: { validity_amount: 'validity' } },
  });
  const references = { activity_id: 'spring', action_id: 'a-1', action_group_id: 'g ö', trigger_hash: 't' };
  const intentId = await order(await knownPlayer('anna'), { extra: { validity: 7, ignored: 1 }, ...references });
  expect(await untilState(intentId, 'credited')).toMatchObject({ resolved_by: 'answer', attempts: 1, due_at: null });
  expect(creditsOf(intentId)).toBe(1);
  expect(operator.books.credits).toMatchObject([
    { endpoint: 'bonus_credit', body: { user_id: 'anna', bonus_code: 'RELOAD50', validity_amount: 7 } },
  ]);
  expect(operator.books.credits[0]?.body).not.toHaveProperty('ignored');
  expect(operator.books.credits[0]?.headers).toMatchObject({
    'x-crm-id': intentId,
    'x-crm-activityid': 'spring',
    'x-crm-actionid': 'a-1',
    'x-crm-actiongroupid': 'g %C3%B6',
    'x-crm-triggerhash': 't',
    'idempotency-key': intentId,
  });
  const [attempt] = await attempts(intentId);
  expect(attempt).toMatchObject({ outcome: 'credited', answer_status: 200, late: false });
  expect(attempt?.request).toMatchObject({ method: 'POST', path: '/bonus/credit', body: { user_id: 'anna' } });
  expect(JSON.stringify(attempt?.request.headers).toLowerCase()).not.toContain('x-api-key');
});

test('amounts of funds are sent unchanged, digit by digit', async () => {
  const { operator, order, untilState, knownPlayer } = await setupIntents(pool);
  const intentId = await order(await knownPlayer('anna'), { amount: '12.10', currency: 'EUR' });
  await untilState(intentId, 'credited');
  expect(operator.books.credits).toMatchObject([{ endpoint: 'bonus_credit_funds', amount: 12.1, currency: 'EUR' }]);
});

describe("under each fault the operator's records and the intent agree", () => {
  const rows: [name: string, fault: Fault, state: IntentState, credits: number][] = [
    ['a timeout after the effect', { fault: 'timeout' }, 'unknown', 1],
    ['a timeout before the effect', { fault: 'timeout', when: 'before_effect' }, 'unknown', 0],
    ['500 after the effect', { fault: 'status', status: 500 }, 'unknown', 1],
    ['a cut before the headers', { fault: 'reset', at: 'before_headers' }, 'unknown', 1],
    ['a cut in the headers', { fault: 'reset', at: 'in_headers' }, 'unknown', 1],
    ['a cut in the body of a 200', { fault: 'reset', at: 'in_body' }, 'unknown', 1],
    ['a reset before the effect', { fault: 'reset', at: 'before_headers', when: 'before_effect' }, 'unknown', 0],
    ['a 200 with an error', { fault: 'error_body' }, 'unknown', 1],
    ['a slow drip', { fault: 'drip', bytes_per_second: 10 }, 'unknown', 1],
    ['bytes that are not UTF-8', { fault: 'malformed_utf8' }, 'credited', 1],
    ['409', { fault: 'status', status: 409, when: 'before_effect' }, 'unknown', 0],
    ['400', { fault: 'status', status: 400, when: 'before_effect' }, 'rejected', 0],
    ['a redirect', { fault: 'status', status: 302, when: 'before_effect' }, 'rejected', 0],
    ['429', { fault: 'status', status: 429, when: 'before_effect' }, 'retry', 0],
    ['401 again and again', { fault: 'unauthorized' }, 'retry', 0],
  ];
  test('each intent gets one call, and no second one if the first may have credited', async () => {
    const setup = await setupIntents(pool, { settings: { call_timeout_ms: 500 } });
    const players = await Promise.all(rows.map((_, place) => setup.knownPlayer(`p${place}`)));
    const faults = rows.map(([, fault], place) => ({ ...fault, users: [`p${place}`] }));
    setup.operator.dials.set(['bonus_credit', 'bonus_credit_funds'], { faults });
    const ordered = await Promise.all(players.map((player) => setup.order(player)));
    const seen: Record<string, unknown> = {};
    for (const [place, intentId] of ordered.entries()) {
      const [name, , state] = rows[place] as (typeof rows)[number];
      const { attempts } = await setup.untilState(intentId, state);
      // Calls that certainly did nothing are repeated automatically.
      seen[name] = { state, credits: setup.creditsOf(intentId), attempts: state === 'retry' ? 1 : attempts };
    }
    const expected = rows.map(([name, , state, credits]) => [name, { state, credits, attempts: 1 }]);
    expect(seen).toEqual(Object.fromEntries(expected));
  });
});

test('an expired OAuth token is renewed within the call', async () => {
  const auth = { type: 'oauth2' as const, client_id: 'croupier', client_secret: 'secret' };
  const other = await startSandboxOperator({ auth });
  onTestFinished(() => other.stop());
  const setup = await setupIntents(pool, {
    settings: { base_url: other.url, auth: { ...auth, token_url: other.tokenUrl } },
  });
  other.books.addPlayer('anna');
  const player = await setup.knownPlayer('anna');
  other.expireTokens();
  const intentId = await setup.order(player);
  expect(await setup.untilState(intentId, 'credited')).toMatchObject({ attempts: 1 });
  expect(other.books.credits).toHaveLength(1);
});

test('a call that certainly did nothing is repeated with the same key, until it is credited', async () => {
  const setup = await setupIntents(pool, { settings: { bonus_500: 'not_applied' } });
  const player = await setup.knownPlayer('anna');
  setup.operator.dials.set('bonus_credit', {
    faults: [{ fault: 'status', status: 503, when: 'before_effect', times: 2 }],
  });
  const intentId = await setup.order(player);
  for (const tries of [1, 2]) {
    expect(await setup.untilState(intentId, 'retry')).toMatchObject({ reason: 'server_error' });
    expect((await setup.intent(intentId)).tries).toBe(tries);
    const called = setup.operator.calls.next(({ endpoint }) => endpoint === 'bonus_credit');
    await setup.hurry(intentId);
    await called;
    if (tries === 1) while ((await setup.intent(intentId)).tries < 2);
  }
  expect(await setup.untilState(intentId, 'credited')).toMatchObject({ attempts: 3 });
  expect(setup.creditsOf(intentId)).toBe(1);
});

test('an operator that honors keys is called again while the outcome is unknown', async () => {
  const setup = await setupIntents(pool, {
    operator: { honorsIdempotencyKey: true },
    settings: { idempotent_bonus: true, call_timeout_ms: 400 },
  });
  const player = await setup.knownPlayer('anna');
  setup.operator.dials.set('bonus_credit', { faults: [{ fault: 'timeout', times: 1 }] });
  const intentId = await setup.order(player);
  expect(await setup.untilState(intentId, 'unknown')).toMatchObject({ reason: 'timeout', due_for: 'call' });
  await setup.hurry(intentId);
  expect(await setup.untilState(intentId, 'credited')).toMatchObject({ attempts: 2, resolved_by: 'answer' });
  expect(setup.creditsOf(intentId)).toBe(1);
});

test('an excluded player gets nothing, and the record explains why', async () => {
  const setup = await setupIntents(pool);
  setup.operator.books.addPlayer('anna', { details: { is_excluded: true } });
  const player = await setup.knownPlayer('bert');
  setup.operator.books.change('bert', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  await setup.refresh(player);
  await setup.until(player, ({ profile }) => profile?.is_excluded === true);
  const intentId = await setup.order(player);
  expect(await setup.untilState(intentId, 'rejected')).toMatchObject({ reason: 'excluded', resolved_by: 'gate' });
  expect(setup.operator.calls.count('bonus_credit')).toBe(0);
});

/** Continues a call that has begun, like a worker that was suspended for this long after its claim. */
function goOn({ brand, worker: { clients, health }, gate }: IntentSetup, call: OpenCall, lateMs: number) {
  const deps = { pool, clients, gate, clock: systemClock, process: 'test', random: () => 0.5, log: testLog };
  const spec = crediting({ ...deps, health, brands: { all: () => [brand], byId: () => brand } });
  return carryOut(
    call.claim,
    { ...spec, begin: async () => ({ outcome: 'started', open: { call, brand } }) },
    {
      log: testLog,
      claimedAt: performance.now() - lateMs,
      signal: new AbortController().signal,
      freeSlot: () => {},
      holdsFor: (ms) => intentQueue.holdsFor(pool, call.claim, ms),
    },
  );
}

describe('a worker that dies or stops', () => {
  test('after the commit leaves an open call, which is unknown when its time is over, and never repeated', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const player = await setup.knownPlayer('anna');
    setup.operator.dials.set('bonus_credit', { faults: [{ fault: 'timeout' }] });
    const dying = setup.makeRunner({ stopGraceMs: 0 });
    const intentId = await setup.order(player);
    const called = setup.operator.calls.next(({ endpoint }) => endpoint === 'bonus_credit');
    await dying.runOnce();
    await called;
    expect(await setup.intent(intentId)).toMatchObject({ state: 'pending', open_attempt: 1, due_for: 'answer' });

    await setup.hurry(intentId);
    await setup.runner.start();
    expect(await setup.untilState(intentId, 'unknown')).toMatchObject({
      reason: 'lost',
      due_for: 'deadline',
      doubts: [1],
    });
    expect(await setup.attempts(intentId)).toMatchObject([{ outcome: 'lost' }]);
    expect(setup.creditsOf(intentId)).toBe(1);
  });

  test('and answers late: its answer settles the intent', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const player = await setup.knownPlayer('anna');
    const lost = Promise.withResolvers<void>();
    setup.operator.dials.set('bonus_credit', { hold: lost.promise });
    const slow = setup.makeRunner();
    const intentId = await setup.order(player);
    await slow.runOnce();
    while ((await setup.intent(intentId)).open_attempt === null);
    await setup.hurry(intentId);
    await setup.runner.start();
    expect(await setup.untilState(intentId, 'unknown')).toMatchObject({ reason: 'lost' });
    lost.resolve();
    await slow.idle();
    expect(await setup.intent(intentId)).toMatchObject({ state: 'credited', resolved_by: 'late_answer' });
    expect(await setup.attempts(intentId)).toMatchObject([{ outcome: 'credited', late: true }]);
    expect(setup.creditsOf(intentId)).toBe(1);
  });

  test('between the commit and the call, makes no call once its claim is lost', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const player = await setup.knownPlayer('anna');
    const intentId = await setup.order(player);
    const { clients } = setup.worker;
    const deps = { pool, clients, gate: setup.gate, clock: systemClock, process: 'stopped', random: () => 0.5 };
    const [claim] = await intentQueue.claim(pool, [
      { brand_id: setup.brand.brand_id, kind: 'bonus', free: 1, claim_ms: claimMs },
    ]);
    const started = claim && (await beginAttempt(claim, setup.brand, deps));
    if (claim === undefined || started?.outcome !== 'started') throw new Error('the call must begin');
    const call = started.open;
    await setup.hurry(intentId);
    await setup.runner.runOnce();
    expect(await setup.intent(intentId)).toMatchObject({ state: 'unknown', reason: 'lost' });

    // The process continues. By its own clock, two seconds have passed since its claim.
    await goOn(setup, call, 2_000);
    expect(setup.operator.calls.count('bonus_credit')).toBe(0);
    expect(await setup.attempts(intentId)).toMatchObject([{ outcome: 'unsent', late: true }]);

    // So it is now known that nothing was credited, and it can be credited.
    await setup.runner.start();
    expect(await setup.untilState(intentId, 'credited')).toMatchObject({ attempts: 2, doubts: [] });
    expect(setup.creditsOf(intentId)).toBe(1);
  });
});

describe('P15: an update of the player is acknowledged', () => {
  const claimOne = async (setup: IntentSetup) => {
    const [claim] = await intentQueue.claim(pool, [
      { brand_id: setup.brand.brand_id, kind: 'bonus', free: 1, claim_ms: claimMs },
    ]);
    if (claim === undefined) throw new Error('nothing was claimed');
    return claim;
  };
  const depsOf = ({ worker: { clients }, gate }: IntentSetup) => {
    return { pool, clients, gate, clock: systemClock, process: 'test', random: () => 0.5 };
  };

  test('before the claimed intent begins: it waits, and shows why', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const intentId = await setup.order(await setup.knownPlayer('anna'));
    const claim = await claimOne(setup);
    const applied = await acknowledgeUpdate(pool, setup.brand.brand_id, 'anna');
    expect(await beginAttempt(claim, setup.brand, depsOf(setup))).toMatchObject({
      outcome: 'snooze',
      reason: 'update_pending',
    });
    expect(await setup.intent(intentId)).toMatchObject({ state: 'pending', reason: 'update_pending', attempts: 0 });
    await applied();
    await setup.hurry(intentId);
    await setup.runner.start();
    await setup.untilState(intentId, 'credited');
  });

  test('between the commit of the attempt and the call: the call is not made, and the intent waits', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const intentId = await setup.order(await setup.knownPlayer('anna'));
    const started = await beginAttempt(await claimOne(setup), setup.brand, depsOf(setup));
    if (started.outcome !== 'started') throw new Error('the call must begin');
    const applied = await acknowledgeUpdate(pool, setup.brand.brand_id, 'anna');
    await goOn(setup, started.open, 0);
    expect(setup.operator.calls.count('bonus_credit')).toBe(0);
    expect(await setup.attempts(intentId)).toMatchObject([{ outcome: 'unsent', late: false }]);
    await setup.hurry(intentId);
    await setup.runner.runOnce();
    await setup.runner.idle();
    expect(await setup.intent(intentId)).toMatchObject({ reason: 'update_pending', attempts: 1 });
    expect(setup.operator.calls.count('bonus_credit')).toBe(0);
    await applied();
    await setup.hurry(intentId);
    await setup.runner.start();
    await setup.untilState(intentId, 'credited');
    expect(setup.creditsOf(intentId)).toBe(1);
  });

  test('while the call waits for its token: it is not made', async () => {
    const setup = await setupIntents(pool, { runs: false });
    const intentId = await setup.order(await setup.knownPlayer('anna'));
    const started = await beginAttempt(await claimOne(setup), setup.brand, depsOf(setup));
    if (started.outcome !== 'started') throw new Error('the call must begin');
    const tokens = createServer(async (_, answer) => {
      await acknowledgeUpdate(pool, setup.brand.brand_id, 'anna');
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer.setHeader('content-type', 'application/json').end('{"access_token":"t","token_type":"Bearer"}');
    });
    await new Promise<void>((listening) => tokens.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void tokens.close());
    const { port } = tokens.address() as AddressInfo;
    const auth = {
      type: 'oauth2',
      token_url: `http://127.0.0.1:${port}/`,
      client_id: 'c',
      client_secret: 's',
    } as const;
    const { operator } = setup.brand;
    if (operator === null) throw new Error('the brand must have an operator');
    const brand = { ...setup.brand, operator: { ...operator, auth } };
    await goOn({ ...setup, brand }, started.open, 0);
    expect(setup.operator.calls.count('bonus_credit')).toBe(0);
    expect(await setup.attempts(intentId)).toMatchObject([{ outcome: 'unsent', late: false }]);
  });
});

describe('offers', () => {
  test('wait for their player, are credited once, and expire', async () => {
    const setup = await setupIntents(pool);
    const player = await setup.knownPlayer('anna');
    const [claimed, expired] = await Promise.all([
      setup.order(player, { offer: true }),
      setup.order(player, { offer: true, expires_at: Date.now() * 1_000 - 1 }),
    ]);
    expect(await setup.untilState(expired, 'rejected')).toMatchObject({ reason: 'expired' });
    expect(await setup.intent(claimed)).toMatchObject({ state: 'offered', due_at: null });
    for (let n = 0; n < 2; n++)
      await transaction(pool, (tx) => applyIntentEvent(tx, claimed, { type: 'claimed' }, { at: Date.now() * 1_000 }));
    setup.runner.wake();
    await setup.untilState(claimed, 'credited');
    expect(setup.operator.books.credits).toHaveLength(1);
  });
});

test('after 24 hours an unknown intent goes to a person, who decides', async () => {
  const setup = await setupIntents(pool, { settings: { call_timeout_ms: 400 } });
  const player = await setup.knownPlayer('anna');
  setup.operator.dials.set('bonus_credit', { faults: [{ fault: 'timeout', when: 'before_effect', times: 1 }] });
  const intentId = await setup.order(player);
  await setup.untilState(intentId, 'unknown');
  await setup.hurry(intentId);
  await setup.untilState(intentId, 'needs_person');
  const context = { at: Date.now() * 1_000, actor: 'ann@example.com', note: 'not in their books' };
  await transaction(pool, (tx) => applyIntentEvent(tx, intentId, { type: 'person', verdict: 'try_again' }, context));
  setup.runner.wake();
  await setup.untilState(intentId, 'credited');
  expect(setup.creditsOf(intentId)).toBe(1);
});
