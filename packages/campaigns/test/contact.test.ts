import { describe, expect, test } from 'vitest';
import {
  type ContactQuestion,
  decideContact,
  decideContacts,
  marketPolicyOf,
  playerZone,
  policyBreach,
  policyGaps,
  quietUntil,
  type RequestedContact,
  subjectOf,
} from '../src/contact/index.ts';
import type { Step } from '../src/document.ts';

const moment = (text: string) => Date.parse(text) * 1000;
const night = { from: '22:00', to: '08:00' };
const zone = 'Europe/Malta';

describe('quiet hours', () => {
  test.each([
    ['in the evening, across midnight', night, '2026-06-17T23:00+02:00', '2026-06-18T08:00+02:00'],
    ['after midnight', night, '2026-06-18T03:00+02:00', '2026-06-18T08:00+02:00'],
    ['in the first minute of quiet hours', night, '2026-06-17T22:00+02:00', '2026-06-18T08:00+02:00'],
    ['just before quiet hours', night, '2026-06-17T21:59:59+02:00', null],
    ['at the end of quiet hours', night, '2026-06-18T08:00+02:00', null],
    ['within a day', { from: '13:00', to: '15:00' }, '2026-06-18T14:00+02:00', '2026-06-18T15:00+02:00'],
    ['no quiet hours, because both times are equal', { from: '10:00', to: '10:00' }, '2026-06-18T10:00+02:00', null],
    ['in a night that ends on February 29', night, '2028-02-28T23:00+01:00', '2028-02-29T08:00+01:00'],
    ['clocks go forward during quiet hours', night, '2026-03-28T23:00+01:00', '2026-03-29T08:00+02:00'],
    ['clocks go back during quiet hours', night, '2026-10-24T23:00+02:00', '2026-10-25T08:00+01:00'],
    [
      'clocks skip the end of quiet hours',
      { from: '22:00', to: '02:30' },
      '2026-03-29T01:00+01:00',
      '2026-03-29T03:00+02:00',
    ],
    [
      'the end of quiet hours occurs twice: before the first',
      { from: '22:00', to: '02:30' },
      '2026-10-25T01:00+02:00',
      '2026-10-25T02:30+02:00',
    ],
    [
      'the end of quiet hours occurs twice: before the second',
      { from: '22:00', to: '02:30' },
      '2026-10-25T02:10+01:00',
      '2026-10-25T02:30+01:00',
    ],
  ])('%s', (_name, hours, at, end) => {
    expect(quietUntil(hours, moment(at), zone)).toBe(end === null ? null : moment(end));
  });

  test('at both clock changes, the end is the first minute that is not quiet', () => {
    const minute = 60_000_000;
    for (const hours of [night, { from: '01:15', to: '02:45' }, { from: '02:30', to: '02:00' }])
      for (const start of ['2026-03-28T20:00Z', '2026-10-24T20:00Z'])
        for (let count = 0; count < 14 * 60; count += 7) {
          const at = moment(start) + count * minute;
          const end = quietUntil(hours, at, zone);
          let plain = at;
          while (quietUntil(hours, plain, zone) !== null) plain += minute;
          expect(end ?? at, `${JSON.stringify(hours)} at ${new Date(at / 1000).toISOString()}`).toBe(plain);
        }
  });
});

describe('the decision', () => {
  const at = moment('2026-06-17T12:00+02:00');
  const day = 86_400_000_000;
  const email = { channel: 'email', purpose: 'marketing' };
  const settings = { quiet_hours: night, frequency_caps: [{ channel: 'email', times: 2, within: 'P1D' }] };
  const question: ContactQuestion = {
    contact: { ...email, priority: 50 },
    at,
    zone,
    country: 'MT',
    isHeldOut: false,
    history: { sent: [], held: [] },
  };
  const decide = (change: Partial<ContactQuestion>) => decideContact(settings, { ...question, ...change });
  const capped = { outcome: 'withheld', reason: 'frequency_cap' };

  test('a contact is allowed if no rule forbids it', () => {
    expect(decide({})).toEqual({ outcome: 'allowed' });
  });

  test('quiet hours hold a contact until they end', () => {
    const until = moment('2026-06-18T08:00+02:00');
    expect(decide({ at: until - 1 })).toEqual({ outcome: 'hold', reason: 'quiet_hours', until, for: 'quiet_hours' });
  });

  test('a cap counts what was sent in its period, on its channel', () => {
    const sent = [
      { ...email, at: at - 1 },
      { ...email, at: at - day + 1 },
    ];
    expect(decide({ history: { sent, held: [] } })).toEqual(capped);
    const old = [
      { ...email, at: at - 1 },
      { ...email, at: at - day },
    ];
    expect(decide({ history: { sent: old, held: [] } }).outcome).toBe('allowed');
    const others = sent.map((one) => ({ ...one, channel: 'push' }));
    expect(decide({ history: { sent: others, held: [] } }).outcome).toBe('allowed');
  });

  test('a cap without a channel and purpose counts all messages', () => {
    const over = { ...settings, frequency_caps: [{ times: 1, within: 'P1D' }] };
    const sent = [{ channel: 'sms', purpose: 'service', at: at - 1 }];
    expect(decideContact(over, { ...question, history: { sent, held: [] } })).toEqual(capped);
  });

  test('held contacts of a higher priority reserve their places', () => {
    const sent = [{ ...email, at: at - 1 }];
    const held = (priority: number) => ({ history: { sent, held: [{ ...email, priority }] } });
    expect(decide(held(51))).toEqual(capped);
    expect(decide(held(50)).outcome).toBe('allowed');
  });

  test('the control group gets service messages but no marketing', () => {
    expect(decide({ isHeldOut: true })).toEqual({ outcome: 'withheld', reason: 'holdout' });
    const contact = { channel: 'email', purpose: 'service', priority: 50 };
    expect(decide({ isHeldOut: true, contact }).outcome).toBe('allowed');
  });

  test('the control group gets no bonuses; quiet hours and caps do not apply to bonuses', () => {
    const contact = { channel: 'bonus', purpose: 'bonus', priority: 50 };
    const late = moment('2026-06-17T23:00+02:00');
    expect(decide({ isHeldOut: true, contact })).toEqual({ outcome: 'withheld', reason: 'holdout' });
    const none = { ...settings, frequency_caps: [{ times: 0, within: 'P1D' }] };
    expect(decideContact(none, { ...question, at: late, contact }).outcome).toBe('allowed');
  });

  test('of contacts decided together, the highest priority takes the last place; a contact that the gate holds reserves one', () => {
    const { history: _, ...rest } = question;
    const ask = (player: string, priority: number, gate: RequestedContact['gate'] = 'allowed'): RequestedContact => ({
      player,
      gate,
      question: { ...rest, contact: { ...email, priority } },
    });
    const once = { ...settings, frequency_caps: [{ times: 1, within: 'P1D' }] };
    const outcomes = (asked: RequestedContact[]) =>
      decideContacts(once, asked, () => ({ sent: [], held: [] })).map((one) => one?.decision.outcome ?? null);
    expect(outcomes([ask('a', 10), ask('b', 1), ask('a', 90)])).toEqual(['withheld', 'allowed', 'allowed']);
    expect(outcomes([ask('a', 50), ask('a', 50)])).toEqual(['allowed', 'withheld']);
    expect(outcomes([ask('a', 50), ask('a', 90, 'withheld')])).toEqual(['allowed', null]);
    expect(outcomes([ask('a', 50), ask('a', 90, 'held')])).toEqual(['withheld', null]);
    expect(outcomes([ask('a', 90), ask('a', 50, 'held')])).toEqual(['allowed', null]);
  });

  test('during quiet hours, a contact that the market forbids is withheld instead of held', () => {
    const late = moment('2026-06-17T23:00+02:00');
    expect(decide({ at: late, country: 'GB', subject: { products: ['casino'] } })).toEqual({
      outcome: 'withheld',
      reason: 'policy_product_consent',
    });
  });
});

describe('the United Kingdom', () => {
  const marketing = { purpose: 'marketing', products: ['casino'], consented: ['casino'] };
  test.each([
    ['consent for the product', 'GB', marketing, null],
    ['no consent for it', 'GB', { ...marketing, consented: ['betting'] }, 'policy_product_consent'],
    ['service needs none', 'GB', { ...marketing, purpose: 'service', consented: [] }, null],
    ['wagering of 10 times', 'GB', { ...marketing, incentive: { wagering: 10 } }, null],
    ['wagering above', 'GB', { ...marketing, incentive: { wagering: 10.5 } }, 'policy_wagering'],
    ['wagering that is not stated', 'GB', { ...marketing, incentive: {} }, 'policy_wagering_unknown'],
    ['no wagering', 'GB', { ...marketing, incentive: { wagering: 0 } }, null],
    ['wagering that is not stated, in another market', 'MT', { ...marketing, incentive: {} }, null],
    [
      'an incentive over two products',
      'GB',
      { purpose: 'service', products: ['casino', 'betting'], incentive: {} },
      'policy_mixed_products',
    ],
    ['another market', 'MT', { ...marketing, consented: [], incentive: { wagering: 40 } }, null],
    ['an unknown country', null, { ...marketing, consented: [] }, null],
    ['a country named like a property of every object', 'constructor', { ...marketing, consented: [] }, null],
  ])('%s', (_name, country, subject, reason) => {
    expect(policyBreach(country, subject)).toBe(reason);
  });

  test.each([
    ['of the campaign', ['casino'], {}, ['casino']],
    ['of the bonus', [], { products: ['betting'] }, ['betting']],
    ['of both, if they differ', ['casino'], { products: ['betting'] }, ['casino', 'betting']],
    ['of both, if they are the same', ['casino'], { products: ['casino'] }, ['casino']],
  ])('a bonus is about the products %s', (_name, products, own, expected) => {
    const effect = { step: 'gift', kind: 'credit', bonus_code: 'TEN', wagering: 5, ...own } as const;
    const campaign = { code: 'c', name: 'c', entry: { api: true }, products, steps: [] } as const;
    expect(subjectOf(campaign as never, effect as never)).toEqual({ products: expected, incentive: { wagering: 5 } });
  });

  test('policyGaps lists every bonus that a market withholds, with its path', () => {
    const credit = (id: string, bonus: object) => ({ id, credit: { bonus_code: 'TEN', ...bonus } });
    const steps = [
      credit('fine', { wagering: 10 }),
      credit('high', { wagering: 35 }),
      {
        id: 'who',
        branch: [
          { when: { combinator: 'and', rules: [] }, steps: [{ id: 'gift', offer: { bonus_code: 'TEN' } }] },
          { otherwise: [credit('other', { wagering: 5, products: ['betting'] })] },
        ],
      },
      {
        id: 'test',
        split: [
          { name: 'none', share: 50 },
          {
            name: 'funds',
            share: 50,
            steps: [{ id: 'money', credit_funds: { bonus_code: 'TEN', amount: '5', currency: 'GBP' } }],
          },
        ],
      },
    ] as Step[];
    expect(
      policyGaps({ products: ['casino'], steps }).map(({ path, market, reason }) => [path, market, reason]),
    ).toEqual([
      ['/steps/1/credit/wagering', 'GB', 'policy_wagering'],
      ['/steps/2/branch/0/steps/0/offer/wagering', 'GB', 'policy_wagering_unknown'],
      ['/steps/2/branch/1/otherwise/0/credit/products', 'GB', 'policy_mixed_products'],
      ['/steps/3/split/1/steps/0/credit_funds/wagering', 'GB', 'policy_wagering_unknown'],
    ]);
    expect(policyGaps({ steps: [] })).toEqual([]);
  });

  test('policyGaps lists marketing without a product in a market that requires a consent for each product', () => {
    const steps = [{ id: 'hello', send: { channel: 'site', template: 'hello' } }] as Step[];
    const gap = { path: '/products', market: 'GB', reason: 'policy_product_unknown' };
    expect(policyGaps({ steps })).toMatchObject([gap]);
    expect(policyGaps({ purpose: 'service', steps })).toEqual([]);
    expect(policyGaps({ products: ['casino'], steps })).toEqual([]);
  });
});

test("the policy of the operator's market takes precedence over the policy of the country", () => {
  expect(marketPolicyOf('GB', 'MT')?.market).toBe('GB');
  expect(marketPolicyOf('dotcom', 'gb')?.market).toBe('GB');
  expect(marketPolicyOf(null, 'MT')).toBeUndefined();
});

test.each(['uk', 'UK', ' Uk ', 'gbr'])('%j as a market or country names the policy of GB', (name) => {
  expect(marketPolicyOf(name, null)?.market).toBe('GB');
  expect(marketPolicyOf(null, name)?.market).toBe('GB');
  expect(marketPolicyOf('dotcom', name)?.market).toBe('GB');
  expect(policyBreach(name, { purpose: 'marketing', products: ['casino'] })).toBe('policy_product_consent');
});

test.each([
  ['the one that the operator sends', { zone: 'Asia/Tokyo', country: 'SE' }, 'Asia/Tokyo'],
  ["the country's", { zone: null, country: 'se' }, 'Europe/Stockholm'],
  [
    'the one of the country if the operator sends an unknown zone',
    { zone: 'CEST+1', country: 'SE' },
    'Europe/Stockholm',
  ],
  ["the country's, also if the brand calls it UK", { zone: null, country: 'GB' }, 'Europe/London'],
  ["the brand's", { zone: null, country: 'DE' }, 'Europe/Malta'],
  [
    'the one of the brand if the country is named like a property of every object',
    { zone: null, country: 'constructor' },
    'Europe/Malta',
  ],
])('the zone of a player is %s', (_name, player, expected) => {
  const country_time_zones = { SE: 'Europe/Stockholm', UK: 'Europe/London' };
  const settings = { time_zone: 'Europe/Malta', country_time_zones };
  expect(playerZone(player, settings)).toBe(expected);
});
