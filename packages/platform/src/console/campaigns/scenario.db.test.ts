import { afterAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { dropScratch } from '../../../testing/scenarios/scratch.ts';

const console = await setupConsole();
const { pool, clock } = console;
const path = '/brands/malta/campaigns/scenario';
afterAll(() => dropScratch(console.url));

const campaign = {
  code: 'again',
  name: 'Again',
  entry: { event: 'payment' },
  audience: { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '=', value: 2 }] },
  steps: [
    { id: 'pause', wait: { for: 'PT1H' } },
    { id: 'hello', send: { channel: 'site', template: 'hello' } },
  ],
};
const template = {
  code: 'hello',
  name: 'Hello',
  channel: 'site',
  purpose: 'marketing',
  content: { en: { event: 'message', title: 'Hello {{ player.first_name | default: "you" }}', message: 'Hello' } },
};
const event = (at: string, payment_id: string) => ({ at, kind: 'payment', body: { payment_id } });

test('a campaign is tried on an invented player: the timeline shows what would be sent and when; nothing is written', async () => {
  expect((await console.call('POST', '/brands/malta/templates', { body: template })).status).toBe(201);
  const { status, body } = await console.call('POST', path, {
    body: {
      campaign,
      player: { profile: { first_name: 'Ann' } },
      events: [event('2026-05-01T12:00:00Z', 'p1'), event('2026-05-02T12:00:00Z', 'p2')],
      until: '2026-05-03T00:00:00Z',
    },
  });
  expect(status).toBe(200);
  expect(body.timeline).toMatchObject([
    { at: '2026-05-02T12:00:00.000000Z', what: 'run', outcome: 'entered' },
    { step: 'pause', what: 'wait', outcome: 'waiting' },
    { at: '2026-05-02T13:00:00.000000Z', step: 'pause', outcome: 'went_on' },
    { at: '2026-05-02T13:00:00.000000Z', step: 'hello', what: 'send', outcome: 'sent', rendered: 'Hello Ann: Hello' },
    { what: 'run', outcome: 'done' },
  ]);
  const { rows: written } = await pool.query(
    'select (select count(*)::int from player) as players, (select count(*)::int from campaign) as campaigns, (select count(*)::int from notification) as messages',
  );
  expect(written).toEqual([{ players: 0, campaigns: 0, messages: 0 }]);
});

test('a copied player has the events of the ledger: after one earlier deposit the next one is the second', async () => {
  const body = paymentBody({ user_id: 'bob', payment_id: 'b1', timestamp: '2026-05-01T11:59:00Z' });
  await console.publish('payment', body);
  await console.derive();
  clock.advance(60_000_000);
  const answer = await console.call('POST', path, {
    body: { campaign, player: { copy_of: 'bob' }, events: [event('2026-05-02T12:00:00Z', 'b2')] },
  });
  expect(answer.body.timeline).toMatchObject([{ outcome: 'entered' }, { outcome: 'waiting' }]);
  expect((await console.call('POST', path, { body: { campaign, player: { copy_of: 'nobody' } } })).status).toBe(404);
});

test('an invalid campaign is refused with its errors', async () => {
  const wrong = { ...campaign, steps: [{ id: 'hello', send: { channel: 'site', template: 'nothing' } }] };
  const { status, body } = await console.call('POST', path, { body: { campaign: wrong } });
  expect(status).toBe(400);
  expect(body.detail).toContain('/steps/0/send/template');
});

test.each([
  ['an arm that is null', [{ id: 'a', split: [null] }]],
  ['steps that are not a list', { a: 1 }],
  ['an arm with a condition and without steps', [{ id: 'a', branch: [{ when: { combinator: 'and', rules: [] } }] }]],
])('%s is refused with its errors', async (_, steps) => {
  const { status, body } = await console.call('POST', path, { body: { campaign: { ...campaign, steps } } });
  expect([status, body.errors.length > 0]).toEqual([400, true]);
});

test('traits can have initial values, so the next deposit is the second; an unknown trait is refused with its path', async () => {
  const events = [event('2026-05-02T12:00:00Z', 'p1')];
  const started = await console.call('POST', path, {
    body: { campaign, player: { traits: { deposit_count: 1 } }, events },
  });
  expect(started.body.timeline).toMatchObject([{ outcome: 'entered' }, { outcome: 'waiting' }]);
  const wrong = await console.call('POST', path, { body: { campaign, player: { traits: { deposits: 1 } }, events } });
  expect([wrong.status, wrong.body.errors]).toEqual([
    400,
    [{ path: '/player/traits/deposits', rule: 'scenario', message: 'the trait deposits does not exist' }],
  ]);
});

test('a segment is tried: the timeline shows when, why and with which values the player entered and left', async () => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count_7d', operator: '>=', value: 1 }] };
  const events = [event('2026-05-02T12:00:00Z', 'p1')];
  const tried = (body: object) =>
    console.call('POST', path, { body: { events, until: '2026-05-12T00:00:00Z', ...body } });
  const { status, body } = await tried({ segment: { code: 'active', rule } });
  expect(status).toBe(200);
  const sentence = expect.stringContaining('deposits');
  expect(body.timeline).toMatchObject([
    { at: '2026-05-02T12:00:00.000000Z', what: 'segment', outcome: 'entered', reason: 'event payment', sentence },
    { what: 'segment', outcome: 'left', reason: 'time', sentence, trace: [{ value: 1, actual: '0', holds: false }] },
  ]);
  expect((await tried({ segment: 'nothing' })).status).toBe(409);
  expect((await tried({})).status).toBe(400);
  expect(
    (await tried({ segment: { code: 'wrong', rule: { combinator: 'and', rules: [{ field: 'trait.no' }] } } })).status,
  ).toBe(400);
});
