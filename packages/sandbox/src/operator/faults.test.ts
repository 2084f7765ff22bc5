import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { type EndpointName, type Fault, type SandboxOperator, startSandboxOperator } from './index.ts';

let operator: SandboxOperator;
beforeEach(async () => {
  operator = await startSandboxOperator();
  operator.books.addPlayer('anna', { details: { first_name: 'Anna' } });
  operator.books.addPlayer('bert', { details: { first_name: 'Bert' } });
});
afterEach(() => operator.stop());

const play = (endpoint: EndpointName, ...faults: Fault[]) => operator.dials.set(endpoint, { faults });
const details = (user = 'anna') => ask(`${operator.url}/userdetails/${user}`);
const credit = () => ask(`${operator.url}/bonus/credit`, { body: { user_id: 'anna', bonus_code: 'RELOAD50' } });
const reconcile = (field = 'active') => ask(`${operator.url}/reconciliation`, { body: { field } });
const credited = () => operator.books.credits.length;

describe('another status', () => {
  test.each([400, 401, 404, 409, 500, 501, 503])('%i', async (status) => {
    play('userdetails', { fault: 'status', status });
    expect((await details()).status).toBe(status);
  });

  test('429 has a Retry-After header; a redirect has a Location header', async () => {
    play('userdetails', { fault: 'status', status: 429 });
    expect((await details()).headers['retry-after']).toBe('1');
    play('userdetails', { fault: 'status', status: 302, headers: { location: '/elsewhere' } });
    expect((await details()).headers.location).toBe('/elsewhere');
  });

  test('a 500 after the effect has credited the bonus; a 500 before the effect has not', async () => {
    play('bonus_credit', { fault: 'status' });
    expect((await credit()).status).toBe(500);
    expect(credited()).toBe(1);
    play('bonus_credit', { fault: 'status', when: 'before_effect' });
    expect((await credit()).status).toBe(500);
    expect(credited()).toBe(1);
  });
});

describe('no answer', () => {
  test.each([
    ['after_effect', 1],
    ['before_effect', 0],
  ] as const)('a timeout %s leaves %i credits', async (when, credits) => {
    play('bonus_credit', { fault: 'timeout', when });
    await expect(credit()).rejects.toThrow(/Timeout/);
    expect(credited()).toBe(credits);
    expect(operator.calls.list('bonus_credit')).toMatchObject([{ status: null, fault: 'timeout' }]);
  });

  test.each(['before_headers', 'in_headers', 'in_body'] as const)('a connection that breaks %s', async (at) => {
    play('bonus_credit', { fault: 'reset', at });
    await expect(credit()).rejects.toThrow();
    expect(credited()).toBe(1);
    play('bonus_credit', { fault: 'reset', at, when: 'before_effect' });
    await expect(credit()).rejects.toThrow();
    expect(credited()).toBe(1);
  });

  test('after a break, the next call is healthy again', async () => {
    play('userdetails', { fault: 'reset', at: 'in_headers', times: 1 });
    await expect(details()).rejects.toThrow();
    expect((await details()).body).toMatchObject({ user_id: 'anna' });
  });
});

describe('200 with a wrong body', () => {
  test('an error in the body, whether or not the effect happened', async () => {
    play('bonus_credit', { fault: 'error_body' });
    expect(await credit()).toMatchObject({ status: 200, body: { error: 'bonus engine not available' } });
    expect(credited()).toBe(1);
    play('bonus_credit', { fault: 'error_body', body: { Success: false }, when: 'before_effect' });
    expect(await credit()).toMatchObject({ status: 200, body: { Success: false } });
    expect(credited()).toBe(1);
  });

  test('wrong types, in every record', async () => {
    for (const name of ['userdetails', 'userconsents', 'userblocks'] as const)
      play(name, { fault: 'wrong_body', shape: 'wrong_types' });
    expect((await details()).body).toMatchObject({ user_id: 'anna', first_name: 4, is_blocked: 'false' });
    const consents = (await ask(`${operator.url}/userconsents/anna`)).body as { consents: object[] };
    expect(consents.consents[0]).toMatchObject({ type: 'Email', opted_in: expect.stringMatching(/true|false/) });
    const blocks = (await ask(`${operator.url}/userblocks/anna`)).body as { blocks: object[] };
    expect(blocks.blocks[0]).toEqual({ type: 'Excluded', active: 'false', note: 0 });
  });

  test.each([
    ['another_player', expect.objectContaining({ user_id: 'bert', first_name: 'Bert' })],
    ['empty_object', {}],
    ['null', null],
    ['array', [expect.objectContaining({ user_id: 'anna' })]],
    ['missing_fields', expect.not.objectContaining({ birth_date: expect.anything() })],
    ['html', expect.stringContaining('<html>')],
  ] as const)('%s', async (shape, expected) => {
    play('userdetails', { fault: 'wrong_body', shape });
    expect(await details()).toMatchObject({ status: 200, body: expected });
  });

  test('a refused bonus stays refused, because a 200 would say that it was credited', async () => {
    operator.books.change('anna', { details: { is_excluded: true } });
    play('bonus_credit', { fault: 'wrong_body', shape: 'html' });
    expect((await credit()).status).toBe(400);
    expect(credited()).toBe(0);
    operator.books.change('anna', { details: { is_excluded: false } });
    expect(await credit()).toMatchObject({ status: 200, body: expect.stringContaining('<html>') });
    expect(credited()).toBe(1);
  });

  test('bytes that are not valid UTF-8', async () => {
    play('userdetails', { fault: 'malformed_utf8' });
    const { status, bytes } = await details();
    expect(status).toBe(200);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });

  test('an older state of the records', async () => {
    operator.books.change('anna', { details: { first_name: 'Anne' } });
    play('userdetails', { fault: 'stale', age_ms: 60_000 });
    expect((await details()).body).toMatchObject({ first_name: 'Anna' });
    operator.dials.clear();
    expect((await details()).body).toMatchObject({ first_name: 'Anne' });
  });
});

describe('slowness', () => {
  test('a delay happens before any effect', async () => {
    operator.dials.set('bonus_credit', { delay_ms: { from: 60, to: 80 } });
    const started = performance.now();
    const calling = credit();
    expect(credited()).toBe(0);
    await calling;
    expect(performance.now() - started).toBeGreaterThan(55);
    operator.dials.set('bonus_credit', { delay_ms: { p50: 5, p99: 20 } });
    expect((await credit()).status).toBe(200);
  });

  test('a dripping answer arrives in pieces and is complete in the end', async () => {
    play('userblocks', { fault: 'drip', bytes_per_second: 400 });
    const started = performance.now();
    expect((await ask(`${operator.url}/userblocks/anna`)).body).toMatchObject({ blocks: [{}, {}] });
    expect(performance.now() - started).toBeGreaterThan(150);
  });
});

test('401 with valid credentials', async () => {
  play('userdetails', { fault: 'unauthorized', times: 1 });
  expect((await details()).status).toBe(401);
  expect((await details()).status).toBe(200);
});

describe('reconciliation', () => {
  test('cut off: the connection breaks, or the answer just ends', async () => {
    play('reconciliation', { fault: 'cut', after: 1 });
    await expect(reconcile()).rejects.toThrow();
    play('reconciliation', { fault: 'cut', after: 1, clean: true });
    expect((await reconcile()).body).toBe('{"users":["anna"');
  });

  test('an error after some users, or instead of them', async () => {
    play('reconciliation', { fault: 'error_in_stream', after: 1 });
    expect(await reconcile()).toMatchObject({ status: 200, body: { users: ['anna'], error: 'time-out' } });
    play('reconciliation', { fault: 'error_in_stream', after: 0, error: 'no database' });
    const { body } = await reconcile();
    expect(body).toMatchObject({ error: 'no database' });
    expect(body).not.toHaveProperty('users');
  });

  test('one field is not supported', async () => {
    play('reconciliation', { fault: 'status', status: 501, fields: ['consent_post_mail'] });
    expect((await reconcile('consent_post_mail')).status).toBe(501);
    expect((await reconcile('blocked')).status).toBe(200);
  });
});

describe('how often', () => {
  test('rates of one dial add up, and the same seed picks the same calls', async () => {
    const outcomes = async () => {
      const list: number[] = [];
      for (let i = 0; i < 60; i++) list.push((await details()).status);
      return list;
    };
    const faults: Fault[] = [
      { fault: 'status', status: 500, rate: 0.3 },
      { fault: 'status', status: 503, rate: 0.3 },
    ];
    play('userdetails', ...faults);
    const first = await outcomes();
    for (const status of [200, 500, 503]) expect(first.filter((one) => one === status).length).toBeGreaterThan(8);
    const second = await startSandboxOperator();
    second.books.addPlayer('anna');
    await operator.stop();
    operator = second;
    play('userdetails', ...faults);
    expect(await outcomes()).toEqual(first);
  });

  test('only some players are affected', async () => {
    play('userdetails', { fault: 'status', users: ['bert'] });
    expect((await details('anna')).status).toBe(200);
    expect((await details('bert')).status).toBe(500);
  });

  test('one dial can affect all endpoints, until it is cleared', async () => {
    operator.dials.set('*', { faults: [{ fault: 'status', status: 503 }] });
    expect((await details()).status).toBe(503);
    expect((await credit()).status).toBe(503);
    operator.dials.clear();
    expect((await credit()).status).toBe(200);
  });
});
