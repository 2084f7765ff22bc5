import type { Catalog, PlayerView, Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { advance, type Campaign, type Context, checkCampaign, dueOf, type Input, newRun } from '../src/index.ts';

const moment = (text: string) => Date.parse(text) * 1000;
const player: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [] };
const catalog: Catalog = { field: () => undefined, fact: () => undefined };
const always: Rule = { combinator: 'and', rules: [] };
const never: Rule = { ...always, not: true };

function campaignOf(wait: object): Campaign {
  const document = { code: 'any', name: 'Any', entry: { api: true }, steps: [{ id: 'pause', wait }] };
  return document as unknown as Campaign;
}

function contextOf(wait: object, at: string, zone = 'Europe/Malta'): Context {
  return {
    campaign: campaignOf(wait),
    at: moment(at),
    zone,
    brandZone: 'UTC',
    player,
    catalog,
    seed: 'any anna',
    enteredAt: moment(at),
    causedAt: moment(at),
  };
}

const untils: [string, object, string, string | null][] = [
  ['today', { until: '18:00' }, '2026-06-17T12:00Z', '2026-06-17T16:00Z'],
  ['tomorrow, if the time has passed today', { until: '18:00' }, '2026-06-17T16:01Z', '2026-06-18T16:00Z'],
  ['in the zone of the brand', { until: '18:00', zone: 'brand' }, '2026-06-17T12:00Z', '2026-06-17T18:00Z'],
  ['after the night in which the clocks go forward', { until: '18:00' }, '2026-03-28T18:00Z', '2026-03-29T16:00Z'],
  ['after the night in which the clocks go back', { until: '18:00' }, '2026-10-24T18:00Z', '2026-10-25T17:00Z'],
  ['moved forward if the clocks skip it', { until: '02:30' }, '2026-03-28T12:00Z', '2026-03-29T01:30Z'],
  ['the first of two if it occurs twice', { until: '02:30' }, '2026-10-24T12:00Z', '2026-10-25T00:30Z'],
  ['midnight, if a date has no time', { until: '2026-12-24' }, '2026-06-17T12:00Z', '2026-12-23T23:00Z'],
  ['a leap day with a time', { until: '2028-02-29T10:00' }, '2026-06-17T12:00Z', '2028-02-29T09:00Z'],
  ['no wait at exactly that time', { until: '18:00' }, '2026-06-17T16:00Z', null],
  ['no wait for a past date', { until: '2026-01-01' }, '2026-06-17T12:00Z', null],
];

test.each(untils)('a wait until a time: %s', (_name, wait, at, until) => {
  const { run, records } = advance(newRun(), { kind: 'begin' }, contextOf(wait, at));
  if (until === null) {
    expect(run).toMatchObject({ state: 'done', wait: null });
    expect(records).toMatchObject([{ step: 'pause', state: 'done', reason: null }]);
  } else expect(run).toMatchObject({ state: 'waiting', wait: { until: moment(until), for: 'time' } });
});

const ends: [string, object, Input, string | null][] = [
  ['a time is over', { for: 'PT1H' }, { kind: 'due' }, null],
  ['a time of day is over', { until: '18:00' }, { kind: 'due' }, null],
  ['no event came in time', { event: 'login', timeout: 'P1D' }, { kind: 'due' }, 'timeout'],
  ['a rule did not become true in time', { rule: never, timeout: 'P1D' }, { kind: 'due' }, 'timeout'],
  [
    'the event came',
    { event: 'login', timeout: 'P1D' },
    { kind: 'event', event: { id: '1', kind: 'login', at: moment('2026-06-17T13:00Z'), row: { at: 0 } } },
    null,
  ],
];

test.each(ends)('the history of a run states why a wait ended: %s', (_name, wait, input, reason) => {
  const context = contextOf(wait, '2026-06-17T12:00Z');
  const { run } = advance(newRun(), { kind: 'begin' }, context);
  const at = input.kind === 'due' ? (dueOf(run) ?? Number.NaN) : context.at;
  const { records } = advance(run, input, { ...context, at });
  expect(records).toMatchObject([{ step: 'pause', state: 'done', reason }]);
});

test.each([
  ['before the cause of its run does not end', '2026-06-17T11:29:59Z', 'waiting'],
  ['between the cause and the entry ends', '2026-06-17T11:30Z', 'done'],
])('an event %s the wait, even if it arrives late', (_name, when, state) => {
  const context = {
    ...contextOf({ event: 'login', timeout: 'P1D' }, '2026-06-17T12:00Z'),
    causedAt: moment('2026-06-17T11:30Z'),
  };
  const { run } = advance(newRun(), { kind: 'begin' }, context);
  const event = { id: '1', kind: 'login', at: moment(when), row: { at: moment(when) } };
  expect(advance(run, { kind: 'event', event }, context).run.state).toBe(state);
});

test.each([
  ['at the end of the wait ends it', '2026-06-18T12:00Z', null],
  ['after the end of the wait does not end it', '2026-06-18T12:00:00.001Z', 'timeout'],
])('while the worker was down, an event %s', (_name, when, reason) => {
  const wait = { event: 'login', timeout: 'P1D' };
  const { run } = advance(newRun(), { kind: 'begin' }, contextOf(wait, '2026-06-17T12:00Z'));
  const late = { ...contextOf(wait, '2026-06-18T15:00Z'), causedAt: moment('2026-06-17T12:00Z') };
  const event = { id: '1', kind: 'login', at: moment(when), row: { at: moment(when) } };
  const first = advance(run, { kind: 'event', event }, late);
  const then = advance(first.run, { kind: 'due' }, late);
  expect([...first.records, ...then.records]).toMatchObject([{ step: 'pause', state: 'done', reason }]);
});

test('a rule that becomes true ends its wait', () => {
  const before = contextOf({ rule: never, timeout: 'P1D' }, '2026-06-17T12:00Z');
  const { run } = advance(newRun(), { kind: 'begin' }, before);
  const after = contextOf({ rule: always, timeout: 'P1D' }, '2026-06-17T13:00Z');
  expect(advance(run, { kind: 'changed' }, after).records).toMatchObject([{ state: 'done', reason: null }]);
});

test.each([
  [{ until: '18:00' }, []],
  [{ until: '2028-02-29T10:00', zone: 'brand' }, []],
  [{ until: '2027-02-29' }, ['/steps/0/wait/until']],
  [{ until: '25:00' }, ['/steps/0/wait/until']],
  [{ until: '18:00', zone: 'UTC' }, ['/steps/0/wait/zone']],
  [{ until: '18:00', timeout: 'P1D' }, ['/steps/0/wait/timeout']],
])('the validation of a wait until %j', (wait, paths) => {
  const known = { catalog, segments: new Set<string>(), templates: new Map() };
  const errors = checkCampaign(campaignOf(wait), known as unknown as Parameters<typeof checkCampaign>[1]);
  expect(errors.map(({ path }) => path)).toEqual(paths);
});
