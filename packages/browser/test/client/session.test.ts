import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serverNow } from '../../src/page/client/http.ts';
import { createSession } from '../../src/page/client/session.ts';

/** Sets up a session and the server's answers, by path and credential. Each call is recorded. */
function setup() {
  const requested: string[] = [];
  const outliving: unknown[] = [];
  const answers = new Map<string, () => Response | Promise<Response>>();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const credential = (init.headers as Record<string, string>).authtoken;
    const key = `${url.replace('https://crm.example/site/demo/', '')} ${credential}`;
    requested.push(key);
    outliving.push(init.keepalive);
    const answer = answers.get(key) ?? answers.get(key.split(' ')[0] ?? '');
    if (answer === undefined) throw new TypeError('no answer');
    return answer();
  });
  const ending = new AbortController();
  const refusals: string[] = [];
  const session = createSession(
    async () => 'https://crm.example/site/demo',
    'my-sid',
    ending.signal,
    ({ code }) => refusals.push(code),
  );
  const signsIn = (UserId: number, token: string) =>
    answers.set('Platform/LoginAuthToken my-sid', () =>
      ok({
        Authentication: { IsAuthenticated: true, AuthToken: token },
        User: { UserId, BrandId: 1, IsTestUser: false },
      }),
    );
  return { requested, outliving, answers, ending, session, signsIn, refusals };
}

const ok = (Data: unknown) => Response.json({ Data, Success: true, Errors: [] });
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { Data: null, Success: false, Errors: [{ Message: 'No.', Error: code, ErrorCodeID: status }] },
    { status, headers },
  );

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-02T12:00:00Z') });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the credential', () => {
  test('is exchanged once, and the token is sent with the calls', async () => {
    const { session, signsIn, answers, requested } = setup();
    signsIn(51, 'a-token');
    answers.set('a', () => ok(1));
    await Promise.all([session.signIn(), session.signIn()]);
    await expect(session.call('GET', 'a')).resolves.toBe(1);
    expect(requested).toEqual(['Platform/LoginAuthToken my-sid', 'a a-token']);
  });

  test('is renewed by one call when the token is refused, however many calls notice it', async () => {
    const { session, signsIn, answers, requested } = setup();
    signsIn(51, 'old');
    await session.signIn();
    answers.set('a old', () => refused(401, 'invalid_session'));
    answers.set('a new', () => ok('fresh'));
    signsIn(51, 'new');
    await expect(Promise.all([session.call('GET', 'a'), session.call('GET', 'a')])).resolves.toEqual([
      'fresh',
      'fresh',
    ]);
    expect(requested.filter((one) => one.startsWith('Platform'))).toHaveLength(2);
  });

  test('that is refused ends the session: no more calls are made', async () => {
    const { session, answers, requested, refusals } = setup();
    answers.set('Platform/LoginAuthToken', () => refused(401, 'invalid_session'));
    await expect(session.signIn()).rejects.toMatchObject({ code: 'invalid_session', status: 401 });
    expect([requested.length, refusals]).toEqual([1, ['invalid_session']]);
  });

  test('that now belongs to another player is refused', async () => {
    const { session, signsIn, answers } = setup();
    signsIn(51, 'old');
    await session.signIn();
    answers.set('a', () => refused(401, 'session_ended'));
    signsIn(52, 'of-another');
    await expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'invalid_session', status: 401 });
  });
});

describe('a call', () => {
  async function signedIn() {
    const one = setup();
    one.signsIn(51, 'token');
    await one.session.signIn();
    one.requested.length = 0;
    return one;
  }

  test('is repeated while the server is unavailable, and its error is reported in the end', async () => {
    const { session, answers, requested } = await signedIn();
    answers.set('a', () => refused(503, 'operator_away'));
    const call = expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'operator_away', status: 503 });
    await vi.runAllTimersAsync();
    await call;
    expect(requested).toHaveLength(3);
  });

  test('is not repeated if it is refused, or if the server asks for a long wait', async () => {
    const { session, answers, requested } = await signedIn();
    answers.set('a', () => refused(404, 'unknown_notification'));
    await expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'unknown_notification' });
    answers.set('a', () => refused(429, 'too_many_requests', { 'retry-after': '60' }));
    await expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(requested).toHaveLength(2);
  });

  test("returns the server's time", async () => {
    const { session, answers } = await signedIn();
    answers.set('a', () => {
      const answer = ok(1);
      answer.headers.set('date', 'Mon, 02 Mar 2026 12:00:30 GMT');
      return answer;
    });
    await session.call('GET', 'a');
    expect(serverNow() - Date.now()).toBe(30_000);
    answers.set('a', () => ok(1));
    await session.call('GET', 'a');
    expect(serverNow() - Date.now()).toBe(30_000);
  });

  test('with a body that is not JSON is refused immediately', async () => {
    const { session, requested } = await signedIn();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const body of [circle, { amount: 1n }]) {
      await expect(session.call('POST', 'a', { body })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(requested).toEqual([]);
  });

  test('that the browser does not allow to outlive the page is repeated as an ordinary one', async () => {
    const { session, answers, outliving } = await signedIn();
    answers.set('a', () => {
      if (outliving.at(-1)) throw new TypeError('more than 64 KiB');
      return ok(1);
    });
    const call = session.call('POST', 'a', { body: 'x'.repeat(70_000), keepalive: true });
    await vi.runAllTimersAsync();
    await expect(call).resolves.toBe(1);
    expect(outliving.slice(1)).toEqual([true, false]);
  });

  test('reports an answer that is not from the API; channel authorization has no envelope', async () => {
    const { session, answers } = await signedIn();
    answers.set('a', () => new Response('<html>a proxy', { status: 200 }));
    await expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'unreadable', status: 200 });
    answers.set('a', () => Response.json({ auth: 'demo:1f' }));
    await expect(session.call('POST', 'a')).resolves.toEqual({ auth: 'demo:1f' });
  });

  test('of a player who has left is dropped, answered or not, and makes no further requests', async () => {
    const { session, answers, requested, ending } = await signedIn();
    let answer: (response: Response) => void = () => {};
    answers.set('a', () => new Promise((resolve) => (answer = resolve)));
    const call = expect(session.call('GET', 'a')).rejects.toMatchObject({ code: 'ended' });
    await vi.advanceTimersByTimeAsync(0);
    ending.abort();
    answer(ok('a secret of the former player'));
    await call;
    await expect(session.call('GET', 'b')).rejects.toMatchObject({ code: 'ended' });
    expect(requested).toEqual(['a token']);
    answers.set('Crm/Logout', () => ok(true));
    await session.logout();
    expect(requested).toEqual(['a token', 'Crm/Logout token']);
  });
});

describe('a logout', () => {
  const path = 'Crm/Logout';
  test.each([
    ['with the token', 'ok', 'ok', ['token']],
    ['with the sid, once the token is an hour old', 'old', 'ok', ['token', 'my-sid']],
    ['succeeds if the session has already ended', 'over', 'over', ['token', 'my-sid']],
  ])('%s', async (_, ofToken, ofSid, credentials) => {
    const { session, signsIn, answers, requested } = setup();
    signsIn(51, 'token');
    await session.signIn();
    const answerOf = (kind: string) => () => (kind === 'ok' ? ok(true) : refused(401, 'session_ended'));
    answers.set(`${path} token`, answerOf(ofToken));
    answers.set(`${path} my-sid`, answerOf(ofSid));
    await session.logout();
    expect(requested.slice(1)).toEqual(credentials.map((credential) => `${path} ${credential}`));
  });

  test('that reaches no server is reported as an error', async () => {
    const { session, requested } = setup();
    const rejection = expect(session.logout()).rejects.toMatchObject({ code: 'offline' });
    await vi.runAllTimersAsync();
    await rejection;
    expect(requested).toEqual(Array(3).fill(`${path} my-sid`));
  });
});
