import { effectsOf } from '../load/campaign-documents.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { allReached, type CampaignEvidence, type KeptRun, type Reached, underWayMs } from './campaigns.ts';

/*
 * The campaigns `paused` and `stopped` are paused and resumed, and stopped, while processes are killed and providers fail. Their effects
 * must end with the acknowledgment of the API, except those that were under way. A round of a worker that began before the change may still
 * order effects and commit them. With a backlog, such a round takes seconds. Calls for what it ordered after the change must not begin.
 */
const roundMs = 5_000;

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
  broken.push(
    ...effectsIn(evidence, 'stopped', { from: life.changes.stop.acknowledged_at, to: Number.POSITIVE_INFINITY }),
  );
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
  const own = evidence.runs.filter(({ campaign }) => campaign === 'paused');
  const held = own.filter(({ story }) => story.some(({ state, reason }) => state === 'held' && reason === 'paused'));
  const broken = effectsIn(evidence, 'paused', { from: pause.acknowledged_at, to: resume.requested_at });
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

/** The effects of a campaign between the acknowledgment of a change and another change, in words. */
function effectsIn(
  evidence: CampaignEvidence,
  campaign: KeptRun['campaign'],
  { from, to }: { from: number; to: number },
): string[] {
  const { runs, messages, allowance } = evidence;
  const late = (what: string, at: number, grace: number) =>
    at > from + grace * allowance && at < to ? [`${what} ${Math.round(at - from)} ms after the acknowledgment`] : [];
  const effects = effectsOf(campaign);
  const ordered = runs.flatMap((run) =>
    run.campaign !== campaign
      ? []
      : run.story.flatMap(({ step, state, at }) =>
          // The time of a step is the time at which its round began.
          state === 'done' && effects.has(step) ? late(`run ${run.run_id} ordered ${step}`, at, underWayMs) : [],
        ),
  );
  const reached = allReached(evidence).filter((one: Reached) => one.campaign === campaign);
  const orderedLate = new Set(
    messages.flatMap(({ channel, key, ordered_at }) =>
      ordered_at > from && ordered_at < to ? [`${channel} ${key}`] : [],
    ),
  );
  const called = [
    ...evidence.taken.map(({ channel, key, at }) => ({ name: `${channel} ${key}`, at })),
    ...evidence.pushed.map(({ key, at }) => ({ name: `push ${key}`, at })),
  ].filter(({ name, at }) => name.split(' ')[1] === campaign && orderedLate.has(name) && at < to);
  return [
    ...ordered,
    ...reached.flatMap(({ what, at }) => late(`${what} arrived`, at, roundMs)),
    ...called.map(({ name }) => `${name} was called, although it was ordered after the change`),
  ];
}
