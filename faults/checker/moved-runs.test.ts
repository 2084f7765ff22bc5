import { describe, expect, test } from 'vitest';
import { email, run, sound } from './campaigns.test-data.ts';
import type { CampaignEvidence, KeptRun } from './campaigns.ts';
import { judgeMoved } from './moved-runs.ts';

/** Version 2 was published at 56,000. */
const passed = (...steps: string[]) => steps.map((step) => ({ step, state: 'done', reason: null, at: 60_000 }));
const moved = { step: 'pause', state: 'moved', reason: 'from version 1', at: 56_100 };
const first: KeptRun = { ...run, campaign: 'grown', story: passed('text', 'pause', 'mail', 'rest', 'mark') };
const second: KeptRun = {
  ...first,
  version: 2,
  entered_at: 53_000,
  moved_at: 60_000,
  story: [moved, ...first.story, ...passed('ping', 'note', 'grew')],
};
const evidenceOf = (own: KeptRun, more: Partial<CampaignEvidence> = {}): CampaignEvidence => ({
  ...sound,
  runs: [own],
  messages: [],
  taken: [],
  ...more,
});

describe('violations of moves that are found', () => {
  test.each<[string, CampaignEvidence, string[]]>([
    ['nothing of a run that was over before', evidenceOf(first), []],
    ['nothing of a run that moved', evidenceOf(second), []],
    [
      'nothing of a run that began on version 2',
      evidenceOf({ ...second, entered_at: 57_000, story: second.story.slice(1) }),
      [],
    ],
    [
      'nothing of an added step that was withheld',
      evidenceOf({
        ...second,
        story: second.story.map((one) => (one.step === 'ping' ? { ...one, state: 'withheld' } : one)),
      }),
      [],
    ],
    ['a run that moved twice', evidenceOf({ ...second, story: [moved, ...second.story] }), ['moved 2 times']],
    ['a run that did not move', evidenceOf({ ...second, story: second.story.slice(1) }), ['did not move']],
    [
      'a move without a new version',
      evidenceOf({ ...first, story: [moved, ...first.story] }),
      ['moved, but not to version 2'],
    ],
    [
      'a run that is done without an added step',
      evidenceOf({ ...second, story: second.story.slice(0, -1) }),
      ['is done without grew'],
    ],
    [
      'an added step that a run of version 1 passed',
      evidenceOf({ ...first, story: [...first.story, ...passed('grew')] }),
      ['passed grew'],
    ],
    [
      'a message of an added step from a run of version 1',
      evidenceOf(first, { messages: [{ ...email, channel: 'site', key: 'grown note a-1' }] }),
      ['passed note'],
    ],
    [
      'a run that begins on version 1 afterwards',
      evidenceOf({ ...first, entered_at: 57_001 }),
      ['began 1001 ms after'],
    ],
    ['a run that stays on version 1', evidenceOf({ ...first, moved_at: 90_000 }), ['continued 34000 ms after']],
  ])('%s', (_, evidence, told) => {
    const { broken } = judgeMoved(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});
