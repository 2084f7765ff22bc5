import { expect, test } from 'vitest';
import { protectionChanges } from './changes.ts';
import type { Protection } from './inputs.ts';

const free: Protection = { excluded: false, blocked: false, consents: { email: false, push: false, sms: true } };

test.each<[name: string, before: Protection | null, after: Partial<Protection>, expected: string[]]>([
  ['nothing', free, {}, []],
  ['excluded', free, { excluded: true }, ['excluded']],
  ['exclusion ended', { ...free, excluded: true }, {}, ['exclusion_ended']],
  ['blocked and excluded', free, { excluded: true, blocked: true }, ['excluded', 'blocked']],
  ['block ended while excluded', { ...free, blocked: true, excluded: true }, { excluded: true }, ['block_ended']],
  ['consent given', free, { consents: { ...free.consents, email: true } }, ['consent_given email']],
  [
    'one given, one withdrawn',
    free,
    { consents: { email: true, push: false, sms: false } },
    ['consent_given email', 'consent_withdrawn sms'],
  ],
  ['a consent that is no longer reported', free, { consents: {} }, ['consent_withdrawn sms']],
  ['a consent that is reported for the first time', { ...free, consents: {} }, { consents: { email: true } }, []],
  ['consents in the first answer are not transitions', null, { consents: { email: true } }, []],
  [
    'an exclusion and a block in the first answer are transitions',
    null,
    { excluded: true, blocked: true },
    ['excluded', 'blocked'],
  ],
])('%s', (_name, before, after, expected) => {
  const changes = protectionChanges(before, { ...free, ...after });
  expect(changes.map(({ kind, consent_key }) => (consent_key === null ? kind : `${kind} ${consent_key}`))).toEqual(
    expected,
  );
});
