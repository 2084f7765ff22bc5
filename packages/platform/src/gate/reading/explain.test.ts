import { expect, test } from 'vitest';
import { answered, now, permissiveFacts } from '../../../testing/gate/decision/facts.ts';
import { decide } from '../decision/decide.ts';
import { whatWouldChange } from './explain.ts';

const request = { channel: 'email', purpose: 'service', expires_at: null } as const;

test.each([
  ['the blocks were never looked up', {}, 'it has never been answered'],
  [
    'the operator answered 404',
    { failure: 'unknown_player' },
    'the operator has answered that it does not know the player',
  ],
  ['calls time out', { failure: 'timeout' }, 'all calls so far have failed (timeout)'],
])('the explanation states what would change the decision, if %s', (_name, knowledge, why) => {
  const { look_ups, ...facts } = permissiveFacts();
  const known = { ...facts, look_ups: { ...look_ups, blocks: answered(null, knowledge) } };
  const verdict = decide(known, { request, reconciled: {}, now, fact_age_hours: 24, update_pending: false });
  expect(whatWouldChange(verdict, known)).toEqual([`a successful look-up of blocks is required: ${why}`]);
});
