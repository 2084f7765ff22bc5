import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createModel } from '../../src/page/client/model.ts';
import { startVisit } from '../../src/page/client/visit.ts';

/*
 * A visit before, between and after what the tests in a browser show: a server that is a function, and a page of which nothing is there
 * but events.
 */
type Answer = { status?: number; data?: unknown };
const user = { UserId: 51, BrandId: 1, IsTestUser: false };
const login = { Authentication: { IsAuthenticated: true, AuthToken: 'token' }, User: user };

class Socket {
  static last: Socket | undefined;
  onmessage: ((frame: { data: string }) => Promise<void>) | undefined;
  onclose: (() => void) | undefined;
  constructor() {
    Socket.last = this;
  }
  send() {}
  close() {}
  hear(event: string) {
    return this.onmessage?.({ data: JSON.stringify({ event, data: {}, channel: 'private-crm-1-51' }) });
  }
}

function setup(answerOf: (path: string, credential: string) => Answer | undefined) {
  const asked: string[] = [];
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const listens = vi.spyOn(page, 'addEventListener');
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const credential = headers.authtoken ?? '';
    asked.push(`${url} ${credential}`);
    const path = url.replace('https://crm.example/site/demo/', '');
    const answer = answerOf(path, credential) ?? { data: path === 'Platform/LoginAuthToken' ? login : [] };
    if (answer.status === 0) throw new TypeError('no answer');
    const Errors = answer.status ? [{ Error: 'session_ended', Message: 'No.', ErrorCodeID: 40103 }] : [];
    return Response.json(
      { Data: answer.data ?? null, Success: !answer.status, Errors },
      { status: answer.status ?? 200 },
    );
  });
  const told: string[] = [];
  const model = createModel(() => {});
  const visit = startVisit({
    findRoot: async () => 'https://crm.example',
    ...{ brand: 'demo', sid: 'my-sid', model, withInbox: true },
    emit: () => {},
    fail: ({ code }) => told.push(code),
  });
  return { asked, told, model, visit, page, listens };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('one that is left at once signs out where the platform is, and asks nothing else', async () => {
  const { visit, asked } = setup(() => undefined);
  visit.end();
  await Promise.all([visit.session.logout(), expect(visit.signedIn).rejects.toMatchObject({ code: 'ended' })]);
  expect(asked).toEqual(['https://crm.example/site/demo/Crm/Logout my-sid']);
});
