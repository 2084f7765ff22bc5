import { beforeEach, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { BulkRunner } from '../../bulk/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock, gate, links, signals } = console;
const rules = new PlatformRules({ pool });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog });
const createRunner = () => new BulkRunner({ pool, brands, gate, links, signals, clock: clock.now, log: testLog });
const runner = createRunner();
const second = 1_000_000;
const segments = '/brands/malta/segments';
const actions = '/brands/malta/bulk-actions';
let made = 0;

/** Fully known players who permit messages on the site. */
async function readers(...userIds: string[]): Promise<number[]> {
  const players = [];
  for (const userId of userIds) players.push(await insertPlayer(pool, brand.brand_id, userId));
  const at = timestamptzText(clock.now());
  await makeKnown(pool, brand.brand_id, players, at);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2 from unnest($1::bigint[]) id`,
    [players, at],
  );
  return players;
}

/** A list of players as a live segment. */
async function segmentOf(...user_ids: string[]): Promise<string> {
  const code = `list-${++made}`;
  await console.call('POST', segments, { body: { code, name: code, user_ids } });
  await console.call('POST', `${segments}/${code}/publish`);
  await computer.runOnce();
  return `${segments}/${code}`;
}

const hello = { channel: 'site', content: { event: 'inbox', title: 'Hello', message: 'All of you' } };
const names = (count: number) => Array.from({ length: count }, () => `p${++made}`);

async function work(): Promise<number> {
  let handled = 0;
  for (;;) {
    const round = await runner.runOnce();
    handled += round.handled;
    if (round.gathered + round.handled === 0) return handled;
  }
}

async function order(segment: string, body: object, kind = 'messages'): Promise<{ action_id: number; path: string }> {
  const answer = await console.call('POST', `${segment}/${kind}`, { body });
  expect(answer).toMatchObject({ status: 201, body: { state: 'gathering', progress: 0 } });
  return { action_id: answer.body.action_id, path: `${actions}/${answer.body.action_id}` };
}

async function messagesOf(userIds: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ user_id: string; n: number }>(
    `select p.user_id, count(*)::int as n from notification m join player p using (player_id)
      where p.user_id = any($1) and m.state <> 'withheld' group by 1`,
    [userIds],
  );
  return Object.fromEntries(rows.map(({ user_id, n }) => [user_id, n]));
}

beforeEach(() => clock.advance(60 * second));

test('a message reaches every member through the gate; the outcomes are counted, and each count lists its players', async () => {
  const ids = names(4);
  const [, excluded = 0, optedOut = 0] = await readers(...ids);
  const segment = await segmentOf(...ids);
  await pool.query('update player_profile set is_excluded = true where player_id = $1', [excluded]);
  await pool.query(`update player_consent set opted_in = false where player_id = $1`, [optedOut]);
  const { action_id, path } = await order(segment, hello);
  expect(await work()).toBe(4);
  const { body } = await console.get(path);
  expect(body).toMatchObject({
    kind: 'message',
    state: 'done',
    players: 4,
    progress: 1,
    counts: { sent: 2, withheld: 2 },
    withheld: { excluded: 1, no_consent: 1 },
    campaign_id: `bulk-${action_id}`,
    does: { channel: 'site', purpose: 'marketing' },
    waits_for: null,
  });
  const withheld = await console.get(`${path}/players?state=withheld&reason=excluded`);
  expect(withheld.body).toMatchObject({
    items: [{ user_id: ids[1], state: 'withheld', reason: 'excluded', decision_id: expect.any(Number) }],
    next: null,
  });
  expect(await messagesOf(ids)).toEqual({ [ids[0] as string]: 1, [ids[3] as string]: 1 });
  const first = await console.get(`${path}/players?limit=3`);
  const rest = await console.get(`${path}/players?limit=3&cursor=${first.body.next}`);
  expect([first.body.items.length, rest.body.items.length, rest.body.next]).toEqual([3, 1, null]);
  const listed = await console.get(`${actions}?segment=${segment.split('/').at(-1)}`);
  expect(listed.body.items.map((one: { action_id: number }) => one.action_id)).toEqual([action_id]);
  expect((await console.get('/brands/malta/audit?limit=1')).body.items).toMatchObject([
    { action: 'bulk.ordered', subject: `bulk action ${action_id}`, details: { kind: 'message' } },
  ]);
});

test('the pace is a number of players per second, and depends only on the clock', async () => {
  const ids = names(25);
  await readers(...ids);
  const { path } = await order(await segmentOf(...ids), { ...hello, per_second: 10 });
  const handled = [];
  for (let at = 0; at < 4; at++) {
    handled.push(await work());
    clock.advance(second);
  }
  expect(handled).toEqual([10, 10, 5, 0]);
  expect((await console.get(path)).body).toMatchObject({ state: 'done', counts: { sent: 25 } });
});

test('after a cancellation is answered, no player gets anything; the counts show the players who were not reached', async () => {
  const ids = names(9);
  await readers(...ids);
  const { path } = await order(await segmentOf(...ids), { ...hello, per_second: 3 });
  await work();
  expect((await console.call('POST', `${path}/cancel`)).body).toMatchObject({
    state: 'cancelled',
    counts: { sent: 3, listed: 6 },
    cancelled_by: expect.any(String),
  });
  clock.advance(10 * second);
  expect(await work()).toBe(0);
  expect(Object.keys(await messagesOf(ids))).toHaveLength(3);
  expect((await console.call('POST', `${path}/cancel`)).status).toBe(200);
  const audited = (await console.get('/brands/malta/audit?limit=200')).body.items;
  expect(audited.filter((one: { action: string }) => one.action === 'bulk.cancelled')).toHaveLength(1);
});

test('an action that is done cannot be cancelled', async () => {
  const ids = names(1);
  await readers(...ids);
  const { path } = await order(await segmentOf(...ids), hello);
  await work();
  expect((await console.call('POST', `${path}/cancel`)).status).toBe(409);
});

test('a portion whose connection is cut is repeated, and no player gets anything twice', async () => {
  const ids = names(12);
  await readers(...ids);
  const { path } = await order(await segmentOf(...ids), { ...hello, per_second: 5 });
  await runner.runOnce();
  let asked = 0;
  const cutting = new BulkRunner({
    pool,
    brands,
    links,
    signals,
    clock: clock.now,
    log: testLog,
    gate: {
      async mayContact(tx, requests) {
        const decided = await gate.mayContact(tx, requests);
        asked += requests.length;
        // The server ends this connection, so everything that the portion has written is rolled back.
        await pool.query('select pg_terminate_backend($1)', [(tx as unknown as { processID: number }).processID]);
        return decided;
      },
    },
  });
  await cutting.runOnce().catch(() => {});
  expect(asked).toBe(5);
  expect(await messagesOf(ids)).toEqual({});
  expect((await console.get(path)).body.counts).toEqual({ listed: 12 });
  for (let at = 0; at < 10; at++) {
    await work();
    clock.advance(second);
  }
  expect((await console.get(path)).body).toMatchObject({ state: 'done', counts: { sent: 12 } });
  expect(await messagesOf(ids)).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
});

test('two workers share the work and keep one pace, and no player gets anything twice', async () => {
  const ids = names(30);
  await readers(...ids);
  const { path } = await order(await segmentOf(...ids), { ...hello, per_second: 10 });
  const other = createRunner();
  let handled = 0;
  for (let at = 0; at < 4; at++) {
    for (let round = 0; round < 3; round++) {
      const both = await Promise.all([runner.runOnce(), other.runOnce()]);
      handled += both.reduce((all, one) => all + one.handled, 0);
    }
    expect(handled).toBeLessThanOrEqual((at + 1) * 10);
    clock.advance(second);
  }
  expect((await console.get(path)).body).toMatchObject({ state: 'done', counts: { sent: 30 } });
  expect(await messagesOf(ids)).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
});

test('an offer waits while too little is known about a player, and is withheld if no answer arrives for a day', async () => {
  const ids = names(3);
  await readers(...ids.slice(0, 2));
  const [, blocked = 0] = await playersOf(ids);
  await insertPlayer(pool, brand.brand_id, ids[2] as string);
  await pool.query('update player_profile set is_blocked = true where player_id = $1', [blocked]);
  const segment = await segmentOf(...ids);
  const body = { bonus_code: 'GIFT', expires_at: timestamptzText(clock.now() + 7 * 86_400 * second) };
  const { path } = await order(segment, body, 'offers');
  await work();
  expect((await console.get(path)).body).toMatchObject({
    kind: 'offer',
    state: 'running',
    counts: { sent: 1, waiting: 1 },
  });
  const { body: sent } = await console.get(`${path}/players?state=sent`);
  expect(sent.items).toMatchObject([{ user_id: ids[0], intent_id: expect.any(String) }]);
  const intents = await console.get(`/brands/malta/players/${ids[0]}/bonus-intents`);
  expect(intents.body.items).toMatchObject([{ state: 'offered', bonus_code: 'GIFT' }]);
  clock.advance(86_401 * second);
  await work();
  expect((await console.get(path)).body).toMatchObject({
    state: 'done',
    progress: 1,
    withheld: { expired_while_unknown: 1 },
  });
});

test('a player who has left the segment since the order is skipped', async () => {
  const ids = names(2);
  const [left] = await readers(...ids);
  const { path } = await order(await segmentOf(...ids), hello);
  await runner.runOnce();
  await pool.query('delete from segment_member where player_id = $1', [left]);
  await work();
  expect((await console.get(path)).body).toMatchObject({ state: 'done', counts: { sent: 1, skipped: 1 } });
});

test('a text without a required value fails for its player and no other', async () => {
  const ids = names(2);
  const [named] = await readers(...ids);
  await pool.query(`update player_profile set first_name = 'Ann' where player_id = $1`, [named]);
  const { path } = await order(await segmentOf(...ids), {
    channel: 'sms',
    purpose: 'service',
    content: { text: '{{ player.first_name }}' },
  });
  await work();
  const { body } = await console.get(path);
  expect(body.state).toBe('done');
  expect(body.counts.failed).toBe(1);
  const { items } = (await console.get(`${path}/players?state=failed`)).body;
  expect(items).toMatchObject([{ user_id: ids[1], reason: expect.stringMatching(/\S/) }]);
});

test('a failure whose text is shortened within a character is stored, and the other players of the portion get the message', async () => {
  const ids = names(3);
  const players = await readers(...ids);
  // The text of the failure contains the name. For one of the two, the limit of the text is in the middle of a character.
  for (const [place, first_name] of ['😀'.repeat(300), `a${'😀'.repeat(300)}`].entries())
    await pool.query('update player_profile set first_name = $2 where player_id = $1', [players[place], first_name]);
  const title = '{% if player.first_name %}{% include player.first_name %}{% endif %}Hello';
  const { path } = await order(await segmentOf(...ids), { ...hello, content: { title, message: 'x' } });
  await work();
  expect((await console.get(path)).body).toMatchObject({
    state: 'done',
    counts: { failed: 2, sent: 1 },
    waits_for: null,
  });
  const { items } = (await console.get(`${path}/players?state=failed`)).body;
  for (const { reason } of items) expect(reason).toContain('😀');
  expect(await messagesOf(ids)).toEqual({ [ids[2] ?? '']: 1 });
});

test('a message that can no longer be rendered fails, with the reason, for each player', async () => {
  const ids = names(4);
  await readers(...ids);
  const expires_at = timestamptzText(clock.now() + 30 * second);
  const { path } = await order(await segmentOf(...ids), { ...hello, per_second: 2, expires_at });
  await work();
  clock.advance(60 * second);
  await work();
  expect((await console.get(path)).body).toMatchObject({ state: 'done', counts: { sent: 2, failed: 2 } });
  const { items } = (await console.get(`${path}/players?state=failed`)).body;
  expect(items).toMatchObject([{ reason: expect.stringContaining('expires') }, {}]);
});

test('a segment without members, or one that is a draft, computing, or paused is refused with the reason', async () => {
  const refused = async (segment: string) => {
    const { status, body } = await console.call('POST', `${segment}/messages`, { body: hello });
    return [status, body.detail];
  };
  expect(await refused(await segmentOf())).toEqual([409, expect.stringContaining('no members')]);
  const ids = names(1);
  await readers(...ids);
  await console.call('POST', segments, { body: { code: 'early', name: 'Early', user_ids: ids } });
  expect(await refused(`${segments}/early`)).toEqual([409, expect.stringContaining('never published')]);
  await console.call('POST', `${segments}/early/publish`);
  expect(await refused(`${segments}/early`)).toEqual([409, expect.stringContaining('being computed')]);
  await computer.runOnce();
  await console.call('POST', `${segments}/early/pause`);
  expect(await refused(`${segments}/early`)).toEqual([409, expect.stringContaining('paused')]);
  expect(await refused(`${segments}/nowhere`)).toEqual([404, expect.stringContaining('nowhere')]);
});

test('an action waits while its segment is paused, and shows that; the segment cannot be deleted meanwhile', async () => {
  const ids = names(1);
  await readers(...ids);
  const segment = await segmentOf(...ids);
  const { path } = await order(segment, hello);
  await console.call('POST', `${segment}/pause`);
  await work();
  expect((await console.get(path)).body).toMatchObject({ state: 'gathering', waits_for: 'segment' });
  expect((await console.call('DELETE', segment)).status).toBe(409);
  await console.call('POST', `${segment}/resume`);
  clock.advance(10 * second);
  await work();
  expect((await console.get(path)).body).toMatchObject({ state: 'done', waits_for: null, counts: { sent: 1 } });
  expect((await console.call('DELETE', segment)).status).toBe(204);
});

test('a repeated Idempotency-Key creates no second action; with another body it is refused', async () => {
  const ids = names(1);
  await readers(...ids);
  const segment = await segmentOf(...ids);
  const keyed = async (payload: object) => {
    const url = `/api/console/v1${segment}/messages`;
    const headers = { authorization: 'Bearer the-admin-token-of-the-tests', 'idempotency-key': 'once' };
    const answer = await console.app.inject({ method: 'POST', url, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const [first, again] = [await keyed(hello), await keyed(hello)];
  expect([first.status, again.body.action_id]).toEqual([201, first.body.action_id]);
  expect((await keyed({ ...hello, per_second: 7 })).status).toBe(409);
  // The key finds the action again, for a caller who got no answer.
  const found = async (key: string) => (await console.get(`${actions}?request_key=${key}`)).body.items;
  expect(await found('once')).toMatchObject([{ action_id: first.body.action_id }]);
  expect(await found('never')).toEqual([]);
});

test('a wrong order is refused before any player gets anything', async () => {
  const ids = names(1);
  await readers(...ids);
  const segment = await segmentOf(...ids);
  const refused = async (body: object, kind = 'messages') => {
    const answer = await console.call('POST', `${segment}/${kind}`, { body });
    expect(answer.status).toBe(400);
    return answer.body.errors?.map(({ path }: { path: string }) => path);
  };
  expect(await refused({ channel: 'site' })).toEqual(['template']);
  expect(await refused({ ...hello, template: 'x' })).toEqual(['template']);
  expect(await refused({ channel: 'site', template: 'nowhere' })).toEqual(['template']);
  expect(await refused({ channel: 'site', content: { titel: 'Hello' } })).toEqual(['content.en.titel']);
  expect(await refused({ ...hello, per_second: 0 })).toEqual(['per_second']);
  expect(await refused({ ...hello, expires_at: '2020-01-01T00:00:00Z' })).toEqual(['expires_at']);
  expect(await refused({ bonus_code: 'X', amount: 5 }, 'offers')).toEqual(['currency']);
  expect(await refused({ bonus_code: ' ' }, 'offers')).toEqual(['bonus_code']);
  expect((await console.call('POST', `${segment}/messages`, { body: { channel: 'email', content: {} } })).status).toBe(
    400,
  );
});

test('a role that may not send can neither order nor cancel; another brand sees nothing', async () => {
  const ids = names(1);
  await readers(...ids);
  const segment = await segmentOf(...ids);
  const { path } = await order(segment, hello);
  const viewer = await console.as('viewer');
  expect((await console.get(path, viewer)).status).toBe(200);
  expect((await console.call('POST', `${path}/cancel`, { token: viewer })).status).toBe(403);
  expect((await console.call('POST', `${segment}/messages`, { body: hello, token: viewer })).status).toBe(403);
  expect((await console.call('POST', `${segment}/offers`, { body: { bonus_code: 'X' }, token: viewer })).status).toBe(
    403,
  );
  expect((await console.get(`${actions}/999999`)).status).toBe(404);
  expect((await console.call('POST', `${actions}/999999/cancel`)).status).toBe(404);
});

test('an erased player is removed from the action, and its count shows that', async () => {
  const ids = names(2);
  const [gone] = await readers(...ids);
  const { path } = await order(await segmentOf(...ids), hello);
  await runner.runOnce();
  await transaction(pool, (tx) => tx.query('delete from bulk_player where player_id = $1', [gone]));
  await work();
  expect((await console.get(path)).body).toMatchObject({ state: 'done', progress: 1, counts: { sent: 1, skipped: 1 } });
});

async function playersOf(userIds: readonly string[]): Promise<number[]> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where user_id = any($1) order by player_id',
    [userIds],
  );
  return rows.map(({ player_id }) => player_id);
}
