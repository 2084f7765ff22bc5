import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Api, type AppScript, apiNames } from '../../src/page/bridge.ts';

/* Calls before the app is loaded, in every order. The page is a stub with only what the loader uses. */
const page: Record<string, unknown> = {};
type Crm = Record<string, (...given: unknown[]) => Promise<unknown>>;

async function setup() {
  const tags: AppScript[] = [];
  class Tag {
    src = 'https://crm.example/loader/crm.js';
    nonce = '';
    remove() {}
  }
  vi.stubGlobal('HTMLScriptElement', Tag);
  vi.stubGlobal('document', {
    currentScript: new Tag(),
    createElement: () => new Tag(),
    documentElement: { append: (tag: AppScript) => tags.push(tag) },
  });
  await import('../../src/page/loader.ts');
  const crm = page.Crm as Crm;
  const events: unknown[] = [];
  (crm.on as unknown as (event: string, handler: (detail: { code: string }) => void) => void)('error', ({ code }) =>
    events.push(code),
  );
  const ran: unknown[] = [];
  /** Loads the app. Each of its functions records its name, and the session that it would have used. */
  const arrive = () => {
    const bridge = tags.at(-1)?.crmBridge;
    const api = Object.fromEntries(
      apiNames.map((name) => [name, () => ran.push(name === 'init' ? `init ${bridge?.configured().sid}` : name) > 0]),
    ) as Api;
    bridge?.ready(api);
  };
  /** Makes five tries fail. */
  const fail = async () => {
    for (let tries = 0; tries < 5; tries++) {
      tags.at(-1)?.onerror?.('');
      await vi.advanceTimersByTimeAsync(30_000);
    }
  };
  return { crm, tags, ran, events, arrive, fail };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  for (const key of Reflect.ownKeys(page)) Reflect.deleteProperty(page, key);
  vi.stubGlobal('window', page);
  const names = { CONFIG: 'crm', API: 'Crm', LOADER: 'CrmLoader', SID: 'sid', BRAND: 'crmbrand', FILE: 'crm.js' };
  for (const [key, name] of Object.entries(names)) vi.stubGlobal(`${key}_NAME`, name);
  vi.stubGlobal('APP_FILE', 'app-1.js');
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('calls before init wait for it, and the others keep their order', async () => {
  const { crm, ran, arrive } = await setup();
  for (const name of ['track', 'init', 'profile', 'logout', 'init']) void crm[name]?.();
  arrive();
  await crm.track?.();
  expect(ran).toEqual(['init undefined', 'track', 'profile', 'logout', 'init undefined', 'track']);
});

test('a logout before any init is done immediately, and no earlier call reaches the next player', async () => {
  const { crm, ran, arrive } = await setup();
  const early = crm.track?.();
  await expect(crm.logout?.()).resolves.toBeUndefined();
  await expect(early).rejects.toMatchObject({ code: 'missing_session' });
  const begun = crm.init?.();
  arrive();
  await expect(begun).resolves.toBe(true);
  expect(ran).toEqual(['init undefined']);
});

test('each init uses the session at the time of its call, however late the app is', async () => {
  const { crm, ran, arrive } = await setup();
  page.sid = 'a';
  void crm.init?.();
  void crm.logout?.();
  page.sid = 'b';
  void crm.init?.();
  page.sid = undefined;
  arrive();
  page.sid = 'c';
  void crm.init?.();
  expect(ran).toEqual(['init a', 'logout', 'init b', 'init c']);
});

test('however many calls wait, a player can sign in and out', async () => {
  const { crm, ran, arrive } = await setup();
  const answers = Array.from({ length: 101 }, () => crm.track?.());
  await expect(answers.at(-1)).rejects.toMatchObject({ code: 'too_many_calls' });
  const [begun, ended] = [crm.init?.(), crm.logout?.()];
  arrive();
  await expect(Promise.all([begun, ended])).resolves.toEqual([true, true]);
  expect(ran).toHaveLength(102);
  await expect(crm.track?.()).resolves.toBe(true);
});

test('if the app cannot be loaded, all waiting calls fail, and the next init tries again', async () => {
  const { crm, tags, ran, events, arrive, fail } = await setup();
  const tracked = expect(crm.track?.()).rejects.toMatchObject({ code: 'script_unavailable' });
  const begun = crm.init?.();
  let again: Promise<unknown> | undefined;
  crm.on?.('error', () => {
    again = crm.init?.();
  });
  await fail();
  await expect(begun).resolves.toBe(false);
  await tracked;
  expect([tags.length, events]).toEqual([6, ['script_unavailable']]);
  arrive();
  await expect(again).resolves.toBe(true);
  expect([tags.length, ran]).toEqual([6, ['init undefined']]);
});

test('the inbox opens once for any number of presses, and not for presses before init', async () => {
  const { crm, ran, arrive } = await setup();
  await crm.toggleInbox?.();
  expect(console.warn).toHaveBeenCalledWith('[Crm]', 'first Crm.init()');
  void crm.init?.();
  for (let presses = 0; presses < 3; presses++) void crm.toggleInbox?.();
  arrive();
  expect(ran).toEqual(['init undefined', 'toggleInbox']);
});
