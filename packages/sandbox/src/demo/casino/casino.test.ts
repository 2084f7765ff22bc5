import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../../test/ask.ts';
import { createDemo, type Demo } from '../demo.ts';

interface Event {
  path: string;
  body: Record<string, unknown>;
}

/** A server in place of the platform that records the events it receives. */
let platform: Server;
let events: Event[];
/** The answers to the next events. All later ones are accepted. */
let answers: { status: number; body: object }[];
let demo: Demo;
let url: string;

beforeEach(async () => {
  events = [];
  answers = [];
  platform = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece);
    events.push({ path: `${req.method} ${req.url}`, body: JSON.parse(Buffer.concat(pieces).toString()) });
    const { status, body } = answers.shift() ?? { status: 200, body: { status: 'ok' } };
    res.writeHead(status).end(JSON.stringify(body));
  });
  platform.listen(0, '127.0.0.1');
  await new Promise((resolve) => platform.once('listening', resolve));
  const platformUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  demo = createDemo({ auth: { type: 'none' }, platformUrl, key: 'k', rate: 0, players: 1, seed: '1' });
  url = await demo.start();
});
afterEach(async () => {
  await demo.stop();
  platform.close();
});

/** Simulates a browser: it stores the cookie of the casino, and sends it with each call. */
function visitor() {
  let cookie = '';
  return async (path: string, body?: object) => {
    const reply = await ask(`${url}/api/${path}`, { ...(body ? { body } : {}), headers: { cookie } });
    const given = reply.headers['set-cookie'];
    if (given !== undefined) cookie = String(given).split(';', 1)[0] ?? '';
    return reply as typeof reply & { body: Record<string, unknown> };
  };
}

const published = async (count: number) => {
  await expect.poll(() => events.length, { interval: 5 }).toBe(count);
  return events.sort((a, b) => String(a.body.timestamp).localeCompare(String(b.body.timestamp)));
};

test('a visitor who signs up is registered, logged in, and known to the operator by the sid', async () => {
  const call = visitor();
  expect((await call('me')).body).toEqual({ signed_in: false });
  const { body, headers } = await call('sign-up', { first_name: ' Ada ', last_name: 'Vella', offers: false });
  expect(body).toMatchObject({ signed_in: true, first_name: 'Ada', wallet: { currency: 'EUR', real: 50, bonus: 0 } });
  expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict$/);
  const [registration, login] = await published(2);
  expect([registration?.path, login?.path]).toEqual(['POST /v2/integration/user', 'POST /v2/integration/login']);
  expect(registration?.body).toMatchObject({ user_id: body.user_id, origin: 'www.demo-casino.test' });

  const authenticate = () => ask(`${url}/operator/authenticate`, { body: { sid: body.sid } });
  expect((await authenticate()).body).toEqual({ user_id: body.user_id });
  expect(demo.operator.books.player(String(body.user_id))?.consents.every((one) => !one.opted_in)).toBe(true);
  await call('sign-out', {});
  expect((await authenticate()).status).toBe(401);
  expect((await published(3))[2]?.path).toBe('POST /v2/integration/logout');
  expect((await call('me')).body).toEqual({ signed_in: false });
});

test('a deposit is requested, then approved or declined', async () => {
  const call = visitor();
  await call('sign-in', { user_id: 'maria' });
  expect((await call('deposits', { amount: 50 })).body).toMatchObject({ status: 'Approved', wallet: { real: 290 } });
  expect((await call('deposits', { amount: 20, declined: true })).body).toMatchObject({
    status: 'Rejected',
    wallet: { real: 290 },
  });
  for (const amount of [0, 4, 1001, 7.5, '50', null]) expect((await call('deposits', { amount })).status).toBe(400);
  const payments = (await published(5))
    .slice(1)
    .map(({ body }) => [body.type, body.status, body.amount, body.deposit_count]);
  expect(payments).toEqual([
    ['Credit', 'Requested', 50, 0],
    ['Credit', 'Approved', 50, 1],
    ['Credit', 'Requested', 20, 1],
    ['Credit', 'Rejected', 20, 1],
  ]);
});

test('a spin changes the wallet and is published as bet, outcome and round', async () => {
  const call = visitor();
  await call('sign-in', { user_id: 'maria' });
  const { body } = await call('spins', { game_id: 'lucky-lanterns', stake: 100 });
  const won = Number(body.won) / 100;
  expect(body).toMatchObject({ rows: [{ length: 3 }, { length: 3 }, { length: 3 }], wallet: { real: 239 + won } });
  const [, bet, end, round] = await published(4);
  expect(bet?.body).toMatchObject({
    type: 'Bet',
    amount: 1,
    wager_amount: 1,
    is_round_end: false,
    balance_before: 240,
  });
  expect(end?.body).toMatchObject({
    type: won > 0 ? 'Win' : 'Loss',
    amount: won,
    round_id: bet?.body.round_id,
    is_round_end: true,
  });
  expect(round?.body).toMatchObject({ real_bet_user: 1, real_win_user: won, game_name: 'Lucky Lanterns' });
  expect((await call('events')).body).toMatchObject({
    events: [{ kind: 'gameround', state: 'acknowledged' }, {}, {}, {}],
  });
  expect((await call('spins', { game_id: 'lucky-lanterns', stake: 7 })).status).toBe(400);
  demo.operator.books.moveMoney('maria', { real: -(239 + won) * 100 });
  expect((await call('spins', { game_id: 'lucky-lanterns', stake: 500 })).status).toBe(400);
});

test('the events of a player contain what the platform answered: the status, and each invalid field', async () => {
  const errors = [{ path: 'user_agent', rule: 'text', message: 'user_agent must be a text' }];
  answers = [
    { status: 400, body: { status: 400, code: 'invalid_event', detail: 'Correct the event.', errors } },
    { status: 200, body: { status: 'quarantined' } },
  ];
  const call = visitor();
  await call('sign-in', { user_id: 'maria' });
  await published(2);
  const listed = async () => ((await call('events')).body.events as object[])[0];
  await expect.poll(listed, { interval: 5 }).toMatchObject({
    kind: 'login',
    state: 'acknowledged',
    answers: 2,
    answer: { status: 200, result: 'quarantined', errors: [] },
    refusal: {
      status: 400,
      result: 'invalid_event',
      detail: 'Correct the event.',
      errors: [{ path: 'user_agent', message: 'user_agent must be a text' }],
    },
  });
});

test('the live view shows what visitors do: messages, rounds, and who was active last', async () => {
  for (let number = 0; number < 600; number++) demo.operator.books.addPlayer(`other-${number}`);
  const ada = visitor();
  const { user_id } = (await ada('sign-up', { first_name: 'Ada', last_name: 'Vella', offers: false })).body;
  const { won } = (await ada('spins', { game_id: 'lucky-lanterns', stake: 100 })).body;
  const maria = visitor();
  await maria('sign-in', { user_id: 'maria' });
  const live = (await ask(`${url}/live.json`)).body as Record<string, unknown[]>;
  expect(live).toMatchObject({
    recent: [{ kind: 'login', user_id: 'maria' }, { kind: 'gameround', user_id }, ...[{}, {}, {}, {}]],
    players: expect.objectContaining({ 0: expect.objectContaining({ user_id: 'maria' }), length: 500 }),
    players_total: 605,
    rounds: [
      {
        user_id,
        game: 'Lucky Lanterns',
        currency: 'EUR',
        stake: 1,
        win: Number(won) / 100,
        state: Number(won) > 0 ? 'won' : 'lost',
      },
    ],
  });
  expect(live.players?.[1]).toMatchObject({ user_id });
});

test('an excluded player can neither play nor deposit, and the platform receives both changes', async () => {
  const call = visitor();
  await call('sign-in', { user_id: 'jonas' });
  expect((await call('exclusion', { active: true })).body).toMatchObject({ is_excluded: true });
  expect((await call('deposits', { amount: 50 })).status).toBe(403);
  expect((await call('spins', { game_id: 'lucky-lanterns', stake: 100 })).status).toBe(403);
  expect((await call('exclusion', { active: false })).body).toMatchObject({ is_excluded: false });
  expect((await call('deposits', { amount: 50 })).status).toBe(200);
  const paths = (await published(5)).map(({ path }) => path);
  expect(paths.filter((path) => path === 'PUT /v2/integration/user/blocks')).toHaveLength(2);
});

test('changes by the platform are published back: consents, and bonuses with its references', async () => {
  const { books } = demo.operator;
  const headers = { 'X-Crm-Id': 'intent-7', 'X-Crm-Activityid': 'a-1', 'Idempotency-Key': 'k' };
  const consents = [{ type: 'Email', opted_in: false }];
  await ask(`${url}/operator/userconsents/aisha`, { body: { consents } });
  await ask(`${url}/operator/bonus/credit`, { body: { user_id: 'aisha', bonus_code: 'FREESPINS20' }, headers });
  await ask(`${url}/operator/bonus/credit`, { body: { user_id: 'somebody', bonus_code: 'FREESPINS20' }, headers });
  const [update, bonus] = await published(2);
  expect(update?.path).toBe('PUT /v2/integration/user/consents');
  expect(bonus?.body).toMatchObject({
    user_id: 'aisha',
    bonus_code: 'FREESPINS20',
    status: 'Created',
    crm_references: { id: 'intent-7', activity_id: 'a-1' },
  });
  expect(books.player('aisha')?.wallet.bonus).toBe(1_000);
});

test('all other ways to sign in are refused', async () => {
  const call = visitor();
  for (const user_id of ['sim-7', 'nobody', '', 7]) expect((await call('sign-in', { user_id })).status).toBe(400);
  for (const path of ['events', 'casino/x']) expect((await call(path)).status).toBe(path === 'events' ? 401 : 404);
  expect((await call('spins', { game_id: 'lucky-lanterns', stake: 100 })).status).toBe(401);
  expect((await call('sign-up', { first_name: '', last_name: 'x' })).status).toBe(400);
  const form = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } } as const;
  expect((await ask(`${url}/api/sign-out`, form)).status).toBe(400);
});
