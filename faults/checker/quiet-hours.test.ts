import { describe, expect, test } from 'vitest';
import { email, payment, run, sound } from './campaigns.test-data.ts';
import type { CampaignEvidence, KeptRun } from './campaigns.ts';
import { judgeQuiet } from './quiet-hours.ts';

/** The quiet hours of ben end at 30,000. */
const held = { step: 'text', state: 'held', reason: 'quiet_hours', at: 10_000 };
const own: KeptRun = { ...run, user_id: 'ben', payment_id: 'b-1', story: [held, ...run.story] };
const taken = (at: number) => ({ channel: 'sms' as const, key: 'withdrew text b-1', at });
const ordered = (ordered_at: number) => ({ ...email, key: 'withdrew mail b-1', ordered_at });
const evidenceOf = (more: Partial<CampaignEvidence> = {}): CampaignEvidence => ({
  ...sound,
  life: { ...sound.life, payments: [payment, { ...payment, payment_id: 'b-1', user_id: 'ben' }] },
  runs: [run, own],
  messages: [email, ordered(30_100)],
  taken: [...sound.taken, taken(30_200)],
  ...more,
});
const push = { key: 'paid ping b-1', device: 'ben-0', at: 29_000, answer: 'accepted' as const };

describe('violations of quiet hours that are found', () => {
  test.each<[string, CampaignEvidence, string[]]>([
    ['nothing after them, and of other players', evidenceOf(), []],
    ['a call', evidenceOf({ taken: [taken(29_900)] }), ['sms withdrew text b-1, 100 ms before the end']],
    ['a push', evidenceOf({ pushed: [push] }), ['push paid ping b-1 to ben-0, 1000 ms before']],
    [
      'a message that becomes visible',
      evidenceOf({ messages: [{ ...email, channel: 'site', key: 'paid note b-1', live_at: 20_000 }] }),
      ['site paid note b-1, 10000 ms before'],
    ],
    [
      'a message on the page',
      evidenceOf({ shown: [{ message_id: 5, user_id: 'ben', at: 20_000 }] }),
      ['message 5 on the page, 10000 ms before'],
    ],
    [
      'an order',
      evidenceOf({ messages: [ordered(29_000)] }),
      ['email withdrew mail b-1 was ordered in the quiet hours'],
    ],
    ['a run that does not continue', evidenceOf({ runs: [{ ...own, state: 'held' }] }), ['is still held']],
    [
      'nothing about bonuses',
      evidenceOf({ credits: [{ credit_id: 7, user_id: 'ben', bonus_code: 'GIFT', at: 20_000 }] }),
      [],
    ],
  ])('%s', (_, evidence, told) => {
    const { broken } = judgeQuiet(evidence);
    expect(broken).toHaveLength(told.length);
    for (const [n, part] of told.entries()) expect(broken[n]).toContain(part);
  });
});
