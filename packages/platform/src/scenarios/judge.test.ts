import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import type { Expected } from './scenario.ts';
import type { TimelineEntry } from './timeline.ts';

const at = Date.UTC(2026, 4, 4, 12) * 1000;
const entry = (of: Partial<TimelineEntry>): TimelineEntry => ({
  at,
  campaign: 'welcome',
  version: 1,
  step: null,
  what: 'run',
  outcome: 'entered',
  reason: null,
  variant: null,
  channel: null,
  template: null,
  bonus_code: null,
  until: null,
  rendered: null,
  ...of,
});
const came = [
  entry({}),
  entry({ step: 'hello', what: 'send', outcome: 'sent', channel: 'site', rendered: 'Welcome Ann' }),
  entry({ step: 'pause', what: 'wait', outcome: 'waiting', until: at + 60_000_000 }),
];

test.each<[name: string, expected: 'nothing' | Expected[], failures: number]>([
  ['all of it', [{ entered: 'welcome' }, { sent: 'hello', text: 'Ann' }, { waiting: 'pause' }], 0],
  ['a wait need not be expected', [{ entered: true }, { sent: true }], 0],
  ['an effect must be expected', [{ entered: 'welcome' }], 1],
  ['the order counts', [{ sent: 'hello' }, { entered: 'welcome' }], 2],
  ['another text', [{ entered: 'welcome' }, { sent: 'hello', text: 'Bob' }], 2],
  ['another moment', [{ entered: 'welcome', at: '2026-05-04T12:00:01Z' }, { sent: 'hello' }], 2],
  ['the end of a wait', [{ entered: true }, { sent: true }, { waiting: 'pause', until: '2026-05-04T12:01:00Z' }], 0],
  ['nothing', 'nothing', 3],
])('%s', (_name, expected, failures) => {
  expect(judge(expected, came)).toHaveLength(failures);
});
