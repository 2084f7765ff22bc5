import { describe, expect, test } from 'vitest';
import { judgePaused, judgeStopped } from './campaign-states.ts';
import { email, payment, run, sms, sound } from './campaigns.test-data.ts';
import { type CampaignEvidence, judgeRuns, type KeptRun } from './campaigns.ts';

/** The stop was acknowledged at 61,000; the pause lasted from 51,000 to 70,000. */
const effect = (at: number) => ({ step: 'mail', state: 'done', reason: null, at });
const stopped: KeptRun = {
  ...run,
  campaign: 'stopped',
  state: 'exited',
  reason: 'stopped',
  story: [effect(61_500), { step: 'pause', state: 'waiting', reason: null, at: 61_500 }],
};
const held = { step: 'mark', state: 'held', reason: 'paused', at: 55_000 };
const paused: KeptRun = {
  ...run,
  campaign: 'paused',
  story: [effect(50_500), held, { ...held, state: 'resumed', reason: null, at: 71_000 }, effect(71_000)],
};
const kept = { ...email, live_at: null };
const asked = (code: string, at: number) => ({ number: 8, user_id: 'ann', at, body: { bonus_code: code } });
const credit = (code: string, at: number) => ({ credit_id: 7, user_id: 'ann', bonus_code: code, at });
const push = (campaign: string, at: number) => ({
  key: `${campaign} ping a-1`,
  device: 'ann-0',
  at,
  answer: 'accepted' as const,
});
const mail = (campaign: string, at: number) => ({ channel: 'email' as const, key: `${campaign} mail a-1`, at });
const evidenceOf = (own: KeptRun, more: Partial<CampaignEvidence> = {}): CampaignEvidence => ({
  ...sound,
  runs: [own],
  messages: [],
  taken: [],
  ...more,
});
const paidAt = (begins: 'paused' | 'stopped', at: number): CampaignEvidence => ({
  ...sound,
  life: { ...sound.life, payments: [{ ...payment, begins, published_at: at, acknowledged_at: at }] },
  runs: [],
});

describe('violations of a stop and a pause that are found', () => {
  test.each<[string, typeof judgeStopped, CampaignEvidence, string[]]>([
    ['nothing if the run exited, and its last effect was under way', judgeStopped, evidenceOf(stopped), []],
    ['a run that continues', judgeStopped, evidenceOf({ ...stopped, state: 'waiting' }), ['run 1 of ann is waiting']],
    [
      'a run that begins after the stop',
      judgeStopped,
      evidenceOf({ ...stopped, entered_at: 62_001 }),
      ['began 1 ms too late'],
    ],
    [
      'an effect that is ordered after the stop',
      judgeStopped,
      evidenceOf({ ...stopped, story: [effect(62_001)] }),
      ['run 1 ordered mail 1001 ms after'],
    ],
    [
      'an e-mail after the stop',
      judgeStopped,
      evidenceOf(stopped, { taken: [mail('stopped', 66_500)] }),
      ['email stopped mail a-1 arrived 5500 ms'],
    ],
    [
      'a push after the stop',
      judgeStopped,
      evidenceOf(stopped, { pushed: [push('stopped', 66_500)] }),
      ['push stopped ping a-1'],
    ],
    [
      'a site message after the stop',
      judgeStopped,
      evidenceOf(stopped, { messages: [{ ...kept, key: 'stopped note a-1', channel: 'site', live_at: 66_500 }] }),
      ['site stopped note a-1'],
    ],
    [
      'a bonus call after the stop',
      judgeStopped,
      evidenceOf(stopped, { asked: [asked('STOPPED', 66_500)] }),
      ['bonus call 8'],
    ],
    [
      'a credit after the stop',
      judgeStopped,
      evidenceOf(stopped, { credits: [credit('STOPPED', 66_500)] }),
      ['credit 7'],
    ],
    [
      'nothing of other campaigns',
      judgeStopped,
      evidenceOf(stopped, {
        taken: [mail('paid', 66_500)],
        asked: [asked('GIFT', 66_500)],
        credits: [credit('GIFT', 66_500)],
      }),
      [],
    ],
    [
      'nothing of calls that were under way',
      judgeStopped,
      evidenceOf(stopped, {
        messages: [{ ...kept, key: 'stopped mail a-1', ordered_at: 60_900 }],
        taken: [mail('stopped', 65_900)],
      }),
      [],
    ],
    [
      'a call for a message that was ordered after the stop',
      judgeStopped,
      evidenceOf(stopped, {
        messages: [{ ...kept, key: 'stopped mail a-1', ordered_at: 61_100 }],
        taken: [mail('stopped', 61_500)],
      }),
      ['email stopped mail a-1 was called, although it was ordered after the change'],
    ],
    ['nothing if the effects wait for the resumption', judgePaused, evidenceOf(paused), []],
    [
      'an effect that is ordered during the pause',
      judgePaused,
      evidenceOf({ ...paused, story: [effect(60_000)] }),
      ['run 1 ordered mail 9000 ms'],
    ],
    [
      'calls during the pause',
      judgePaused,
      evidenceOf(paused, {
        taken: [mail('paused', 60_000)],
        pushed: [push('paused', 60_000)],
        asked: [asked('PAUSED', 60_000)],
        credits: [credit('PAUSED', 60_000)],
      }),
      ['push paused ping', 'email paused mail', 'bonus call 8', 'credit 7'],
    ],
    [
      'nothing before the pause and after it',
      judgePaused,
      evidenceOf(paused, { taken: [mail('paused', 55_900), mail('paused', 70_001)] }),
      [],
    ],
    [
      'a run that is still held after the resumption',
      judgePaused,
      evidenceOf({ ...paused, state: 'held', reason: 'paused', story: [held] }),
      ['which the pause held, is held: paused'],
    ],
    ['nothing if a payment during the pause starts no run', judgeRuns, paidAt('paused', 60_000), []],
    ['nothing if a payment after the stop starts no run', judgeRuns, paidAt('stopped', 90_000), []],
    ['a payment long before the pause without a run', judgeRuns, paidAt('paused', 19_000), ['started 0 runs']],
    ['a payment after the resumption without a run', judgeRuns, paidAt('paused', 71_500), ['started 0 runs']],
    ['a payment long before the stop without a run', judgeRuns, paidAt('stopped', 29_000), ['started 0 runs']],
  ])('%s', (_, judge, evidence, told) => {
    const { broken } = judge(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});

test('runs that a stop ended, and messages that it withdrew, are counted', () => {
  const { counts } = judgeStopped(
    evidenceOf(stopped, { messages: [{ ...sms, state: 'dropped', reason: 'campaign_stopped' }] }),
  );
  expect(counts).toEqual({ stopped_runs: 1, exited_by_stop: 1, dropped_by_stop: 1 });
});
