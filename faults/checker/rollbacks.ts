import { type CampaignCode, campaigns } from '../load/campaign-documents.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { CampaignEvidence, KeptRun } from './campaigns.ts';

/** Without faults, the rollback of a payment reaches its run within this time. */
const calmMs = 1_000;
/** A message of a move gets its time slightly later than the move. */
const sameMoveMs = 1_000;

/**
 * P17: a payment that is rolled back ends its run with the reason cause_withdrawn, unless the run has had an effect. A withdrawn run has no
 * effect, and no run that exited has one after its end.
 *
 * While processes are killed, a rollback may be processed late. But the events of a player are processed in their order (P9). So if a
 * later payment of the player had started a run before the first effect, the rollback had been processed, too. After the faults, the
 * rollback must be processed within a second.
 */
export function judgeRollbacks({
  life,
  runs,
  messages,
  taken,
  pushed,
  calmPayments,
  allowance,
}: CampaignEvidence): Outcome {
  const runOf = new Map(runs.map((run) => [run.payment_id, run]));
  const paymentOf = new Map(life.payments.map((payment) => [payment.payment_id, payment]));
  const runsOf = Map.groupBy(runs, ({ user_id }) => user_id);
  const calm = new Set(calmPayments.map(({ payment_id }) => payment_id));
  const counts = { rolled_back: 0, withdrawn: 0, calm_withdrawn: 0, rolled_back_after_effect: 0 };
  const broken: string[] = [];
  for (const { payment_id, user_id, rolled_back_at } of life.payments) {
    const run = runOf.get(payment_id);
    if (rolled_back_at === null || run === undefined) continue;
    counts.rolled_back++;
    const name = `${nameOf(run)}, whose payment ${payment_id} was rolled back,`;
    if (isWithdrawn(run)) {
      counts.withdrawn++;
      if (calm.has(payment_id)) counts.calm_withdrawn++;
    }
    const first = firstEffectOf(run);
    if (first === undefined) {
      if (!['exited', 'failed'].includes(run.state)) broken.push(`${name} is ${run.state}, without an effect`);
      continue;
    }
    counts.rolled_back_after_effect++;
    const passedBy = (runsOf.get(user_id) ?? []).find(
      (other) => other.entered_at < first.at && (paymentOf.get(other.payment_id)?.published_at ?? 0) > rolled_back_at,
    );
    if (passedBy !== undefined)
      broken.push(`${name} had its first effect after run ${passedBy.run_id}, whose payment is later, had begun`);
    const late = Math.round(first.at - rolled_back_at);
    if (calm.has(payment_id) && late > calmMs * allowance)
      broken.push(`${name} had its first effect ${late} ms after the rollback`);
  }
  const effects = [
    ...messages.map(({ channel, key, ordered_at: at }) => ({ channel, key, at, ordered: true })),
    ...taken.map((one) => ({ ...one, ordered: false })),
    ...pushed.map(({ key, at }) => ({ channel: 'push', key, at, ordered: false })),
  ];
  const effectsOf = Map.groupBy(effects, ({ key }) => `${key.split(' ')[0]} ${key.split(' ').at(-1)}`);
  for (const run of runs) {
    if (run.state !== 'exited') continue;
    const own = effectsOf.get(`${run.campaign} ${run.payment_id}`) ?? [];
    if (isWithdrawn(run)) {
      if (paymentOf.get(run.payment_id)?.rolled_back_at == null)
        broken.push(`${nameOf(run)} was withdrawn, but its payment was not rolled back`);
      const first = firstEffectOf(run);
      if (first !== undefined) broken.push(`${nameOf(run)} was withdrawn after its effect at ${first.step}`);
      for (const { channel, key } of own) broken.push(`${nameOf(run)} was withdrawn, but has ${channel} ${key}`);
    } else
      for (const { channel, key, at, ordered } of own)
        if (ordered && at > run.moved_at + sameMoveMs)
          broken.push(`${channel} ${key} was ordered ${Math.round(at - run.moved_at)} ms after the end of its run`);
  }
  return outcome('P17', 'a rollback of its cause ends a run that has had no effect', counts, broken);
}

const nameOf = ({ run_id, user_id, campaign }: KeptRun) => `run ${run_id} of ${user_id} in ${campaign}`;
const isWithdrawn = ({ state, reason }: KeptRun) => state === 'exited' && reason === 'cause_withdrawn';

/** The first step of the story that had an effect. */
function firstEffectOf({ campaign, story }: Pick<KeptRun, 'campaign' | 'story'>): KeptRun['story'][number] | undefined {
  const waits = waitsOf(campaign);
  return story.find(({ step, state }) => state === 'done' && !waits.has(step));
}

function waitsOf(campaign: CampaignCode): Set<string> {
  return new Set(campaigns[campaign].steps.flatMap((step) => ('wait' in step ? [step.id] : [])));
}
