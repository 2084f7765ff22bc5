import { describe, expect, test } from 'vitest';
import { run, sound } from './campaigns.test-data.ts';
import { type CampaignEvidence, judgeRuns, type KeptRun } from './campaigns.ts';
import { judgeScheduled } from './scheduled-runs.ts';

/** The scheduled time is 40,000. */
const scheduled: KeptRun = { ...run, campaign: 'scheduled', payment_id: 'ann', entered_at: 40_500 };
const evidenceOf = (...runs: KeptRun[]): CampaignEvidence => ({ ...sound, runs });
const excluded: CampaignEvidence['life'] = { ...sound.life, excluded: new Map([['ann', 10]]) };

describe('violations of a scheduled start that are found', () => {
  test.each<[string, typeof judgeScheduled, CampaignEvidence, string[]]>([
    ['nothing if each player has a run', judgeScheduled, evidenceOf(scheduled), []],
    ['a player without a run', judgeScheduled, evidenceOf(run), ['started 0 runs of ann']],
    ['nothing for an excluded player without a run', judgeScheduled, { ...evidenceOf(), life: excluded }, []],
    ['a second run', judgeScheduled, evidenceOf(scheduled, { ...scheduled, run_id: 2 }), ['started 2 runs of ann']],
    [
      'a second run of an excluded player',
      judgeScheduled,
      { ...evidenceOf(scheduled, { ...scheduled, run_id: 2 }), life: excluded },
      ['started 2 runs of ann'],
    ],
    [
      'a run before the time',
      judgeScheduled,
      evidenceOf({ ...scheduled, entered_at: 39_900 }),
      ['began -100 ms after'],
    ],
    ['a run long after the time', judgeScheduled, evidenceOf({ ...scheduled, entered_at: 90_000 }), ['began 50000 ms']],
    ['nothing about a run without a payment', judgeRuns, evidenceOf(run, scheduled), []],
  ])('%s', (_, judge, evidence, told) => {
    const { broken } = judge(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});
