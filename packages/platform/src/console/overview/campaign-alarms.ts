import type { CampaignConcerns } from '../../campaigns/index.ts';
import { alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

/** One alarm for each campaign that stopped automatically, without being paused by a person. Pure. */
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
