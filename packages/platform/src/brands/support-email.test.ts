import { expect, test } from 'vitest';
import { supportEmail } from './support-email.ts';

test.each([
  ['help@casino.example', 'help@casino.example'],
  ['mailto:help@casino.example', 'help@casino.example'],
  ['hjälp@casino.example', 'hjälp@casino.example'],
  ['', null],
  ['https://casino.example/help', null],
  ['https://casino.example/@help', null],
  ['+356 2123 4567', null],
  ['@casino', null],
  ['Support <help@casino.example>', null],
  ['help@casino.example, more@casino.example', null],
  ['help@casino.example?bcc=all@casino.example', null],
])('%s', (contact, email) => {
  expect(supportEmail(contact)).toBe(email);
});
