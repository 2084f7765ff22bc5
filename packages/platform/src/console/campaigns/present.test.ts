import { expect, test } from 'vitest';
import { presentCampaign } from './present.ts';

function shown(reason: string, language: 'en' | 'de', halted_at: number | null = 1) {
  const campaign = {
    code: 'welcome',
    name: 'Welcome',
    state: 'paused',
    reason,
    share: 100,
    created_at: 0,
    created_by: 'ann',
  };
  const stored = { ...campaign, campaign_id: 1, brand_id: 1, halted_at, unchecked_since: null, unchecked_reason: null };
  const version = { version: 1, state: 'published', document: {} };
  const whole = { campaign: stored, versions: [version], entered: 0, running: 0 };
  return presentCampaign(whole as never, language).reason;
}

test('the reason for a halt is shown in the language of the person', () => {
  const reason = '6 of 100 runs failed; the limit is 5 percent';
  expect(shown(reason, 'en')).toBe(reason);
  expect(shown(reason, 'de')).toBe('Fehlgeschlagene Durchgänge: 6 von 100; die Grenze ist 5 Prozent');
});

test('the reason for a failure stays as it is', () => {
  expect(shown('the rule cannot be evaluated', 'de', null)).toBe('the rule cannot be evaluated');
});
