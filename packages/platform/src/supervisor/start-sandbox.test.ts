import { expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { ServiceStack } from '../service.ts';
import { startSandbox } from './start-sandbox.ts';

const service = (start: () => Promise<void>) => ({ start, stop: async () => {} });

test('a sandbox that cannot start affects nothing else', async () => {
  const stack = new ServiceStack();
  const fails = service(() => Promise.reject(new Error('its port is taken')));
  expect(await startSandbox(stack, fails, testLog)).toBe(false);
  expect(
    await startSandbox(
      stack,
      service(async () => {}),
      testLog,
    ),
  ).toBe(true);
  await stack.stop();
});
