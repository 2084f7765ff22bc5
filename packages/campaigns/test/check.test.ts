import { expect, test } from 'vitest';
import { checkCampaign, type Known } from '../src/index.ts';

const known: Known = {
  catalog: { field: () => undefined, fact: () => undefined },
  segments: new Set(),
  templates: new Map([
    ['hello', { channel: 'site', purpose: 'marketing' }],
    ['notice', { channel: 'site', purpose: 'service' }],
  ]),
  events: new Map([['payment', new Map([['status', ['Approved', 'Rejected']]])]]),
};
const any = { combinator: 'and', rules: [] };
const tag = { id: 't', tag: 'vip' };

function pathsOf(change: object): string[] {
  const document = { code: 'any', name: 'Any', entry: { api: true }, steps: [], ...change };
  return checkCampaign(document, known).map(({ path }) => path);
}

const steps: [string, object, string[]][] = [
  ['a split with an arm that is null', { split: [null] }, ['/split/0', '/split']],
  ['an arm with when and otherwise', { branch: [{ when: any, otherwise: [] }] }, ['/branch/0/when']],
  ['an arm with when and no steps', { branch: [{ when: any }] }, ['/branch/0/steps']],
  ['an arm with an unknown field', { branch: [{ when: any, steps: [], extra: [] }] }, ['/branch/0/extra']],
  ['otherwise before another arm', { branch: [{ otherwise: [] }, { when: any, steps: [] }] }, ['/branch/0']],
  ['an unknown field of a split', { split: [{ name: 'a', share: 100, weight: 1 }] }, ['/split/0/weight']],
  ['control that is not a boolean', { split: [{ name: 'a', share: 100, control: 'no' }] }, ['/split/0/control']],
  [
    'steps of a control arm, which no player would get',
    { split: [{ name: 'a', share: 100, control: true, steps: [tag] }] },
    ['/split/0/steps'],
  ],
  ['a share that is text', { split: [{ name: 'a', share: '100' }] }, ['/split/0/share', '/split']],
  ['a reason that is not text', { exit: { reason: { a: 1 } } }, ['/exit/reason']],
  ['a reason of 201 characters', { exit: { reason: 'a'.repeat(201) } }, ['/exit/reason']],
  ['a reason with NUL', { exit: { reason: 'a\u0000b' } }, ['/exit/reason']],
  ['half a surrogate pair', { exit: { reason: 'a\ud800' } }, ['/exit/reason']],
  [
    'a currency that is not a code',
    { credit_funds: { bonus_code: 'A', amount: '1', currency: 'euros!' } },
    ['/credit_funds/currency'],
  ],
  ['a wait until a year that cannot be stored', { wait: { until: '9999-12-31T23:59' } }, ['/wait/until']],
  ['a wait until the year 1', { wait: { until: '0001-01-01' } }, ['/wait/until']],
  ['a wait until the last year', { wait: { until: '2199-12-31' } }, []],
  ['a bonus code of 201 characters', { offer: { bonus_code: 'A'.repeat(201) } }, ['/offer/bonus_code']],
  ['a blank bonus code', { credit: { bonus_code: ' ' } }, ['/credit/bonus_code']],
  ['a control arm without steps', { split: [{ name: 'a', share: 100, control: true, steps: [] }] }, []],
  ['a reason', { exit: { reason: 'enough' } }, []],
  ['otherwise alone', { branch: [{ otherwise: [tag] }] }, []],
];

test.each(steps)('a step: %s', (_, step, paths) => {
  expect(pathsOf({ steps: [{ id: 'a', ...step }] })).toEqual(paths.map((path) => `/steps/0${path}`));
});

test.each([
  ['service', 'hello', ['/steps/0/send/template']],
  ['service', 'notice', []],
  ['marketing', 'hello', []],
  ['marketing', 'notice', []],
])('a %s campaign with the template %s', (purpose, template, paths) => {
  expect(pathsOf({ purpose, steps: [{ id: 'a', send: { channel: 'site', template } }] })).toEqual(paths);
});

const others: [string, object, string[]][] = [
  ['an unknown field of an entry by API', { entry: { api: true, where: any } }, ['/entry/where']],
  [
    'while_running that is not a boolean',
    { reentry: { times: 2, while_running: 'false' } },
    ['/reentry/while_running'],
  ],
  ['a key with NUL', { entry: { api: true, 'a\u0000': 1 } }, ['/entry', '/entry/a\u0000']],
];

test.each(others)('a document: %s', (_, change, paths) => {
  expect(pathsOf(change)).toEqual(paths);
});
