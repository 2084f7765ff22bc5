import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { type BareSocket, type LiveSetup, openBare, setupLive } from '../../../testing/site/live/setup-live.ts';
import { pageOrigin } from '../../../testing/site/setup-site.ts';
import { maxFrames, maxRefusals, maxRefusedPerAddress, sessionMs } from './limits.ts';

/** Tests the answers of the socket, frame by frame. pusher-js.db.test.ts tests the public client. */
const database = await setupDatabase();

const path = (live: LiveSetup, query = '?protocol=7&client=js&version=8.6.0') => `/app/${live.site.brand.code}${query}`;

async function authOf(live: LiveSetup, userId: string, socketId: string, channel: string): Promise<string> {
  const { body } = await live.first.post('/external/pusher', `sid-of-${userId}`, {
    socket_id: socketId,
    channel_name: channel,
  });
  return body.auth;
}

async function subscribe(live: LiveSetup, userId: string, playerId: number): Promise<BareSocket> {
  const socket = openBare(live.first.port, path(live));
  const channel = live.channel(playerId);
  const auth = await authOf(live, userId, await socket.id(), channel);
  socket.say('pusher:subscribe', { channel, auth });
  expect(await socket.next()).toEqual({ event: 'pusher_internal:subscription_succeeded', channel, data: {} });
  return socket;
}

test('a handshake that cannot be served gets the reason, with the code of the protocol', async () => {
  const live = await setupLive(database);
  const { code } = live.site.brand;
  const cases: [string, number, string?][] = [
    ['/app/nobody?protocol=7', 4001],
    [`/app/${code}/more?protocol=7`, 4005],
    ['/app/?protocol=7', 4005],
    [`/app/${code}?protocol=seven`, 4006],
    [`/app/${code}?protocol=5`, 4007],
    [`/app/${code}`, 4008],
    [`/app/${code}?protocol=7`, 4003, 'https://elsewhere.example'],
  ];
  for (const [address, expected, origin] of cases) {
    const socket = openBare(live.first.port, address, origin === undefined ? {} : { origin });
    expect(await socket.next()).toMatchObject({ event: 'pusher:error', data: { code: expected } });
    expect(await socket.closed).toMatchObject({ code: expected });
  }
  // A listed page, our own page, and a client that is not a page.
  for (const origin of [pageOrigin, 'https://crm.example', undefined]) {
    const socket = openBare(live.first.port, path(live), origin === undefined ? {} : { origin });
    expect(await socket.next()).toEqual({
      event: 'pusher:connection_established',
      data: { socket_id: expect.stringMatching(/^\d+\.\d+$/), activity_timeout: 120 },
    });
  }
  expect(await live.first.registry.getSingleMetricAsString('croupier_site_sockets_closed_total')).toContain(
    'reason="unknown_key"} 1',
  );
});

test('other upgrades stay ordinary calls, and sockets are accepted only below /app/', async () => {
  const live = await setupLive(database);
  const url = `http://127.0.0.1:${live.first.port}`;
  const { status } = await plainCall(`${url}/site/${live.site.brand.code}/Notifications/v2/user-notifications`, 'h2c');
  expect(status).toBe(401);
  expect((await plainCall(`${url}/elsewhere`, 'websocket')).status).toBe(404);
});

async function plainCall(url: string, upgrade: string): Promise<{ status: number }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers: { connection: 'upgrade', upgrade } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    })
      .on('error', reject)
      .end();
  });
}

describe('a conversation', () => {
  test('answers pings, and reports malformed frames and events of clients', async () => {
    const live = await setupLive(database);
    const socket = openBare(live.first.port, path(live));
    await socket.id();
    socket.say('pusher:ping');
    expect(await socket.next()).toEqual({ event: 'pusher:pong', data: {} });
    socket.ws.send('{"event":');
    expect(await socket.next()).toMatchObject({ event: 'pusher:error', data: { code: null } });
    socket.ws.send(Buffer.from([1, 2, 3]));
    expect(await socket.next()).toMatchObject({ event: 'pusher:error' });
    socket.say('client-typing', {});
    expect((await socket.next()).data.message).toContain('Client events are not supported');
    socket.say('pusher:signin', {});
    expect((await socket.next()).data.message).toContain('Unknown event');
    socket.ws.send('x'.repeat(5_000));
    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  test('a client that floods, or is refused repeatedly, is closed', async () => {
    const live = await setupLive(database);
    const flood = openBare(live.first.port, path(live));
    await flood.id();
    for (let i = 0; i <= maxFrames; i++) flood.say('pusher:pong');
    expect(await flood.closed).toMatchObject({ code: 4009 });
    const guess = openBare(live.first.port, path(live));
    await guess.id();
    for (let i = 0; i <= maxRefusals; i++) guess.say('pusher:subscribe', { channel: live.channel(1), auth: 'no' });
    expect(await guess.closed).toMatchObject({ code: 4009 });
    expect(guess.frames.filter(({ event }) => event === 'pusher:subscription_error')).toHaveLength(maxRefusals + 1);
  });

  test('a player has one channel, their own, with a proof for this socket only', async () => {
    const live = await setupLive(database);
    const [anna, ben] = [await live.player('anna'), await live.player('ben')];
    const socket = openBare(live.first.port, path(live));
    const id = await socket.id();
    const own = live.channel(anna);
    const auth = await authOf(live, 'anna', id, own);
    const refusal = async (channel: string, proof: string) => {
      socket.say('pusher:subscribe', { channel, auth: proof });
      const frame = await socket.next();
      expect(frame).toMatchObject({ event: 'pusher:subscription_error', channel });
      return frame.data.status;
    };
    expect(await refusal(live.channel(ben), auth)).toBe(401);
    expect(await refusal('presence-lobby', auth)).toBe(403);
    expect(await refusal(`private-crm-${live.site.brand.brand_id + 1}-${anna}`, auth)).toBe(403);
    expect(await refusal(own, auth.replace(live.site.brand.code, 'other'))).toBe(401);
    expect(await refusal(own, await authOf(live, 'anna', '1.1', own))).toBe(401);
    expect(await refusal(own, auth.slice(0, -1))).toBe(401);

    socket.say('pusher:subscribe', JSON.stringify({ channel: own, auth }));
    expect(await socket.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded', channel: own });
    expect(await refusal(live.channel(ben), await authOf(live, 'ben', id, live.channel(ben)))).toBe(429);
    const message = await live.arrive(anna, 'For Anna');
    await live.arrive(ben, 'For Ben');
    expect(await socket.next()).toMatchObject({
      event: 'inbox',
      channel: own,
      data: { MessageId: message, UserId: anna, Title: 'For Anna', DisplayType: 'push', IsRead: false },
    });
    await live.tell([{ player_id: anna, kind: 'read', message_id: message }]);
    expect(await socket.next()).toEqual({ event: 'read', channel: own, data: { MessageId: message, Unread: 1 } });

    // The next player on the same page.
    socket.say('pusher:unsubscribe', { channel: own });
    socket.say('pusher:subscribe', {
      channel: live.channel(ben),
      auth: await authOf(live, 'ben', id, live.channel(ben)),
    });
    expect(await socket.next()).toMatchObject({ channel: live.channel(ben) });
    await live.arrive(anna, 'Not here any more');
    await live.arrive(ben, 'For Ben again');
    // A client that subscribes right after a message arrived may also get it; another player's message never arrives.
    const told = [(await socket.next()).data.Title];
    if (told[0] === 'For Ben') told.push((await socket.next()).data.Title);
    expect(told.at(-1)).toBe('For Ben again');
  });

  test('the end of a session is announced and closes the socket, even if it overtakes the subscription', async () => {
    const live = await setupLive(database);
    const other = await live.another();
    const anna = await live.player('anna');
    const here = await subscribe(live, 'anna', anna);
    const late = openBare(other.port, path(live));
    const auth = await authOf(live, 'anna', await late.id(), live.channel(anna));
    await live.tell([{ player_id: anna, kind: 'session_ended', message_id: null }]);
    expect(await here.next()).toEqual({ event: 'session_ended', channel: live.channel(anna), data: {} });
    expect(await here.closed).toEqual({ code: 4009, reason: 'The session of the player has ended.' });
    late.say('pusher:subscribe', { channel: live.channel(anna), auth });
    // If the signal arrives after the subscription, the signal closes the socket. Otherwise the query finds the end.
    expect([4009, 4200]).toContain((await late.closed).code);
    expect(late.frames.map(({ event }) => event)).not.toContain('pusher_internal:subscription_succeeded');
    // A player who signs in again is accepted again.
    await subscribe(live, 'anna', anna);
  });

  test('pages whose messages waited reconnect and reload the list; no other page does', async () => {
    const live = await setupLive(database);
    const [anna, ben] = [await live.player('anna'), await live.player('ben')];
    const [here, other] = [await subscribe(live, 'anna', anna), await subscribe(live, 'ben', ben)];
    await live.tell([{ player_id: anna, kind: 'list_again', message_id: null }]);
    expect(await here.closed).toMatchObject({ code: 4200, reason: expect.stringContaining('list again') });
    await live.arrive(ben, 'Still here');
    expect((await other.next()).data.Title).toBe('Still here');
  });

  test('idle sockets are pinged and then closed, and so are those without a channel', async () => {
    let now = 0;
    const live = await setupLive(database, { now: () => now });
    const { sockets } = live.first.live;
    const anna = await live.player('anna');
    const [alive, dead] = [await subscribe(live, 'anna', anna), await subscribe(live, 'anna', anna)];
    const idle = openBare(live.first.port, path(live));
    await idle.id();
    now += 60_001;
    expect(sockets.sweep()).toEqual({ closed: 1 });
    expect(await idle.closed).toMatchObject({ code: 4202 });
    now += 60_000;
    expect(sockets.sweep()).toEqual({ closed: 0 });
    now += 15_000;
    sockets.sweep();
    for (const socket of [alive, dead]) expect(await socket.next()).toEqual({ event: 'pusher:ping', data: {} });
    alive.say('pusher:pong');
    alive.say('pusher:ping');
    expect(await alive.next()).toEqual({ event: 'pusher:pong', data: {} });
    now += 31_000;
    expect(sockets.sweep()).toEqual({ closed: 1 });
    expect(await dead.closed).toMatchObject({ code: 4201 });

    const late = openBare(live.first.port, path(live));
    const auth = await authOf(live, 'anna', await late.id(), live.channel(anna));
    now += 600_001;
    late.say('pusher:subscribe', { channel: live.channel(anna), auth });
    expect(await late.closed).toMatchObject({ code: 4200 });
  });

  test('a socket must authenticate again after an hour, plus or minus an eighth, however active it is', async () => {
    let now = 0;
    const live = await setupLive(database, { now: () => now });
    const socket = await subscribe(live, 'anna', await live.player('anna'));
    const goesOn = async (until: number) => {
      now = until;
      socket.say('pusher:ping');
      await socket.next();
      return live.first.live.sockets.sweep();
    };
    expect(await goesOn(sessionMs * 0.87)).toEqual({ closed: 0 });
    expect(await goesOn(sessionMs * 1.13)).toEqual({ closed: 1 });
    expect(await socket.closed).toMatchObject({
      code: 4200,
      reason: expect.stringContaining('must be authenticated again'),
    });
  });

  test('sockets are limited per process, per address and per player', async () => {
    const live = await setupLive(database, { limits: { max: 4, max_per_address: 2, max_per_player: 1 } });
    const anna = await live.player('anna');
    const from = (address: string) =>
      openBare(live.first.port, path(live), { headers: { 'x-forwarded-for': address } });
    await from('192.0.2.1').id();
    await from('192.0.2.1').id();
    expect(await from('192.0.2.1').closed).toMatchObject({ code: 4100, reason: expect.stringContaining('address') });
    const first = await subscribe(live, 'anna', anna);
    const second = openBare(live.first.port, path(live));
    const channel = live.channel(anna);
    const auth = await authOf(live, 'anna', await second.id(), channel);
    second.say('pusher:subscribe', { channel, auth });
    expect(await second.next()).toMatchObject({ event: 'pusher:subscription_error', data: { type: 'LimitReached' } });
    expect(await from('192.0.2.2').closed).toMatchObject({ code: 4100, reason: expect.stringContaining('process') });
    first.ws.close();
    await first.closed;
    second.say('pusher:subscribe', { channel, auth });
    expect(await second.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded' });
  });

  test('a client that is refused repeatedly gets no reason any more, and locks no other client out', async () => {
    const live = await setupLive(database);
    const from = (address: string, key = 'nobody') => {
      const headers = { 'x-forwarded-for': address };
      return openBare(live.first.port, key === 'nobody' ? '/app/nobody?protocol=7' : path(live), { headers });
    };
    // They do not answer the close, and so stay for two seconds.
    const stuck = Array.from({ length: maxRefusedPerAddress }, (_, place) => from(`2001:db8::${place + 1}`));
    for (const { ws } of stuck) ws.on('open', () => ws.pause());
    await Promise.all(stuck.map(({ ws }) => new Promise((resolve) => ws.on('open', resolve))));
    expect(await from('2001:db8::ffff').closed).toMatchObject({ code: 1006 });
    expect(await from('192.0.2.1').closed).toMatchObject({ code: 4001 });
    expect(await from('2001:db8::ffff', 'brand').id()).toBeDefined();
  });

  test('a client that does not read is closed, and delays no other', async () => {
    const live = await setupLive(database);
    const anna = await live.player('anna');
    const slow = await subscribe(live, 'anna', anna);
    const quick = await subscribe(live, 'anna', anna);
    slow.ws.pause();
    const data = { text: 'x'.repeat(100_000) };
    let sent = 0;
    while (live.first.live.sockets.counts.open === 2) {
      live.first.live.sockets.announce([{ player_id: anna, event: 'inbox', data }]);
      sent++;
      expect(await quick.next()).toMatchObject({ event: 'inbox' });
      // The kernel buffers a few megabytes for a socket that is not read.
      if (sent > 500) throw new Error('the slow one was never closed');
    }
    expect(await live.first.registry.getSingleMetricAsString('croupier_site_sockets_closed_total')).toContain(
      'reason="slow_consumer"} 1',
    );
  });
});

describe('the endpoint of the proof', () => {
  test('answers {auth} to the player, and the envelope to all others', async () => {
    const live = await setupLive(database);
    const anna = await live.player('anna');
    const ben = await live.player('ben');
    const { first, site } = live;
    const body = { socket_id: '123.456', channel_name: live.channel(anna) };
    const auth = { auth: expect.stringMatching(new RegExp(`^${site.brand.code}:[0-9a-f]{64}$`)) };
    const form = {
      body: new URLSearchParams(body).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(await first.post('/external/pusher', 'sid-of-anna', body)).toMatchObject({ status: 200, body: auth });
    expect((await first.call('POST', `/external/pusher/${site.brand.code}?authToken=sid-of-anna`, form)).body).toEqual(
      auth,
    );
    expect(await first.call('POST', '/external/pusher?authToken=wrong', form)).toMatchObject({
      status: 401,
      body: { Data: null, Success: false, Errors: [{ Error: 'invalid_session' }] },
    });
    const refused: [unknown, number, string][] = [
      [{ ...body, channel_name: live.channel(ben) }, 403, 'forbidden_channel'],
      [{ ...body, channel_name: 'presence-lobby' }, 403, 'forbidden_channel'],
      [{ ...body, socket_id: '1.1:private-crm-1-1' }, 400, 'invalid_request'],
      [{ channel_name: live.channel(anna) }, 400, 'invalid_request'],
    ];
    for (const [wrong, status, code] of refused) {
      expect(await first.post('/external/pusher', 'sid-of-anna', wrong)).toMatchObject({
        status,
        body: { Success: false, Errors: [{ Error: code }] },
      });
    }
    expect(await first.post('/external/pusher/other', 'sid-of-anna', body)).toMatchObject({ status: 404 });
  });
});
