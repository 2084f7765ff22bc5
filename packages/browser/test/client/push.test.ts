import { afterEach, expect, test, vi } from 'vitest';
import type { Call } from '../../src/page/client/http.ts';
import { type PushOptions, pushState } from '../../src/page/push/push.ts';

interface Device {
  permission?: string;
  endpoint?: string;
  /** The answer of `GET Crm/Push`. Undefined if the platform does not answer. */
  enabled?: boolean;
}

function setup({ permission = 'default', endpoint, enabled }: Device) {
  const pushManager = { getSubscription: async () => (endpoint ? { endpoint } : null) };
  vi.stubGlobal('self', { PushManager: class {} });
  vi.stubGlobal('location', new URL('https://casino.example/lobby'));
  vi.stubGlobal('Notification', { permission });
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ pushManager }) } });
  const calls: string[] = [];
  const call = async (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    if (enabled === undefined) throw new Error('offline');
    return { Enabled: enabled, PublicKey: 'key' };
  };
  const policy = { createScriptURL: (url: string) => url };
  const options: PushOptions = { root: 'https://crm.example', call: call as Call, policy };
  return { calls, state: () => pushState(options) };
}

afterEach(() => void vi.unstubAllGlobals());

test.each<[string, string, Device, string[]]>([
  ['off', 'the brand sends no pushes', { enabled: false }, ['GET Crm/Push']],
  ['unsubscribed', 'the brand sends pushes', { enabled: true }, ['GET Crm/Push']],
  ['unsubscribed', 'the platform does not answer', {}, ['GET Crm/Push']],
  ['subscribed', 'the device has a subscription', { endpoint: 'https://push.example/1', enabled: false }, []],
  ['denied', 'the player blocked notifications', { permission: 'denied', enabled: true }, []],
])('the state is %s if %s', async (expected, _, device, requests) => {
  const { state, calls } = setup(device);
  expect(await state()).toBe(expected);
  expect(calls).toEqual(requests);
});
