import { type EventKind, eventKinds, messages } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { derivedEvent } from '../../../testing/derive/event.ts';
import { summaryOfEvent } from './summary.ts';

const samplesOf = (kind: EventKind) => Object.values<Record<string, unknown>>(messages[kind].samples);
const summaryOf = (kind: EventKind, body: Record<string, unknown>) =>
  summaryOfEvent(derivedEvent(kind, body, { player_id: 1 }).event)('en');

describe('the summary of an event in lists', () => {
  test.each<[EventKind, string[]]>([
    ['registration', ['Registered']],
    ['login', ['Logged in']],
    ['logout', ['Logged out']],
    ['user_update', ['Details changed']],
    ['consents_update', ['Consents changed']],
    ['blocks_update', ['Blocks changed']],
    ['payment', ['Deposit of 50.25 SEK by Example Pay: Approved', 'Withdrawal of 20 EUR by 17: Requested']],
    ['casino', ['Bet of 2 EUR in 8801 (35), round 55512', 'Win of 7.20 EUR in 8801 (35), round 55512']],
    ['gameround', ['Round 55512 of Lucky Lanterns (Example Games): bet 1.50 EUR, bonus bet 0.50 EUR, won 7.20 EUR']],
    [
      'sports',
      [
        'Single bet of 10 EUR on 1 selection',
        'Settlement of 19.50 EUR for bet b-1001',
        'Cashout of 6.40 EUR for bet b-1003',
      ],
    ],
    ['lottery_purchase', ['Purchase of 1 ticket for 4 EUR: Approved']],
    [
      'lottery',
      [
        'Ticket of 2.50 EUR, 1 line, Example Lotto, draw 2026-18',
        'Settlement of 12 EUR, 1 line, Example Lotto, draw 2026-18',
      ],
    ],
    ['bonus', ['Bonus WELCOME100 of 100 EUR for Casino: Forfeited']],
    ['cart', ['Checkout of 1 item for 4 EUR: Successful']],
    ['balances', ['Real money 55.95 EUR, bonus money 10 EUR']],
    ['funds_credited', ['Funds of 10 SEK credited for CASHBACK10']],
    ['custom', ['Wheel of fortune spun']],
    ['site_event', ['Promotion viewed, tracked by the site']],
    [
      'message_event',
      ['Message 77041 by email clicked, as sendgrid reports', 'Message 77042 by email bounced (hard), as mail reports'],
    ],
  ])('%s', (kind, lines) => {
    expect(samplesOf(kind).map((sample) => summaryOf(kind, sample))).toEqual(lines);
  });

  test('exists for every kind, without personal data', () => {
    for (const kind of eventKinds) {
      for (const sample of samplesOf(kind)) {
        const line = summaryOf(kind, sample);
        expect(line).not.toBe('');
        for (const field of ['user_id', 'ip_address', 'user_agent', 'note', 'url_referer']) {
          const personal = sample[field];
          if (typeof personal === 'string' && personal !== '') expect(line).not.toContain(personal);
        }
      }
    }
  });
});

test('the summary names the balances in the language of the call; other keys are shown as words', () => {
  const [sample = {}] = samplesOf('balances');
  const { event } = derivedEvent('balances', sample, { player_id: 1 });
  expect(summaryOfEvent(event)('de')).toBe('Echtgeld 55,95 EUR, Bonusgeld 10 EUR');
  if (event.kind !== 'balances') throw new Error('the sample is not a balances event');
  const [balance] = event.balances;
  if (balance === undefined) throw new Error('the sample has no balance');
  const own = { ...event, balances: [{ ...balance, key: 'free_spins_2' }] };
  expect(summaryOfEvent(own)('de')).toBe('Free spins 2 55,95 EUR');
});

test.each([
  ['en', '1234567.5', '1,234,567.50 EUR'],
  ['de', '1234567.5', '1.234.567,50 EUR'],
  ['en', '-1234', '-1,234 EUR'],
  ['de', '-123', '-123 EUR'],
  ['de', '0.125', '0,125 EUR'],
] as const)('in %s, the amount %s is written as %s', (language, amount, written) => {
  const [sample = {}] = samplesOf('casino');
  const { event } = derivedEvent('casino', sample, { player_id: 1 });
  if (event.kind !== 'casino') throw new Error('the sample is no bet');
  expect(summaryOfEvent({ ...event, amount, currency: 'EUR' })(language)).toContain(` ${written} in `);
});

test('the summary mentions a rollback, and states no amount for a Loss', () => {
  const [bet = {}] = samplesOf('casino');
  expect(summaryOf('casino', { ...bet, status: 'Rollback' })).toBe('Rollback: Bet of 2 EUR in 8801 (35), round 55512');
  expect(summaryOf('casino', { ...bet, type: 'Loss', amount: 0 })).toBe('Loss in 8801 (35), round 55512');
  expect(summaryOf('login', { ...samplesOf('login')[0], is_impersonated: true })).toBe('Staff signed in as the player');
});
