import { describe, expect, test } from 'vitest';
import { email, payment, run, sound } from './campaigns.test-data.ts';
import type { CampaignEvidence, KeptMessage, KeptRun } from './campaigns.ts';
import { judgeRollbacks } from './rollbacks.ts';

const rolledBack = { ...payment, begins: 'patient' as const, rolled_back_at: 2_000, rollback_timestamp: 1_900 };
const waited = { step: 'pause', state: 'done', reason: null, at: 6_100 };
const effect = { step: 'mark', state: 'done', reason: null, at: 6_100 };
const withdrawn: KeptRun = {
  ...run,
  campaign: 'patient',
  state: 'exited',
  reason: 'cause_withdrawn',
  moved_at: 2_100,
  story: [],
};
const continued: KeptRun = { ...run, campaign: 'patient', moved_at: 8_100, story: [waited, effect] };
const later = { ...payment, payment_id: 'a-2', published_at: 2_500, timestamp: 2_400, acknowledged_at: 2_600 };
const runOfLater: KeptRun = { ...run, run_id: 2, payment_id: 'a-2', entered_at: 2_700 };
const stored = (at: number, writer_id: number) => ({ user_id: 'ann', at, verdict: 'applied', writer_id });
const message: KeptMessage = { ...email, key: 'patient mail a-1', ordered_at: 2_050 };

function evidenceOf(own: KeptRun, more: Partial<CampaignEvidence> = {}): CampaignEvidence {
  return { ...sound, life: { ...sound.life, payments: [rolledBack] }, runs: [own], messages: [], taken: [], ...more };
}
const withLater = (own: KeptRun, other = runOfLater) =>
  evidenceOf(own, {
    life: { ...sound.life, payments: [rolledBack, later] },
    runs: [own, other],
    journal: [stored(1_900, 1), stored(2_400, 1)],
  });

describe('violations of rollbacks that are found', () => {
  test.each<[string, CampaignEvidence, string[]]>([
    ['nothing if the run was withdrawn', evidenceOf(withdrawn), []],
    ['nothing if no payment was rolled back', sound, []],
    ['nothing if the run had its effect before', evidenceOf(continued), []],
    ['nothing if the player was excluded before', evidenceOf({ ...withdrawn, reason: 'excluded' }), []],
    ['nothing if no run started, which is checked elsewhere', evidenceOf(withdrawn, { runs: [] }), []],
    [
      'a run without an effect that was not withdrawn',
      evidenceOf({ ...continued, story: [waited] }),
      ['run 1 of ann in patient, whose payment a-1 was rolled back, is done, without an effect'],
    ],
    [
      'an effect although a later payment was processed before',
      withLater(continued),
      [
        'began -0.9 s and had its first effect 4.1 s after the rollback; run 2, whose payment is later, began 0.7 s after it',
      ],
    ],
    [
      'nothing if the later payment was processed at the time of the effect',
      withLater(continued, { ...runOfLater, entered_at: 6_100 }),
      [],
    ],
    [
      'an effect long after the rollback, without faults',
      evidenceOf(continued, { calmPayments: [rolledBack] }),
      ['had its first effect 4100 ms after the rollback'],
    ],
    [
      'a withdrawn run that has had an effect',
      evidenceOf(
        { ...withdrawn, story: [waited, effect] },
        { life: { ...sound.life, payments: [{ ...rolledBack, rolled_back_at: 7_000 }] } },
      ),
      ['was withdrawn after its effect at mark'],
    ],
    [
      'a withdrawn run that ordered a message',
      evidenceOf(withdrawn, { messages: [message] }),
      ['email patient mail a-1 exists, but its run has not passed the step'],
    ],
    [
      'a withdrawn run with a call',
      evidenceOf(withdrawn, { taken: [{ channel: 'sms', key: 'patient text a-1', at: 9_000 }] }),
      ['sms patient text a-1 exists, but its run has not passed the step'],
    ],
    [
      'a withdrawn run without a rollback',
      { ...sound, runs: [{ ...withdrawn, campaign: 'withdrew' }], messages: [], taken: [] },
      ['was withdrawn, but its payment was not rolled back'],
    ],
    [
      'a message of a step that its run did not pass',
      evidenceOf({ ...continued, state: 'exited', reason: 'excluded' }, { messages: [message] }),
      ['email patient mail a-1 exists, but its run has not passed the step'],
    ],
    [
      'nothing if another writer stored the later payment',
      { ...withLater(continued), journal: [stored(1_900, 1), stored(2_400, 2)] },
      [],
    ],
    [
      'an effect of a run whose rollback was derived before its payment',
      { ...withLater(continued), journal: [{ user_id: 'ann', at: 1_900, verdict: 'orphan', writer_id: 1 }] },
      ['had an effect, but its rollback was derived before the payment'],
    ],
  ])('%s', (_, evidence, told) => {
    const { broken } = judgeRollbacks(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});
