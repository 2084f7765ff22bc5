import { describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { applyIntentEvent, type IntentEvent } from '../../actions/index.ts';
import { transaction } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';

const operator = {
  base_url: 'http://127.0.0.1:9',
  auth: { type: 'api_key', value: 'key' },
  bonus_extra_fields: { validity_amount: 'validity' },
};
const console = await setupConsole({ operator });
const { app, pool, clock, call, get, brand, as, publish, derive } = console;

let players = 0;
async function newPlayer(): Promise<string> {
  const user_id = `p${++players}`;
  await publish('login', { user_id, timestamp: '2026-05-01T08:00:00Z' });
  await derive();
  return user_id;
}
const credit = (user: string, body: object, token?: string) =>
  call('POST', `/brands/malta/players/${user}/bonus-credits`, token === undefined ? { body } : { body, token });
const one = (intentId: string) => get(`/brands/malta/bonus-intents/${intentId}`);
const act = (intentId: string, what: string, body?: object) =>
  call('POST', `/brands/malta/bonus-intents/${intentId}/${what}`, { body: body ?? {} });

async function happen(intentId: string, ...events: IntentEvent[]) {
  for (const event of events)
    await transaction(pool, (tx) => applyIntentEvent(tx, intentId, event, { at: clock.now(), random: 0.5 }));
}
const begun: IntentEvent = { type: 'attempt_began', answer_within_ms: 1_000 };
const unknown: IntentEvent = { type: 'answered', attempt_no: 1, call: { outcome: 'unknown', reason: 'timeout' } };

async function inDoubt(): Promise<string> {
  const made = await credit(await newPlayer(), { bonus_code: 'FIVE' });
  await happen(made.body.intent_id, begun, unknown);
  return made.body.intent_id;
}

test('a bonus is ordered, listed and shown', async () => {
  const user = await newPlayer();
  const references = { activity_id: 'spring', trigger_hash: 't-1' };
  const made = await credit(user, { bonus_code: 'FIVE', references, extra: { validity: 7 }, note: 'by phone' });
  expect(made).toMatchObject({ status: 200, body: { state: 'pending' } });
  clock.advance(1_000);
  const funds = await credit(user, { bonus_code: 'CASH', amount: 12.5, currency: 'eur' });
  const listed = await get(`/brands/malta/players/${user}/bonus-intents`);
  expect(listed.body.items).toMatchObject([
    { intent_id: funds.body.intent_id, kind: 'funds', amount: '12.5', currency: 'EUR', user_id: user },
    { intent_id: made.body.intent_id, kind: 'bonus', amount: null, references, due_for: 'call', note: 'by phone' },
  ]);
  const filtered = await get('/brands/malta/bonus-intents?activity_id=spring&state=pending&older_than=0');
  expect(filtered.body.items).toMatchObject([{ intent_id: made.body.intent_id, extra: { validity: 7 } }]);
  expect((await get('/brands/malta/bonus-intents?older_than=1&activity_id=spring')).body.items).toEqual([]);
});

test("an intent is shown with the gate's decision and its granted bonus; once it is cancelled, no contact is held", async () => {
  const made = await credit(await newPlayer(), { bonus_code: 'FIVE' });
  const { intent_id } = made.body;
  const { rows } = await pool.query('select brand_id, player_id from bonus_intent where intent_id = $1', [intent_id]);
  const gate = new Gate({ clock: clock.now, brands: { byId: () => undefined } });
  const contact = { ...rows[0], channel: 'bonus', purpose: 'bonus', cause: { kind: 'intent', id: intent_id } };
  await transaction(pool, (tx) => gate.mayContact(tx, [{ ...contact, expires_at: null }]));
  await pool.query(
    `insert into bonus_intent_grant (user_bonus_id, intent_id, player_id, how, since)
     select 'b-1', intent_id, player_id, 'match', now() from bonus_intent where intent_id = $1`,
    [intent_id],
  );
  expect((await one(intent_id)).body).toMatchObject({
    decisions: [{ outcome: 'held', reason: 'unknown', cause: { kind: 'intent', id: intent_id } }],
    grants: [{ user_bonus_id: 'b-1', how: 'match' }],
  });
  const held = async () => (await pool.query('select from gate_hold where cause_id = $1', [intent_id])).rowCount;
  expect(await held()).toBe(1);
  expect(await act(intent_id, 'cancel')).toMatchObject({ body: { state: 'rejected' } });
  expect(await held()).toBe(0);
});

test('a repeated call creates no second intent; the same key for another call is refused', async () => {
  const user = await newPlayer();
  const keyed = (body: object) =>
    app.inject({
      method: 'POST',
      url: `/api/console/v1/brands/malta/players/${user}/bonus-credits`,
      headers: { authorization: 'Bearer the-admin-token-of-the-tests', 'idempotency-key': `order-${user}` },
      payload: body,
    });
  const answers = await Promise.all([1, 2, 3].map(() => keyed({ bonus_code: 'FIVE' })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.json().intent_id)).size).toBe(1);
  expect((await keyed({ bonus_code: 'SIX' })).statusCode).toBe(409);
  expect((await get(`/brands/malta/players/${user}/bonus-intents`)).body.items).toHaveLength(1);
  // The key finds the intent again, for a caller who got no answer.
  const found = async (key: string) =>
    (await get(`/brands/malta/players/${user}/bonus-intents?request_key=${key}`)).body.items.length;
  expect([await found(`order-${user}`), await found('never')]).toEqual([1, 0]);
});

test.each<[string, object, string]>([
  ['an amount without a currency', { bonus_code: 'A', amount: 5 }, 'currency'],
  ['a currency without an amount', { bonus_code: 'A', currency: 'EUR' }, 'amount'],
  ['nothing', { bonus_code: 'A', amount: '0.00', currency: 'EUR' }, 'amount'],
  ['a negative amount', { bonus_code: 'A', amount: -1, currency: 'EUR' }, 'amount'],
  ['an extra value that no field takes', { bonus_code: 'A', extra: { wagering: 3 } }, 'extra.wagering'],
  [
    'a reference that no header can carry',
    { bonus_code: 'A', references: { activity_id: 'a\nb' } },
    'references.activity_id',
  ],
  ['no bonus code', {}, 'bonus_code'],
])('the refusal of %s names the field', async (_what, body, path) => {
  const answer = await credit(await newPlayer(), body);
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

describe('actions of people on intents', () => {
  test('an offer is claimed once, and can be cancelled before', async () => {
    const user = await newPlayer();
    const offers = [
      await credit(user, { bonus_code: 'A', offer: true }),
      await credit(user, { bonus_code: 'B', offer: true }),
    ];
    const [first, second] = offers.map(({ body }) => body.intent_id as string);
    for (let n = 0; n < 2; n++)
      expect(await act(first ?? '', 'claim')).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(await act(second ?? '', 'cancel', { note: 'a mistake' })).toMatchObject({ body: { state: 'rejected' } });
    expect((await one(second ?? '')).body).toMatchObject({
      intent: { reason: 'cancelled' },
      changes: [{ event: 'cancelled', actor: 'admin token', note: 'a mistake' }],
    });
  });

  test('an intent that may have been credited cannot be cancelled, but is resolved by a person who has checked', async () => {
    const intentId = await inDoubt();
    expect(await act(intentId, 'cancel')).toMatchObject({ status: 409 });
    expect(await act(intentId, 'resolve', { outcome: 'credited' })).toMatchObject({ status: 400 });
    expect(await act(intentId, 'resolve', { outcome: 'not_applied', note: 'looked' })).toMatchObject({ status: 400 });
    const retry = { outcome: 'not_applied', next: 'retry', note: 'looked' };
    expect(await act(intentId, 'resolve', retry)).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(await act(intentId, 'resolve', retry)).toMatchObject({ status: 409 });
    const audit = await get('/brands/malta/audit');
    expect(audit.body.items[0]).toMatchObject({
      action: 'bonus.resolved',
      details: { verdict: 'try_again', from: 'unknown' },
    });
  });

  test('an intent with an open call cannot be cancelled', async () => {
    const made = await credit(await newPlayer(), { bonus_code: 'FIVE' });
    await happen(made.body.intent_id, begun);
    expect((await act(made.body.intent_id, 'cancel')).status).toBe(409);
  });

  test('intents in doubt are counted, and shown on the timeline', async () => {
    const intentId = await inDoubt();
    const { states } = (await get('/brands/malta/bonus-intents/waiting')).body;
    expect(states.map(({ state }: { state: string }) => state)).toEqual([
      'offered',
      'pending',
      'retry',
      'unknown',
      'needs_person',
    ]);
    expect(states[3]).toMatchObject({ count: 1 });
    const user = (await one(intentId)).body.intent.user_id;
    expect((await get(`/brands/malta/players/${user}/timeline?kind=bonus_intent`)).body.items).toMatchObject([
      { type: 'bonus_intent', intent_id: intentId, state: 'unknown', reason: 'timeout' },
    ]);
  });
});

test('an intent of an erased player is shown without the requests and answers of its calls', async () => {
  const made = await credit(await newPlayer(), { bonus_code: 'FIVE' });
  await happen(made.body.intent_id, begun);
  await pool.query(
    `insert into bonus_attempt (intent_id, attempt_no, player_id, claim, process, started_at, request, answer_status)
     select intent_id, 1, player_id, 1, 'p', now(), '{}', 200 from bonus_intent where intent_id = $1`,
    [made.body.intent_id],
  );
  for (const token of [undefined, await as('viewer')]) {
    const shown = await get(`/brands/malta/bonus-intents/${made.body.intent_id}`, token);
    expect(shown.status).toBe(200);
    expect(shown.body.attempts).toMatchObject([{ request: null, answer: { status: 200, body: '' } }]);
  }
});

test('a viewer sees intents, masked, and may not order bonuses; crm may', async () => {
  const user = await newPlayer();
  const made = await credit(user, { bonus_code: 'FIVE', note: 'asked twice', extra: { validity: 7 } });
  const viewer = await as('viewer');
  expect((await credit(user, { bonus_code: 'FIVE' }, viewer)).status).toBe(403);
  const seen = await get(`/brands/malta/bonus-intents/${made.body.intent_id}`, viewer);
  expect(seen.body.intent).toMatchObject({ note: '***', extra: { validity: '***' } });
  expect((await credit(user, { bonus_code: 'FIVE' }, await as('crm'))).status).toBe(200);
  expect((await one('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  expect(brand.code).toBe('malta');
});
