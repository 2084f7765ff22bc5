import type { CampaignConcerns, SpoiledRuns } from '../../campaigns/index.ts';
import { alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

/**
 * One alarm for each campaign that stopped automatically, without being paused by a person, and for each whose limits cannot be
 * checked. Pure.
 */
export function campaignAlarms({ stopped, unchecked }: CampaignConcerns): Alarm[] {
  return [...stopped.map(stoppedAlarm), ...unchecked.map(uncheckedAlarm)];
}

function stoppedAlarm({ code, state, reason, since }: CampaignConcerns['stopped'][number]): Alarm {
  return {
    code: state === 'failed' ? 'campaign_failed' : 'campaign_halted',
    severity: 'critical',
    message: alarmText((texts) =>
      state === 'failed' ? texts.campaignFailed(code, reason) : texts.campaignHalted(code, reason),
    ),
    since,
    list: `/campaigns/${code}`,
  };
}

function uncheckedAlarm({ code, reason, since }: CampaignConcerns['unchecked'][number]): Alarm {
  return {
    code: 'campaign_unchecked',
    severity: 'critical',
    message: alarmText((texts) => texts.campaignUnchecked(code, reason)),
    since,
    list: `/campaigns/${code}`,
  };
}

/** One alarm for each campaign with runs that failed in the last 24 hours because of their data. Pure. */
export function spoiledRunAlarms(spoiled: readonly SpoiledRuns[]): Alarm[] {
  return spoiled.map(({ code, runs, reason, since }) => ({
    code: 'campaign_runs_spoiled',
    severity: 'warning',
    message: alarmText((texts) => texts.campaignRunsSpoiled(code, runs, reason)),
    since,
    list: `/campaigns/${code}`,
  }));
}
