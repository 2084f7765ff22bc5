import { expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { ServiceStack } from '../service.ts';
import { startsBeside } from './starts-beside.ts';

const service = (start: () => Promise<void>) => ({ start, stop: async () => {} });

test('a sandbox that cannot start affects nothing else', async () => {
  const stack = new ServiceStack();
  const fails = service(() => Promise.reject(new Error('its port is taken')));
  expect(await startsBeside(stack, fails, testLog)).toBe(false);
  expect(
    await startsBeside(
      stack,
      service(async () => {}),
      testLog,
    ),
  ).toBe(true);
  await stack.stop();
});
