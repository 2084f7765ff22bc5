import { expect, test } from 'vitest';
import { stoppedWorker } from '../faults/scenarios/stopped-worker.ts';
import { expectKept, figure } from './promises.ts';

test('P9: a worker stopped in the middle of a batch for 30 s and woken writes nothing; another took over within 10 s', {
  timeout: 150_000,
}, async () => {
  const outcomes = await expectKept(stoppedWorker, 30);
  expect(figure(outcomes, 'takeover_ms')).toBeLessThan(10_000);
});
