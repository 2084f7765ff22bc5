import type { CampaignConcerns } from '../../campaigns/index.ts';
import type { Alarm } from './alarms.ts';

/** One line for each campaign that has stopped although no person paused it. Pure. */
export function campaignAlarms({ standing }: CampaignConcerns): Alarm[] {
  return standing.map(({ code, state, reason, since }) => ({
    code: state === 'failed' ? 'campaign_failed' : 'campaign_halted',
    severity: 'critical',
    message:
      state === 'failed'
        ? `The campaign ${code} failed: ${reason ?? 'unknown'}. No player enters. Correct it and publish it again.`
        : `The campaign ${code} ${reason ?? 'halted'}. No player enters, and its effects wait. Resume it after the cause is resolved.`,
    since,
    list: `/campaigns/${code}`,
  }));
}
