import { type ConsentType, consentTypes } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { channelsOf, type HeldConsent, withdrawalOf } from './channels.ts';

const consent = (opted_in: boolean | null, source = 'look_up', in_doubt = false): HeldConsent => ({
  type: 'Email',
  opted_in,
  in_doubt,
  source,
});

/** What is held of one consent -> how it is shown, what "stop" of it writes, whether "everything" touches it, what an undo brings back. */
const cases: [held: HeldConsent | undefined, shown: string, stops: boolean, withAll: boolean, restorable: boolean][] = [
  [undefined, 'unknown', true, true, false],
  [consent(null), 'unknown', true, true, false],
  [consent(true), 'on', true, true, true],
  [consent(true, 'site'), 'on', true, true, true],
  [consent(true, 'look_up', true), 'unknown', true, true, false],
  [consent(false), 'off', true, false, false],
  [consent(false, 'reconciliation'), 'off', true, false, false],
  [consent(false, 'look_up', true), 'unknown', true, true, false],
  [consent(false, 'unsubscribe'), 'off', false, false, false],
  [consent(false, 'staff'), 'off', false, false, false],
];

test.each(cases)('%j is shown as %s', (held, shown, stops, withAll, restorable) => {
  const consents = held === undefined ? [] : [held];
  expect(channelsOf(consents, 'Email')[0]).toEqual({ type: 'Email', state: shown });
  const back: ConsentType[] = restorable ? ['Email'] : [];
  expect(withdrawalOf(consents, 'Email')).toEqual({ stopped: stops ? ['Email'] : [], restorable: back });
  const all = withdrawalOf(consents, 'all');
  expect([all.stopped.includes('Email'), all.restorable]).toEqual([withAll, back]);
});

test('the channel of the link comes first, the others in the order of the interface', () => {
  const order = channelsOf([], 'SMS').map(({ type }) => type);
  expect(order).toEqual(['SMS', ...consentTypes.filter((type) => type !== 'SMS')]);
});
