import { type Outcome, outcome } from '../outcome.ts';
import { type CampaignEvidence, latestMs } from './campaigns.ts';

/**
 * P17: a schedule starts one run for each player at its time, although processes are killed. An excluded player may have one, because the
 * exclusion may be later. Whether the runs end is part of the other checks.
 */
export function judgeScheduled({ life, runs }: CampaignEvidence): Outcome {
  const own = runs.filter(({ campaign }) => campaign === 'scheduled');
  const runsOf = Map.groupBy(own, ({ user_id }) => user_id);
  const broken: string[] = [];
  for (const user of life.users) {
    const count = runsOf.get(user)?.length ?? 0;
    if (count > 1 || (count === 0 && !life.excluded.has(user)))
      broken.push(`the schedule started ${count} runs of ${user}`);
  }
  for (const { run_id, user_id, entered_at } of own) {
    const late = Math.round(entered_at - life.starts_at);
    if (late < 0 || late > latestMs)
      broken.push(`run ${run_id} of ${user_id} began ${late} ms after the scheduled time`);
  }
  return outcome('P17', 'a schedule starts one run for each player', { scheduled_runs: own.length }, broken);
}
