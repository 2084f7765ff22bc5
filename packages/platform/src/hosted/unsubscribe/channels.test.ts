import { consentTypes } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { channelsOf, type HeldConsent, withdrawalOf } from './channels.ts';

const consent = (opted_in: boolean | null, more: Partial<HeldConsent> = {}): HeldConsent => {
  return { type: 'Email', opted_in, in_doubt: false, unconfirmed: false, ...more };
};
const unconfirmed = { unconfirmed: true };
const doubtful = { in_doubt: true };

/** The stored consent -> its display, whether "stop" writes a withdrawal, whether it was on. */
const cases: [held: HeldConsent | undefined, shown: string, stops: boolean, on: boolean][] = [
  [undefined, 'unknown', true, false],
  [consent(null), 'unknown', true, false],
  [consent(true), 'on', true, true],
  [consent(true, unconfirmed), 'on', true, true],
  [consent(true, doubtful), 'unknown', true, false],
  // The value is confirmed by the operator, so the player may have opted in at the operator since then.
  [consent(false), 'off', true, false],
  [consent(false, doubtful), 'unknown', true, false],
  [consent(false, unconfirmed), 'off', false, false],
];

test.each(cases)('%j is shown as %s', (held, shown, stops, on) => {
  const consents = held === undefined ? [] : [held];
  expect(channelsOf(consents, 'Email')[0]).toEqual({ type: 'Email', state: shown });
  expect(withdrawalOf(consents, 'Email')).toEqual({ stopped: stops ? ['Email'] : [], on: on ? ['Email'] : [] });
  const all = withdrawalOf(consents, 'all');
  expect([all.stopped.includes('Email'), all.on]).toEqual([stops, on ? ['Email'] : []]);
});

test('the channel of the link comes first, then the others in the order of the interface', () => {
  const order = channelsOf([], 'SMS').map(({ type }) => type);
  expect(order).toEqual(['SMS', ...consentTypes.filter((type) => type !== 'SMS')]);
});
