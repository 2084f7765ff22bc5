import { describe, expect, test } from 'vitest';
import { email, payment, run, sms, sound } from './campaigns.test-data.ts';
import {
  type CampaignEvidence,
  judgeBeside,
  judgeCalls,
  judgeEnds,
  judgePoisoned,
  judgeProtected,
  judgeRuns,
  type KeptMessage,
  type KeptRun,
  type ShownRun,
} from './campaigns.ts';

const note: KeptMessage = { ...email, key: 'paid note a-1', channel: 'site', state: 'live', live_at: 2_000 };
const asked = { number: 8, user_id: 'ann', at: 2_000 };
const credit = { credit_id: 7, user_id: 'ann', bonus_code: 'GIFT', at: 2_000 };
const push = { key: 'paid ping a-1', device: 'ann-0', at: 2_000, answer: 'accepted' };
const onPage = { message_id: 5, user_id: 'ann', at: 2_000 };
const reason = 'cannot be processed: a text contains a character that cannot be stored (SQLSTATE 22P05)';
const failure = { step: 'call', state: 'failed', reason, at: 1_500 };
const spoiled: KeptRun = { ...run, state: 'failed', reason, story: [...run.story.slice(0, 3), failure] };
const shownRun: ShownRun = {
  run_id: 1,
  state: 'failed',
  reason,
  moved_at: '2026-05-04T12:00:00Z',
  steps: [{ id: 'call', state: 'failed', reason }],
};
const poisoned = {
  ...sound,
  life: { ...sound.life, payments: [{ ...payment, poison: 'refused' }] },
  runs: [spoiled],
  failed: [shownRun],
  failedBefore: [shownRun],
};
const burst = (isPoisoned: boolean, ...ids: string[]) => ({
  isPoisoned,
  payments: ids.map((payment_id) => ({ ...payment, payment_id })),
});
const smsAt = (payment_id: string, ordered_at: number) => ({ ...sms, key: `withdrew text ${payment_id}`, ordered_at });
const gone = { ...sound.life, excluded: new Map([['ann', 10]]) };

describe('violations that are found', () => {
  test.each([
    ['nothing if every payment has its run', judgeRuns, sound, []],
    ['a lost run', judgeRuns, { ...sound, runs: [] }, ['payment a-1 of ann started 0 runs']],
    ['nothing for a missing run of an excluded player', judgeRuns, { ...sound, runs: [], life: gone }, []],
    ['a second run', judgeRuns, { ...sound, runs: [run, { ...run, run_id: 2 }] }, ['started 2 runs']],
    [
      'a run without a cause',
      judgeRuns,
      { ...sound, runs: [run, { ...run, payment_id: 'b-1' }] },
      ['which was never published'],
    ],
    ['a run of another player', judgeRuns, { ...sound, runs: [{ ...run, user_id: 'ben' }] }, ['of ben']],
    ['nothing if all runs ended', judgeEnds, sound, []],
    [
      'a run that does not move',
      judgeEnds,
      { ...sound, runs: [{ ...run, state: 'active' }] },
      ['is active: no reason'],
    ],
    ['a run that failed', judgeEnds, { ...sound, runs: [{ ...run, state: 'failed', reason: 'x' }] }, ['is failed: x']],
    [
      'nothing for a run that waits with a reason',
      judgeEnds,
      { ...sound, runs: [{ ...run, state: 'held', reason: 'unknown', waits: true }] },
      [],
    ],
    ['an exit without a reason', judgeEnds, { ...sound, runs: [{ ...run, state: 'exited' }] }, ['without a reason']],
    [
      'a step that was passed over',
      judgeEnds,
      { ...sound, runs: [{ ...run, story: run.story.slice(1) }] },
      ['without text'],
    ],
    ['nothing for a failed run that cannot be processed', judgeEnds, poisoned, []],
    ['nothing if a run that cannot be processed failed once, and is shown', judgePoisoned, poisoned, []],
    [
      'nothing if the player was excluded before',
      judgePoisoned,
      { ...poisoned, runs: [{ ...spoiled, state: 'exited', reason: 'excluded' }] },
      [],
    ],
    ['a run that should have failed', judgePoisoned, { ...poisoned, runs: [run] }, ['is done: no reason']],
    [
      'a failure without a reason',
      judgePoisoned,
      { ...poisoned, runs: [{ ...spoiled, reason: null }] },
      ['is failed: no reason'],
    ],
    [
      'a run that failed twice',
      judgePoisoned,
      { ...poisoned, runs: [{ ...spoiled, story: [...spoiled.story, failure] }] },
      ['failed 2 times'],
    ],
    [
      'a run that failed at another step',
      judgePoisoned,
      { ...poisoned, runs: [{ ...spoiled, story: [{ ...failure, step: 'text' }] }] },
      ['first at text'],
    ],
    ['a failure that the API does not show', judgePoisoned, { ...poisoned, failed: [], failedBefore: [] }, ['missing']],
    [
      'a failure that the API shows without its reason',
      judgePoisoned,
      { ...poisoned, failed: [{ ...shownRun, reason: null }] },
      ['shown as failed: no reason'],
    ],
    [
      'a run that moved again after a restart',
      judgePoisoned,
      { ...poisoned, failed: [{ ...shownRun, moved_at: '2026-05-04T12:01:00Z' }] },
      ['moved again after a restart'],
    ],
    [
      'nothing if runs next to failing runs are as fast as others',
      judgeBeside,
      {
        ...sound,
        bursts: [burst(false, 'b'), burst(true, 'c')],
        messages: [smsAt('b', 1_200), smsAt('c', 2_100)],
      },
      [],
    ],
    [
      'a run that is delayed by others that fail',
      judgeBeside,
      {
        ...sound,
        bursts: [burst(false, 'b'), burst(true, 'c')],
        messages: [smsAt('b', 1_200), smsAt('c', 2_300)],
      },
      ['is 1100 ms later'],
    ],
    [
      'a run that is lost next to others that fail',
      judgeBeside,
      { ...sound, bursts: [burst(false, 'b'), burst(true, 'c')], messages: [smsAt('b', 1_200)] },
      ['the SMS for payment c of ann was never ordered'],
    ],
    ['nothing if the calls match the stored messages', judgeCalls, sound, []],
    [
      'a second call',
      judgeCalls,
      { ...sound, taken: [...sound.taken, ...sound.taken] },
      ['sent 2 times', 'taken 2 times'],
    ],
    ['a second message', judgeCalls, { ...sound, messages: [email, email, sms] }, ['ordered 2 times']],
    ['a call without a stored message', judgeCalls, { ...sound, messages: [sms] }, ['no message is stored']],
    ['a message that was never sent', judgeCalls, { ...sound, taken: [] }, ['taken 0 times']],
    [
      'a dropped message that was sent',
      judgeCalls,
      { ...sound, messages: [{ ...email, state: 'dropped', reason: 'x' }] },
      ['shown as dropped'],
    ],
    [
      'an unknown outcome without a reason',
      judgeCalls,
      { ...sound, messages: [email, { ...sms, reason: null }] },
      ['without a reason'],
    ],
    [
      'a message that has not ended',
      judgeCalls,
      { ...sound, messages: [email, { ...sms, state: 'sending' }] },
      ['has not ended'],
    ],
    ['a message without a run', judgeCalls, { ...sound, runs: [] }, ['belongs to no run', 'belongs to no run']],
    [
      'nothing before an exclusion',
      judgeProtected,
      { ...sound, life: { ...gone, excluded: new Map([['ann', 1_900]]) } },
      [],
    ],
    ['a call after an exclusion', judgeProtected, { ...sound, life: gone }, ['1990 ms after: excluded']],
    [
      'a site message that becomes visible after an exclusion',
      judgeProtected,
      { ...sound, taken: [], life: gone, messages: [note] },
      ['site paid note a-1 to ann, 1990 ms after: excluded'],
    ],
    [
      'a message that arrives on the page after an exclusion',
      judgeProtected,
      { ...sound, taken: [], life: gone, shown: [onPage] },
      ['message 5 on the page to ann, 1990 ms after: excluded'],
    ],
    [
      'a push after an exclusion',
      judgeProtected,
      { ...sound, taken: [], life: gone, pushed: [push] },
      ['push paid ping a-1 to ann-0 to ann, 1990 ms after: excluded'],
    ],
    [
      'a push after a withdrawal',
      judgeProtected,
      { ...sound, taken: [], life: { ...sound.life, withdrew: new Map([['ann', 10]]) }, pushed: [push] },
      ['push paid ping a-1 to ann-0 to ann, 1990 ms after: withdrew'],
    ],
    [
      'a bonus call after an exclusion',
      judgeProtected,
      { ...sound, taken: [], life: gone, asked: [asked] },
      ['bonus call 8 to ann, 1990 ms after: excluded'],
    ],
    [
      'a credit after an exclusion',
      judgeProtected,
      { ...sound, taken: [], life: gone, credits: [credit] },
      ['credit 7 of GIFT to ann, 1990 ms after: excluded'],
    ],
    [
      'nothing that was under way at an exclusion',
      judgeProtected,
      {
        ...sound,
        life: { ...gone, excluded: new Map([['ann', 1_000]]) },
        messages: [note],
        shown: [onPage],
        asked: [asked],
        credits: [credit],
      },
      [],
    ],
    [
      'nothing of a player who withdrew the consent for e-mail only',
      judgeProtected,
      {
        ...sound,
        taken: [],
        life: { ...sound.life, withdrew: new Map([['ann', 10]]) },
        messages: [note],
        shown: [onPage],
        asked: [asked],
        credits: [credit],
      },
      [],
    ],
    [
      'an effect for another player',
      judgeProtected,
      { ...sound, life: { ...sound.life, excluded: new Map([['ben', 10]]) }, shown: [onPage], credits: [credit] },
      [],
    ],
    [
      'an e-mail after a withdrawal',
      judgeProtected,
      { ...sound, life: { ...sound.life, withdrew: new Map([['ann', 10]]) } },
      ['after: withdrew'],
    ],
    [
      'a run of an excluded player that continues',
      judgeProtected,
      { ...sound, taken: [], life: gone, runs: [{ ...run, state: 'waiting' }] },
      ['who is excluded, is waiting'],
    ],
  ] as const)('%s', (_, judge, evidence, told) => {
    const { broken } = judge(evidence as CampaignEvidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});
