import type { CampaignConcerns } from '../../campaigns/index.ts';
import { alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

/** One line for each campaign that has stopped although no person paused it. Pure. */
export function campaignAlarms({ stopped }: CampaignConcerns): Alarm[] {
  return stopped.map(({ code, state, reason, since }) => ({
    code: state === 'failed' ? 'campaign_failed' : 'campaign_halted',
    severity: 'critical',
    message: alarmText((texts) =>
      state === 'failed' ? texts.campaignFailed(code, reason) : texts.campaignHalted(code, reason),
    ),
    since,
    list: `/campaigns/${code}`,
  }));
}
