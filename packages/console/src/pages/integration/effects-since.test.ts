import { expect, test } from 'vitest';
import { effectsSince } from './effects-since.ts';

const event = { position: '1-20-3', since: '2026-05-01T12:00:00Z' };
const segment = (at: string, id: string) => ({
  type: 'segment',
  at,
  code: 'lapsed',
  transition: 'left',
  cause: { type: 'event', id },
});

test('what names the event as its cause is told from what merely came later, and earlier things are left out', () => {
  const effects = effectsSince(
    {
      timeline: [
        segment('2026-05-01T12:00:02Z', '1:21:0'),
        segment('2026-05-01T12:00:01Z', '1:20:3'),
        segment('2026-05-01T11:59:59Z', '1:19:0'),
        { type: 'event', at: '2026-05-01T12:00:01Z', kind: 'login' },
      ],
      runs: [
        {
          run_id: 1,
          campaign: 'welcome',
          state: 'active',
          reason: null,
          entered_at: '2026-05-01T12:00:03Z',
          cause: { type: 'event', id: '1:20:3' },
          steps: [],
        },
      ],
      decisions: [],
    },
    event,
  );
  expect(effects.map(({ kind, at, isCausedByIt }) => [kind, at, isCausedByIt])).toEqual([
    ['segment', '2026-05-01T12:00:01Z', true],
    ['segment', '2026-05-01T12:00:02Z', false],
    ['run', '2026-05-01T12:00:03Z', true],
  ]);
});
