import { expect, test } from 'vitest';
import { effectsSince } from './effects-since.ts';

const event = { position: '1-20-3', since: '2026-05-01T12:00:00Z' };
const at = (second: number) => `2026-05-01T12:00:0${second}Z`;
const segment = (when: string, id: string, code = 'lapsed') => ({
  type: 'segment',
  at: when,
  transition_id: `${code} ${when}`,
  code,
  transition: 'left',
  cause: { type: 'event', id },
});
const shown = (effects: ReturnType<typeof effectsSince>) =>
  effects.map(({ entry, isCausedByIt }) => [entry.type, entry.at, isCausedByIt]);

test('effects of the event are distinguished from other later entries, and earlier entries are left out', () => {
  const timeline = [
    segment(at(2), '1:21:0', 'other'),
    segment(at(1), '1:20:3'),
    segment('2026-05-01T11:59:59Z', '1:19:0'),
    { type: 'run', at: at(3), run_id: 1, campaign: 'welcome', state: 'entered', cause: 'event', cause_id: '1:20:3' },
  ];
  expect(shown(effectsSince({ timeline, runs: [] }, event))).toEqual([
    ['segment', at(1), true],
    ['segment', at(2), false],
    ['run', at(3), true],
  ]);
});

test('the chain is followed from the event through a segment and a run to the decision about a bonus', () => {
  const timeline = [
    // The newest entry comes first, as in the API.
    { type: 'decision', at: at(7), decision_id: 2, outcome: 'allowed', cause: { kind: 'intent', id: 'i-1' } },
    { type: 'bonus_intent', at: at(6), intent_id: 'i-1', state: 'credited', created_by: 'campaign back' },
    { type: 'bonus_intent', at: at(6), intent_id: 'i-2', state: 'credited', created_by: 'ann@example.com' },
    { type: 'decision', at: at(5), decision_id: 1, outcome: 'allowed', cause: { kind: 'run', id: '9/send' } },
    { type: 'decision', at: at(5), decision_id: 3, outcome: 'allowed', cause: { kind: 'run', id: '8/send' } },
    { type: 'run', at: at(3), run_id: 9, campaign: 'back', state: 'entered', cause: 'segment', cause_id: 'lapsed' },
    segment(at(1), '1:20:3'),
  ];
  const runs = [{ run_id: 9, campaign: 'back', steps: [{ id: 'send', state: 'done', at: at(4), reason: null }] }];
  const effects = effectsSince({ timeline, runs }, event);
  expect(effects.filter(({ isCausedByIt }) => isCausedByIt).map(({ key }) => key)).toEqual([
    `segment lapsed ${at(1)}`,
    'run 9 entered',
    `step 9 send ${at(4)}`,
    'decision 1',
    'bonus_intent i-1',
    'decision 2',
  ]);
  expect(effects).toHaveLength(8);
});
