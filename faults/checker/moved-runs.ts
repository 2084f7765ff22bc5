import { addedSteps } from '../load/campaign-documents.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { type CampaignEvidence, type KeptRun, latestMs, underWayMs } from './campaigns.ts';

/**
 * P17: when a version is published that takes over the runs of the first one, each open run moves once, and then passes the added steps. A
 * run that was over before has none of them. That no run is lost, and no message sent twice, is part of the other checks.
 */
export function judgeMoved({ life, runs, messages, allowance }: CampaignEvidence): Outcome {
  const { acknowledged_at } = life.changes.grow;
  const own = runs.filter(({ campaign }) => campaign === 'grown');
  const counts = { grown_runs: own.length, moved: 0, on_first_version: 0, on_second_version: 0 };
  const added = new Set<string>(addedSteps.map(({ id }) => id));
  const keys = new Set(messages.map(({ key }) => key));
  const broken: string[] = [];
  for (const run of own) {
    const { version, state, story, entered_at, moved_at, payment_id } = run;
    const name = `run ${run.run_id} of ${run.user_id} on version ${version}`;
    const moves = story.filter((one) => one.state === 'moved').length;
    if (moves > 0) counts.moved++;
    counts[version === 1 ? 'on_first_version' : 'on_second_version']++;
    if (moves > 1) broken.push(`${name} moved ${moves} times`);
    const passed = passedOf(run).filter((step) => added.has(step));
    if (version === 1) {
      if (moves > 0) broken.push(`${name} moved, but not to version 2`);
      if (entered_at > acknowledged_at + underWayMs * allowance)
        broken.push(`${name} began ${Math.round(entered_at - acknowledged_at)} ms after version 2 was published`);
      if (moved_at > acknowledged_at + latestMs)
        broken.push(`${name} continued ${Math.round(moved_at - acknowledged_at)} ms after version 2 was published`);
      const ordered = [...added].filter((step) => passed.includes(step) || keys.has(`grown ${step} ${payment_id}`));
      if (ordered.length > 0) broken.push(`${name} passed ${ordered.join(', ')}`);
    } else {
      if (moves === 0 && entered_at < life.changes.grow.requested_at - underWayMs * allowance)
        broken.push(`${name} began before that version, and did not move`);
      const missed = [...added].filter((step) => state === 'done' && !passed.includes(step));
      if (missed.length > 0) broken.push(`${name} is done without ${missed.join(', ')}`);
    }
  }
  return outcome('P17', 'the open runs move once to a new version, and pass its steps', counts, broken);
}

/** The steps that a run passed. A step at which it was only moved or held is not passed yet. */
function passedOf({ story }: Pick<KeptRun, 'story'>): string[] {
  return story.filter(({ state }) => state === 'done' || state === 'withheld').map(({ step }) => step);
}
