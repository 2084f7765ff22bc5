import { describe, expect, test } from 'vitest';
import { decisionItem, type EventItem, mergeBeside, type RefreshItem } from './timeline.ts';

const event = (at: number): EventItem => ({
  type: 'event',
  at,
  kind: 'login',
  position: `1-1-${at}`,
  received_at: at,
  verdict: 'applied',
  flags: [],
});
const refresh = (at: number): RefreshItem => ({
  type: 'refresh',
  at,
  look_up: 'details',
  outcome: 'succeeded',
  reason: null,
  detail: null,
});
const times = (items: readonly { type: string; at: number }[]) => items.map(({ type, at }) => `${type} ${at}`);

describe('refreshes on the timeline', () => {
  const refreshes = [refresh(95), refresh(55), refresh(5)];

  test('are on the page of the events between which they fall, each once', () => {
    const first = mergeBeside([event(90), event(60)], refreshes, Number.POSITIVE_INFINITY, false);
    expect(times(first.items)).toEqual(['refresh 95', 'event 90', 'event 60']);
    const second = mergeBeside([event(50), event(40)], refreshes, first.below, false);
    expect(times(second.items)).toEqual(['refresh 55', 'event 50', 'event 40']);
    const last = mergeBeside([event(30)], refreshes, second.below, true);
    expect(times(last.items)).toEqual(['event 30', 'refresh 5']);
  });

  test('wait for a later page if a page has no event yet', () => {
    const empty = mergeBeside([], refreshes, 80, false);
    expect(empty).toEqual({ items: [], below: 80 });
    expect(times(mergeBeside([], refreshes, empty.below, true).items)).toEqual(['refresh 55', 'refresh 5']);
  });
});

describe('a decision', () => {
  const decided = { decision_id: 1, decided_at: 5, channel: 'site', purpose: 'marketing', outcome: 'withheld', reason: 'excluded' };
  const runs = { campaigns: new Map([[4, 'back']]), messages: new Map(), intents: new Map() };
  const itemOf = (cause_kind: string, cause_id: string) =>
    decisionItem({ ...decided, cause_kind, cause_id } as Parameters<typeof decisionItem>[0], runs);

  test('about a step names the run and its campaign', () => {
    expect(itemOf('run', '4/hello')).toMatchObject({ run_id: 4, campaign: 'back' });
    expect(itemOf('run', '5/hello')).toMatchObject({ run_id: 5, campaign: null });
  });

  test('about something else names no run', () => {
    expect(itemOf('message', '4')).toMatchObject({ cause: { kind: 'message', id: '4' }, run_id: null, campaign: null });
  });
});
