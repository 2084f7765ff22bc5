import { describe, expect, test } from 'vitest';
import { setupConsole, type TestConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const login = { user_id: 'u-1', timestamp: '2026-05-01T11:59:59Z', ip_address: '192.0.2.44' };

/** Puts a body into quarantine as the edge does, and returns its number. */
async function quarantined(body: string, kind: 'login' | 'payment' = 'login', userId = 'u-1'): Promise<number> {
  const reasons = [{ path: 'timestamp', rule: 'required', message: 'timestamp is missing' }];
  await console.quarantine.keep(console.brand, kind, Buffer.from(body), reasons, userId);
  console.clock.advance(1_000_000);
  const { body: list } = await console.get('/brands/malta/quarantine?limit=1');
  return list.items[0].quarantine_id;
}

async function ledgerBodies(): Promise<string[]> {
  const { events } = await (console as TestConsole).ledger.newest({}, 100);
  return events.map((event) => event.body.toString());
}

describe('the list', () => {
  test('is filtered by kind, player and state, latest try first, without bodies', async () => {
    const first = await quarantined('{"a":1}', 'login', 'u-7');
    const second = await quarantined('{"a":2}', 'payment', 'u-7');
    const third = await quarantined('{"a":3}', 'payment', 'u-8');
    const numbers = async (query: string) =>
      (await console.get(`/brands/malta/quarantine?${query}`)).body.items.map(
        (item: { quarantine_id: number }) => item.quarantine_id,
      );
    expect(await numbers('user_id=u-7')).toEqual([second, first]);
    expect(await numbers('kind=payment')).toEqual([third, second]);
    expect(await numbers('state=dismissed')).toEqual([]);
    const { body } = await console.get('/brands/malta/quarantine?user_id=u-8');
    expect(body.items[0]).toEqual({
      quarantine_id: third,
      kind: 'payment',
      user_id: 'u-8',
      reasons: [{ path: 'timestamp', rule: 'required', message: 'timestamp is missing' }],
      tries: 1,
      first_at: '2026-05-01T12:00:02.000000Z',
      last_at: '2026-05-01T12:00:02.000000Z',
      state: 'open',
      resolved_at: null,
      resolved_by: null,
      note: null,
    });
  });

  test('is paged without gaps', async () => {
    for (let i = 0; i < 5; i++) await quarantined(`{"page":${i}}`, 'login', 'u-pages');
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await console.get(`/brands/malta/quarantine?user_id=u-pages&limit=2${cursor}`);
      seen.push(...body.items.map((item: { quarantine_id: number }) => item.quarantine_id));
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(5);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });
});

describe('one item', () => {
  test('shows its body to roles that may repair it, and the audit records who looked', async () => {
    const number = await quarantined('{"user_id":"u-1","ip_address":"192.0.2.44"}');
    const integrator = await console.as('integrator');
    const { body } = await console.get(`/brands/malta/quarantine/${number}`, integrator);
    expect(body).toMatchObject({
      body: '{"user_id":"u-1","ip_address":"192.0.2.44"}',
      encoding: 'utf8',
      corrected_body: null,
    });
    expect((await console.get(`/brands/malta/quarantine/${number}`, await console.as('compliance'))).status).toBe(403);
    const { body: audit } = await console.get('/brands/malta/audit?limit=1');
    expect(audit.items[0]).toMatchObject({ action: 'quarantine.read', subject: `quarantine ${number}` });
  });

  test('that is not UTF-8 is returned as base64', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    await console.quarantine.keep(console.brand, 'login', bytes, [], null);
    console.clock.advance(1_000_000);
    const { body: list } = await console.get('/brands/malta/quarantine?limit=1');
    const { body } = await console.get(`/brands/malta/quarantine/${list.items[0].quarantine_id}`);
    expect(body).toMatchObject({ body: bytes.toString('base64'), encoding: 'base64' });
  });
});

describe('re-injection', () => {
  test('accepts a corrected object, never rounds a number in it, and records who did it', async () => {
    const number = await quarantined('{"user_id":123456789012345678901}');
    const text = '{"body":{"user_id":123456789012345678901,"timestamp":"2026-05-01T11:59:59Z"}}';
    const answer = await console.app.inject({
      method: 'POST',
      url: `/api/console/v1/brands/malta/quarantine/${number}/reinject`,
      headers: { authorization: `Bearer ${await console.as('integrator')}`, 'content-type': 'application/json' },
      payload: text,
    });
    expect(answer.statusCode).toBe(200);
    expect(await ledgerBodies()).toContain('{"user_id":"123456789012345678901","timestamp":"2026-05-01T11:59:59Z"}');
    const { body } = await console.get(`/brands/malta/quarantine/${number}`);
    expect(body).toMatchObject({ state: 'reinjected', resolved_by: expect.stringContaining('@example.com') });
    expect(body.corrected_body).toContain('123456789012345678901');
  });

  test('accepts corrected text byte by byte', async () => {
    const number = await quarantined('{"user_id":"u-1" ');
    const text = ` ${JSON.stringify(login)}\n`;
    expect(
      (await console.call('POST', `/brands/malta/quarantine/${number}/reinject`, { body: { body: text } })).status,
    ).toBe(200);
    expect(await ledgerBodies()).toContain(text);
  });

  test('without a body sends the event unchanged, which may be valid by now', async () => {
    const number = await quarantined(JSON.stringify(login));
    const answer = await console.call('POST', `/brands/malta/quarantine/${number}/reinject`);
    expect(answer).toMatchObject({ status: 200, body: { state: 'reinjected' } });
  });

  test('of a body that is still invalid returns the errors, and the item stays open', async () => {
    const number = await quarantined('{"still":"wrong"}');
    const answer = await console.call('POST', `/brands/malta/quarantine/${number}/reinject`, {
      body: { body: { user_id: 'u-1' } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_event');
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['timestamp']);
    expect((await console.get(`/brands/malta/quarantine/${number}`)).body.state).toBe('open');
  });
});

describe('dismissal', () => {
  test('requires a note, and happens once', async () => {
    const number = await quarantined('{"test":"event"}');
    const dismiss = (note: string) =>
      console.call('POST', `/brands/malta/quarantine/${number}/dismiss`, { body: { note } });
    expect((await dismiss('  ')).status).toBe(400);
    expect((await dismiss('a test of the operator')).body).toEqual({ state: 'dismissed' });
    expect((await dismiss('again')).status).toBe(409);
    const { body } = await console.get(`/brands/malta/quarantine/${number}`);
    expect(body).toMatchObject({ state: 'dismissed', resolved_by: 'admin token', note: 'a test of the operator' });
    expect((await console.call('POST', '/brands/malta/quarantine/99999/dismiss', { body: { note: 'x' } })).status).toBe(
      404,
    );
  });
});

test('a correction is checked before it is sent, and nothing is written', async () => {
  const number = await quarantined('{"user_id":"u-9"}', 'login', 'u-9');
  const check = (body: string) => console.call('POST', `/brands/malta/quarantine/${number}/check`, { body: { body } });
  const before = await ledgerBodies();
  expect((await check('{"user_id":"u-9",')).body.errors).toHaveLength(1);
  expect((await check('{"user_id":"u-9"}')).body.errors).toContainEqual(
    expect.objectContaining({ path: 'timestamp', rule: 'required' }),
  );
  expect((await check(JSON.stringify({ ...login, user_id: 'u-9' }))).body).toEqual({ errors: [] });
  expect(await ledgerBodies()).toEqual(before);
  const { body } = await console.get(`/brands/malta/quarantine/${number}`);
  expect(body.state).toBe('open');
  expect((await console.call('POST', '/brands/malta/quarantine/999999/check', { body: { body: '{}' } })).status).toBe(
    404,
  );
});
