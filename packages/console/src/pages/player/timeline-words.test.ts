import { expect, test } from 'vitest';
import { entryKey, lineOf, type TimelineEntry } from './timeline-words.ts';

const at = '2026-05-01T12:00:00Z';

test.each<[string, Omit<TimelineEntry, 'at'>, string | undefined]>([
  [
    'a run by an event',
    { type: 'run', run_id: 1, campaign: 'welcome', state: 'entered', reason: null, cause: 'event', cause_id: '1:20:3' },
    'integration/inspector/1-20-3',
  ],
  [
    'a run by a segment',
    { type: 'run', run_id: 1, campaign: 'back', state: 'entered', reason: null, cause: 'segment', cause_id: 'lapsed' },
    'segments/lapsed',
  ],
  [
    'a run by a schedule',
    { type: 'run', run_id: 1, campaign: 'news', state: 'entered', reason: null, cause: 'schedule', cause_id: null },
    undefined,
  ],
  [
    'a segment left by an event',
    { type: 'segment', transition_id: 1, code: 'lapsed', transition: 'left', cause: { type: 'event', id: '1:20:3' } },
    'integration/inspector/1-20-3',
  ],
  [
    'a segment left because of another segment',
    { type: 'segment', transition_id: 1, code: 'lapsed', transition: 'left', cause: { type: 'segment', code: 'vip' } },
    'segments/vip',
  ],
  [
    'a segment entered because of an offer',
    { type: 'segment', transition_id: 1, code: 'lapsed', transition: 'entered', cause: { type: 'offer', id: 'i-1' } },
    'rewards/intents/i-1',
  ],
  [
    'a segment left as time passed',
    { type: 'segment', transition_id: 1, code: 'lapsed', transition: 'left', cause: { type: 'time' } },
    undefined,
  ],
  [
    'a bonus of a campaign',
    { type: 'bonus_intent', intent_id: 'i', state: 'credited', created_by: 'campaign welcome' },
    'campaigns/welcome',
  ],
  [
    'a bonus of a person',
    { type: 'bonus_intent', intent_id: 'i', state: 'credited', created_by: 'ann@example.com' },
    undefined,
  ],
  [
    'a decision about a bonus',
    { type: 'decision', decision_id: 1, outcome: 'withheld', cause: { kind: 'intent', id: 'i-1' } },
    'rewards/intents/i-1',
  ],
  [
    'a decision about a message',
    { type: 'decision', decision_id: 1, outcome: 'allowed', cause: { kind: 'message', id: '7' } },
    'players/ann%201',
  ],
  [
    'a decision about a step of a campaign',
    { type: 'decision', decision_id: 1, outcome: 'allowed', cause: { kind: 'run', id: '31/hello' } },
    'runs/31',
  ],
])('%s names its cause', (_name, entry, to) => {
  expect(lineOf({ at, ...entry } as TimelineEntry, 'ann 1').cause?.link?.to).toBe(to);
});

test('a decision about an e-mail leads to its page', () => {
  const entry = { type: 'decision', at, decision_id: 1, channel: 'email', cause: { kind: 'message', id: '7' } };
  expect(lineOf(entry, 'ann').cause?.link).toEqual({ to: 'messages/sent/email-7' });
});

test.each([
  ['on the site', { channel: 'site', event: 'inbox', is_read: false }, { row: '7' }],
  ['as a push', { channel: 'push', event: 'message', is_read: true }, { row: '7' }],
  ['by telephone', { channel: 'telephone', event: null, is_read: null }, { 'elsewhere.row': 'telephone 7' }],
])('a message %s leads to its row in the list that contains it', (_name, fields, row) => {
  const entry = { type: 'message', at, message_id: 7, campaign_id: null, state: 'sent', reason: null, ...fields };
  expect(lineOf(entry, 'ann 1').link).toEqual({ to: 'players/ann%201', search: { tab: 'messages', ...row } });
});

test.each(['email', 'sms', 'webhook', 'operator'])('a message of the channel %s leads to its page', (channel) => {
  const entry = { type: 'message', at, message_id: 7, campaign_id: null, state: 'sent', channel };
  expect(lineOf(entry, 'ann 1').link).toEqual({ to: `messages/sent/${channel}-7` });
});

test('a step leads to the run that it belongs to', () => {
  const entry = { type: 'decision', at, decision_id: 1, outcome: 'held', cause: { kind: 'run', id: '31/hello' } };
  expect(lineOf(entry, 'ann').cause?.link).toEqual({ to: 'runs/31' });
});

test('an applied event has no state; any other event shows its outcome', () => {
  const event = { type: 'event', at, kind: 'payment', position: '1-2-3', summary: 'Deposit of 5 EUR' };
  expect(lineOf({ ...event, verdict: 'applied' }, 'ann')).toEqual({
    kind: 'payment',
    what: 'Deposit of 5 EUR',
    link: { to: 'integration/inspector/1-2-3' },
  });
  expect(lineOf({ ...event, verdict: 'conflict' }, 'ann').state).toBe('conflict');
});

test('every entry has its own key, also the two entries of a run and the consents of one change', () => {
  const change = { type: 'change', at, change_id: 5 };
  expect(entryKey({ ...change, changed: 'Email' })).not.toBe(entryKey({ ...change, changed: 'SMS' }));
  const run = { type: 'run', at, run_id: 4 };
  expect(entryKey({ ...run, state: 'entered' })).not.toBe(entryKey({ ...run, state: 'done' }));
  expect(entryKey({ type: 'decision', at, decision_id: 9 })).toBe('decision 9');
  expect(entryKey({ type: 'tag', at, tag: 'vip' })).toContain('vip');
});
