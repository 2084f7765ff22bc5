import { expect, test, vi } from 'vitest';
import { ApiProblem } from './client.ts';
import { forgetOrder, sendOrder, unansweredOrder } from './unanswered-orders.ts';

// Problems are in the language of the page.
vi.stubGlobal('document', { documentElement: { lang: 'en' } });

const fails = (error: Error) => () => Promise.reject(error);
const lost = new TypeError('Failed to fetch');
const refused = new ApiProblem(400, { title: 'Invalid' });
const broken = new ApiProblem(503, { title: 'Unavailable' });
const order = { typed: { bonus_code: 'GIFT' }, key: 'a' };

test.each([lost, broken])('an order without a known outcome is kept until its answer arrives (%o)', async (error) => {
  await expect(sendOrder('ann', order, fails(error))).rejects.toBe(error);
  expect(unansweredOrder('ann')).toEqual(order);
  expect(unansweredOrder('bob')).toBeUndefined();
  // The session expired. This says nothing about the first attempt.
  await expect(sendOrder('ann', order, fails(refused))).rejects.toBe(refused);
  expect(unansweredOrder('ann')).toEqual(order);
  expect(await sendOrder('ann', order, async () => 'placed')).toBe('placed');
  expect(unansweredOrder('ann')).toBeUndefined();
});

test('an order is kept while it waits for its answer, and not after it was refused or forgotten', async () => {
  let reject = (_: Error) => {};
  const answer = new Promise<string>((_, fail) => {
    reject = fail;
  });
  const sent = sendOrder('ann', order, () => answer);
  expect(unansweredOrder('ann')).toEqual(order);
  reject(refused);
  await expect(sent).rejects.toBe(refused);
  expect(unansweredOrder('ann')).toBeUndefined();
  await expect(sendOrder('ann', order, fails(lost))).rejects.toBe(lost);
  forgetOrder('ann');
  expect(unansweredOrder('ann')).toBeUndefined();
});
