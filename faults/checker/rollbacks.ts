import { effectsOf } from '../load/campaign-documents.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { CampaignEvidence, KeptRun } from './campaigns.ts';

/** Without faults, the rollback of a payment reaches its run within this time. */
const calmMs = 1_000;

/**
 * P17: a payment that is rolled back ends its run with the reason cause_withdrawn, unless the run has had an effect. A withdrawn run has no
 * effect, and each effect belongs to a step that its run has passed.
 *
 * While processes are killed, a rollback may be processed late. But if a later payment of the player started a run before the first effect,
 * and the same writer of the ledger stored both, the rollback had been processed, too. With a backlog, the events of several writers may be
 * derived in another order. So the rollback may also be derived before its payment, as an orphan. The run then has no effect at all.
 * After the faults, the rollback must be processed within a second.
 */
export function judgeRollbacks({
  life,
  runs,
  messages,
  taken,
  pushed,
  calmPayments,
  journal,
  allowance,
}: CampaignEvidence): Outcome {
  const runOf = new Map(runs.map((run) => [run.payment_id, run]));
  const paymentOf = new Map(life.payments.map((payment) => [payment.payment_id, payment]));
  const runsOf = Map.groupBy(runs, ({ user_id }) => user_id);
  const calm = new Set(calmPayments.map(({ payment_id }) => payment_id));
  const journaled = new Map(journal.map((row) => [`${row.user_id} ${row.at}`, row]));
  const counts = { rolled_back: 0, withdrawn: 0, calm_withdrawn: 0, rolled_back_after_effect: 0, orphans: 0 };
  const broken: string[] = [];
  for (const { payment_id, user_id, rolled_back_at, rollback_timestamp } of life.payments) {
    const run = runOf.get(payment_id);
    if (rolled_back_at === null || run === undefined) continue;
    counts.rolled_back++;
    const rollback = journaled.get(`${user_id} ${rollback_timestamp}`);
    const isOrphan = rollback?.verdict === 'orphan';
    if (isOrphan) counts.orphans++;
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
    if (isOrphan) broken.push(`${name} had an effect, but its rollback was derived before the payment`);
    const passedBy = (runsOf.get(user_id) ?? []).find((other) => {
      const later = paymentOf.get(other.payment_id);
      if (later === undefined || later.published_at <= rolled_back_at || other.entered_at >= first.at) return false;
      return journaled.get(`${user_id} ${later.timestamp}`)?.writer_id === rollback?.writer_id;
    });
    if (passedBy !== undefined)
      broken.push(
        `${name} began ${seconds(run.entered_at - rolled_back_at)} s and had its first effect ${seconds(first.at - rolled_back_at)} s after the rollback; run ${passedBy.run_id}, whose payment is later, began ${seconds(passedBy.entered_at - rolled_back_at)} s after it`,
      );
    const late = Math.round(first.at - rolled_back_at);
    if (calm.has(payment_id) && late > calmMs * allowance)
      broken.push(`${name} had its first effect ${late} ms after the rollback`);
  }
  const effects = [
    ...messages.map(({ channel, key }) => ({ channel, key })),
    ...taken.map(({ channel, key }) => ({ channel, key })),
    ...pushed.map(({ key }) => ({ channel: 'push', key })),
  ];
  const effectsOfRun = Map.groupBy(effects, ({ key }) => `${key.split(' ')[0]} ${key.split(' ').at(-1)}`);
  for (const run of runs) {
    const own = effectsOfRun.get(`${run.campaign} ${run.payment_id}`) ?? [];
    // A channel may withhold a message that it stores.
    const passed = new Set(
      run.story.flatMap(({ step, state }) => (['done', 'withheld'].includes(state) ? [step] : [])),
    );
    for (const { channel, key } of own)
      if (!passed.has(key.split(' ')[1] ?? ''))
        broken.push(`${channel} ${key} exists, but its run has not passed the step`);
    if (!isWithdrawn(run)) continue;
    if (paymentOf.get(run.payment_id)?.rolled_back_at == null)
      broken.push(`${nameOf(run)} was withdrawn, but its payment was not rolled back`);
    const first = firstEffectOf(run);
    if (first !== undefined) broken.push(`${nameOf(run)} was withdrawn after its effect at ${first.step}`);
  }
  return outcome('P17', 'a rollback of its cause ends a run that has had no effect', counts, broken);
}

const nameOf = ({ run_id, user_id, campaign }: KeptRun) => `run ${run_id} of ${user_id} in ${campaign}`;
const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const isWithdrawn = ({ state, reason }: KeptRun) => state === 'exited' && reason === 'cause_withdrawn';

/** The first step of the story that had an effect. */
function firstEffectOf({ campaign, story }: Pick<KeptRun, 'campaign' | 'story'>): KeptRun['story'][number] | undefined {
  const effects = effectsOf(campaign);
  return story.find(({ step, state }) => state === 'done' && effects.has(step));
}
