import { expect, test } from 'vitest';
import { absentVariables, type Campaign, offersBefore } from '../src/index.ts';

type Steps = Campaign['steps'];
const always = { combinator: 'and' as const, rules: [] };
const campaignOf = (entry: Campaign['entry'], ...steps: Steps): Campaign => ({
  code: 'any',
  name: 'Any',
  entry,
  steps,
});
const say = (id: string, template: string): Steps[number] => ({ id, send: { channel: 'site', template } });
const offer = (id: string): Steps[number] => ({ id, offer: { bonus_code: id } });
const templates: Record<string, string[]> = {
  paid: ['event.amount', 'event.meta.shop', 'event.color', 'player.first_name'],
  gift: ['offer.bonus_code', 'offer.price'],
};
const known = {
  neededBy: (template: string) => templates[template] ?? [],
  fieldsOf: (event: string) => (event === 'custom' ? undefined : new Set(['amount', 'meta'])),
};
const absent = (campaign: Campaign) =>
  absentVariables(campaign, known).map(
    ({ path, step, variable, message }) => `${path} ${step} ${variable}: ${message}`,
  );

test('fields that the event of the entry does not have are found', () => {
  expect(absent(campaignOf({ event: 'payment' }, say('hello', 'paid')))).toEqual([
    '/steps/0/send/template hello event.color: event.color is empty: payment has no color',
  ]);
  expect(absent(campaignOf({ event: 'custom' }, say('hello', 'paid')))).toEqual([]);
  expect(absent(campaignOf({ api: true }, say('hello', 'paid')))).toEqual([]);
  expect(absent(campaignOf({ segment: 'vip', on: 'entered' }, say('hello', 'paid')))).toHaveLength(3);
});

test('an offer before any step that gives one is found, with the path of the message', () => {
  const fork: Steps[number] = {
    id: 'fork',
    branch: [{ when: always, steps: [offer('one'), say('a', 'gift')] }, { otherwise: [say('b', 'gift')] }],
  };
  expect(absent(campaignOf({ api: true }, fork, say('c', 'gift')))).toEqual([
    '/steps/0/branch/0/steps/1/send/template a offer.price: offer.price is empty: an offer has intent_id, step, kind, bonus_code, amount, currency, expires_at, wagering',
    '/steps/0/branch/1/otherwise/0/send/template b offer.bonus_code: offer.bonus_code is empty: no step before b is a credit or an offer',
    '/steps/0/branch/1/otherwise/0/send/template b offer.price: offer.price is empty: no step before b is a credit or an offer',
    expect.stringMatching(/^\/steps\/1\/send\/template c offer.price: /),
  ]);
});

test('offers before a step are in the order of the run', () => {
  const split: Steps[number] = {
    id: 'split',
    split: [
      { name: 'a', share: 50, steps: [offer('two')] },
      { name: 'b', share: 50, steps: [offer('three'), say('in', 'gift'), offer('four')] },
    ],
  };
  const campaign = campaignOf({ api: true }, offer('one'), split, say('out', 'gift'), offer('five'));
  const ids = (step: string) => offersBefore(campaign, step).map(({ id }) => id);
  expect(ids('one')).toEqual([]);
  expect(ids('in')).toEqual(['one', 'three']);
  expect(ids('out')).toEqual(['one', 'two', 'three', 'four']);
});
