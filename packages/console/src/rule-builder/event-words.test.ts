import { expect, test } from 'vitest';
import { withEventWords } from './event-words.ts';

const and = (...rules: unknown[]) => ({ combinator: 'and', rules });
const is = (field: string, value: unknown, operator = '=') => ({ field, operator, value });
const payments = (...rules: unknown[]) => ({
  field: 'did.payment',
  match: { mode: 'atLeast', threshold: 3 },
  value: and(...rules),
});

test('codes of events are words in an English sentence, and other values stay', () => {
  const rule = and(
    is('profile.country', 'Credit'),
    payments(is('type', 'Credit'), is('status', ['Approved', 'Nowhere', 'Rejected'], 'in'), is('type', 'Debit', '!=')),
  );
  expect(
    withEventWords(
      'Players for whom the number of payments where the type is Credit and the status is one of Approved, Nowhere, Rejected and the type is not Debit (or has no value) is at least 3.',
      rule,
    ),
  ).toBe(
    'Players for whom the number of payments where the type is deposit and the status is one of approved, Nowhere, rejected and the type is not withdrawal (or has no value) is at least 3.',
  );
});

test('only values change, not titles, names and longer texts', () => {
  const sentence =
    'Players for whom the number of payments where the type is Credit and the note is Credit card and the note contains "Credit" is at least 3 and the tag Credit is true.';
  expect(withEventWords(sentence, and(payments(is('type', 'Credit'))))).toBe(sentence.replace('Credit', 'deposit'));
});

test('conditions on a player do not change, and conditions on an event do', () => {
  const rule = and(is('type', 'Credit,Debit', 'in'), and(is('status', 'Approved')));
  const sentence = 'the type is one of Credit, Debit and the status is Approved';
  expect(withEventWords(sentence, rule)).toBe(sentence);
  expect(withEventWords(sentence, rule, true)).toBe(
    'the type is one of deposit, withdrawal and the status is approved',
  );
  expect(withEventWords(sentence, null, true)).toBe(sentence);
});
