import { effectsOf } from '../load/campaign-documents.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { allReached, type CampaignEvidence, type KeptRun, type Reached, underWayMs } from './campaigns.ts';

/*
 * The campaigns `paused` and `stopped` are paused and resumed, and stopped, while processes are killed and providers fail. Their effects
 * must end with the acknowledgment of the API, except those that were under way.
 */

/** P17: after a stop was acknowledged, no run enters, nothing is ordered, no call begins, and all runs exit. */
export function judgeStopped(evidence: CampaignEvidence): Outcome {
  const { life, runs, messages, allowance } = evidence;
  const since = life.changes.stop.acknowledged_at + underWayMs * allowance;
  const own = runs.filter(({ campaign }) => campaign === 'stopped');
  const broken = own.flatMap((run) => {
    const { run_id, user_id, entered_at, state } = run;
    const name = `run ${run_id} of ${user_id}`;
    return [
      ...(entered_at > since ? [`${name} began ${Math.round(entered_at - since)} ms too late`] : []),
      ...(['done', 'exited', 'failed'].includes(state) ? [] : [`${name} is ${state}`]),
    ];
  });
  broken.push(...effectsIn(evidence, 'stopped', { from: since, to: Number.POSITIVE_INFINITY }));
  const counts = {
    stopped_runs: own.length,
    exited_by_stop: own.filter(({ state, reason }) => state === 'exited' && reason === 'stopped').length,
    dropped_by_stop: messages.filter(({ reason }) => reason === 'campaign_stopped').length,
  };
  return outcome('P17', 'a stopped campaign has no effect after the acknowledgment, and its runs exit', counts, broken);
}

/** P17: during a pause, nothing is ordered and no call begins. All runs that are held continue after the resumption. */
export function judgePaused(evidence: CampaignEvidence): Outcome {
  const { pause, resume } = evidence.life.changes;
  const from = pause.acknowledged_at + underWayMs * evidence.allowance;
  const own = evidence.runs.filter(({ campaign }) => campaign === 'paused');
  const held = own.filter(({ story }) => story.some(({ state, reason }) => state === 'held' && reason === 'paused'));
  const broken = effectsIn(evidence, 'paused', { from, to: resume.requested_at });
  for (const { run_id, user_id, state, reason } of held)
    if (!['done', 'exited', 'failed'].includes(state))
      broken.push(`run ${run_id} of ${user_id}, which the pause held, is ${state}: ${reason ?? 'no reason'}`);
  const counts = {
    paused_runs: own.length,
    held_by_pause: held.length,
    resumed: own.filter(({ story }) => story.some(({ state }) => state === 'resumed')).length,
  };
  return outcome('P17', 'a paused campaign has no effect until it is resumed, and its runs then end', counts, broken);
}

/** The effects of a campaign in a period, in words. */
function effectsIn(
  evidence: CampaignEvidence,
  campaign: KeptRun['campaign'],
  { from, to }: { from: number; to: number },
): string[] {
  const effects = effectsOf(campaign);
  const ordered = evidence.runs.flatMap((run) =>
    run.campaign !== campaign
      ? []
      : run.story.flatMap(({ step, state, at }) =>
          state === 'done' && effects.has(step) ? [{ what: `${step} of run ${run.run_id} was ordered`, at }] : [],
        ),
  );
  const reached = allReached(evidence).filter((one: Reached) => one.campaign === campaign);
  return [...ordered, ...reached].flatMap(({ what, at }) =>
    at > from && at < to ? [`${what}, ${Math.round(at - from)} ms too late`] : [],
  );
}
