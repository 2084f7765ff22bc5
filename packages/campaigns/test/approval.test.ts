import { expect, test } from 'vitest';
import { type ApprovalLimits, approvalReasons } from '../src/approval.ts';
import type { Campaign } from '../src/index.ts';

const campaign = (...steps: Campaign['steps']): Campaign => ({
  code: 'c',
  name: 'C',
  entry: { schedule: { at: '2026-12-24T18:00' } },
  steps,
});
const funds = (amount: string, currency = 'EUR'): Campaign['steps'][number] => ({
  id: 'funds',
  credit_funds: { bonus_code: 'CASH', amount, currency },
});
const reach = { players: 1_000, baseCurrency: 'EUR' };

test.each<[string, Campaign, ApprovalLimits, string[]]>([
  ['no limits', campaign({ id: 'gift', credit: { bonus_code: 'TEN' } }), { players: null, money: null }, []],
  ['as many players as allowed', campaign(), { players: 1_000, money: null }, []],
  [
    'one player too many',
    campaign(),
    { players: 999, money: null },
    ['it may reach 1000 players, above the limit of 999'],
  ],
  ['exactly the money allowed', campaign(funds('0.10')), { players: null, money: '100' }, []],
  [
    'slightly more money than allowed',
    campaign(funds('0.10000001')),
    { players: null, money: '100' },
    ['its bonuses may cost 100.00001 EUR, above the limit of 100'],
  ],
  [
    'bonuses in arms of a split, with an unknown cost',
    campaign({
      id: 'test',
      split: [
        { name: 'a', share: 50, steps: [{ id: 'gift', credit: { bonus_code: 'TEN' } }] },
        { name: 'b', share: 50, steps: [{ id: 'later', offer: { bonus_code: 'TEN' } }] },
      ],
    }),
    { players: null, money: '1000000' },
    ['the cost of the bonuses of gift, later is unknown'],
  ],
  [
    'a foreign currency',
    campaign(funds('1', 'SEK')),
    { players: null, money: '9' },
    ['the cost of the bonuses of funds is unknown'],
  ],
  [
    'players who may enter three times',
    { ...campaign(funds('0.10')), reentry: { times: 3 } },
    { players: null, money: '299' },
    ['its bonuses may cost 300.00 EUR, above the limit of 299'],
  ],
  [
    'players who may enter again without limit',
    { ...campaign(funds('0.10')), reentry: { times: 'unlimited' } },
    { players: null, money: '1000000' },
    ['players may enter again without limit, so the cost of the bonuses is unlimited'],
  ],
  [
    'players who may enter again after a time',
    { ...campaign(funds('0.10')), reentry: { after: 'P1D' } },
    { players: null, money: '1000000' },
    ['players may enter again without limit, so the cost of the bonuses is unlimited'],
  ],
  [
    'no bonus, and players who may enter again without limit',
    { ...campaign({ id: 'tag', tag: 'seen' }), reentry: { times: 'unlimited' } },
    { players: null, money: '0' },
    [],
  ],
  ...(
    [
      ['by an event', { event: 'registration' }],
      ['by API calls', { api: true }],
      ['into a segment', { segment: 'new', on: 'entered' }],
      ['at each time of a schedule', { schedule: { every: 'P1D' } }],
    ] as [string, Campaign['entry']][]
  ).map(([name, entry]): [string, Campaign, ApprovalLimits, string[]] => [
    `players who enter ${name}, of whom there will be more`,
    { ...campaign(funds('0.10')), entry },
    { players: null, money: '1000000' },
    [
      'new players may enter for as long as it is live, so the cost of the bonuses is unlimited; `halt.entered_per_day` limits it',
    ],
  ]),
  [
    'new players, as many a day as allowed',
    { ...campaign(funds('0.10')), entry: { api: true }, halt: { entered_per_day: 1_000 } },
    { players: null, money: '100' },
    [],
  ],
  [
    'one new player a day too many',
    { ...campaign(funds('0.10')), entry: { api: true }, halt: { entered_per_day: 1_001 } },
    { players: null, money: '100' },
    ['its bonuses may cost 100.10 EUR a day, above the limit of 100'],
  ],
  ['no bonus at all', campaign({ id: 'tag', tag: 'seen' }), { players: null, money: '0' }, []],
])('%s', (_name, document, limits, reasons) => {
  expect(approvalReasons(document, reach, limits)).toEqual(reasons);
});
