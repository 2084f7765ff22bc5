import type { Call, Credit } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { type CampaignCode, campaigns, creditedBy, type Poison, poisons } from '../load/campaign-documents.ts';
import type { Burst, CampaignLife, Payment } from '../load/campaign-life.ts';
import { keyOf, type TakenMessage } from '../load/message-providers.ts';
import type { TakenPush } from '../load/push-services.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { verdictNames } from './evidence.ts';

/** A run as the platform stores it, at the end. */
export interface KeptRun {
  run_id: number;
  campaign: CampaignCode;
  version: number;
  /** The user_id if no payment started the run. */
  payment_id: string;
  user_id: string;
  state: string;
  reason: string | null;
  waits: boolean;
  /** Milliseconds since the epoch, like all times. */
  entered_at: number;
  /** When it moved for the last time. */
  moved_at: number;
  /** The steps that the run passed, with their outcomes. */
  story: readonly { step: string; state: string; reason: string | null; at: number }[];
}

/** A message that a run ordered. */
export interface KeptMessage {
  key: string;
  channel: 'email' | 'sms' | 'site' | 'push' | 'telephone';
  state: string;
  reason: string | null;
  /** When a message of the site or with push became visible, in milliseconds since the epoch. */
  live_at: number | null;
  /** When it was ordered, in milliseconds since the epoch. */
  ordered_at: number;
}

/** A run that failed, as the console API shows it. */
export interface ShownRun {
  run_id: number;
  state: string;
  reason: string | null;
  moved_at: string;
  steps: readonly { id: string; state: string; reason: string | null }[];
}

/** A site message that arrived on the socket of the player's page. */
export interface ShownOnPage {
  message_id: number;
  user_id: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface CampaignEvidence {
  life: CampaignLife;
  runs: readonly KeptRun[];
  messages: readonly KeptMessage[];
  taken: readonly TakenMessage[];
  /** What the push services received. See pushes.ts for their other checks. */
  pushed: readonly TakenPush[];
  /** What the pages of the players received. */
  shown: readonly ShownOnPage[];
  /**
   * Bonus calls as the operator received them. The operator refuses calls for an excluded player, so its credits alone do not show these
   * calls.
   */
  asked: readonly Pick<Call, 'number' | 'user_id' | 'at' | 'body'>[];
  /** The operator's records. */
  credits: readonly Pick<Credit, 'credit_id' | 'user_id' | 'bonus_code' | 'at'>[];
  allowance: number;
  /** The failed runs that the console API shows at the end. */
  failed: readonly ShownRun[];
  /** The same before the workers were restarted for the last time. */
  failedBefore: readonly ShownRun[];
  /** Payments that were made at once after the faults had ended. */
  bursts: readonly Burst[];
  /** Payments after the faults had ended, some of which were rolled back at once. */
  calmPayments: readonly Payment[];
  /** The payments and rollbacks that are no repeats, by player and timestamp. An orphan was derived before the event that it takes back. */
  journal: readonly { user_id: string; at: number; verdict: string; writer_id: number }[];
}

const ends = ['done', 'goal_reached', 'exited'];
/** An effect that was decided before an exclusion or a stop was committed arrives within this time. */
export const underWayMs = 1_000;
/** Final states of messages. A message in the state unknown is not sent again, because the provider may have taken it. */
const messageEnds = ['sent', 'unknown', 'withheld', 'dropped', 'failed', 'live', 'withdrawn', 'expired'];

/** A payment, or a move to another version, is processed within this time, although processes are killed. */
export const latestMs = 30_000;

/** P17: one run for each acknowledged cause, regardless of repetitions and kills; none without a cause. */
export function judgeRuns({ life, runs }: CampaignEvidence): Outcome {
  const runsOf = Map.groupBy(runs, ({ payment_id }) => payment_id);
  const told = new Set(life.payments.map(({ payment_id }) => payment_id));
  const broken: string[] = [];
  for (const payment of life.payments) {
    const { payment_id, user_id, begins } = payment;
    const own = runsOf.get(payment_id) ?? [];
    const least = mayStartNone(life, payment) ? 0 : 1;
    if (own.length > 1 || own.length < least)
      broken.push(`payment ${payment_id} of ${user_id} started ${own.length} runs`);
    const wrong = own.find(({ campaign, user_id: of }) => campaign !== begins || of !== user_id);
    if (wrong)
      broken.push(
        `payment ${payment_id} of ${user_id} started run ${wrong.run_id} of ${wrong.user_id} in ${wrong.campaign}`,
      );
  }
  for (const { run_id, payment_id, campaign } of runs)
    if (campaign !== 'scheduled' && !told.has(payment_id))
      broken.push(`run ${run_id} was started by payment ${payment_id}, which was never published`);
  return outcome('P17', 'each cause starts one run', { causes: life.payments.length, runs: runs.length }, broken);
}

/**
 * Whether a payment does not have to start a run, because the player is excluded at some time, or because the campaign may have been
 * paused or stopped when the payment was processed. While processes are killed, this can be late.
 */
function mayStartNone({ excluded, changes: { pause, resume, stop } }: CampaignLife, payment: Payment): boolean {
  const { user_id, begins, published_at, acknowledged_at } = payment;
  if (excluded.has(user_id)) return true;
  if (begins === 'stopped') return acknowledged_at > stop.requested_at - latestMs;
  const isBefore = acknowledged_at <= pause.requested_at - latestMs;
  return begins === 'paused' && !isBefore && published_at < resume.acknowledged_at;
}

/** P17: every run has ended, or its state says what it waits for. A run that ended has passed every step. See also `judgePoisoned`. */
export function judgeEnds({ life, runs }: CampaignEvidence): Outcome {
  const poisonOf = poisonsOf(life);
  const states: Record<string, number> = {};
  const broken: string[] = [];
  for (const run of runs) {
    const name = `run ${run.run_id} of ${run.user_id} in ${run.campaign}`;
    states[run.state] = (states[run.state] ?? 0) + 1;
    if (run.state === 'exited' && run.reason === null) broken.push(`${name} exited without a reason`);
    if (run.state === 'failed' && poisonOf.has(run.payment_id)) continue;
    if (ends.includes(run.state)) {
      const seen = new Set(
        run.story.filter(({ state }) => state !== 'waiting' && state !== 'held').map(({ step }) => step),
      );
      const missed = campaigns[run.campaign].steps.filter(({ id }) => run.state === 'done' && !seen.has(id));
      if (missed.length > 0) broken.push(`${name} is done without ${missed.map(({ id }) => id).join(', ')}`);
    } else if (run.state === 'failed' || !run.waits || run.reason === null)
      broken.push(`${name} is ${run.state}: ${run.reason ?? 'no reason'}`);
  }
  return outcome('P17', 'every run ends, or waits with a reason', states, broken);
}

function poisonsOf({ payments }: CampaignLife): Map<string, Poison> {
  return new Map(
    payments.flatMap(({ payment_id, poison }) => (poison === null ? [] : [[payment_id, poison] as const])),
  );
}

/**
 * P17: a run that cannot be processed fails once, at the step and for the reason that the console API shows. It does not begin again, even
 * after a restart. If the player was excluded before, it exited.
 */
export function judgePoisoned({ life, runs, failed, failedBefore }: CampaignEvidence): Outcome {
  const poisonOf = poisonsOf(life);
  const shown = new Map(failed.map((one) => [one.run_id, one]));
  const counts = { poisoned: 0, failed_limit: 0, failed_refused: 0 };
  const broken: string[] = [];
  for (const { run_id, user_id, payment_id, campaign, state, reason, story } of runs) {
    const poison = poisonOf.get(payment_id);
    if (poison === undefined) continue;
    const name = `run ${run_id} of ${user_id} in ${campaign}, which cannot be processed (${poison}),`;
    counts.poisoned++;
    if (state === 'exited') continue;
    const wanted = poisons[poison];
    if (state !== 'failed' || !wanted.reason.test(reason ?? '')) {
      broken.push(`${name} is ${state}: ${reason ?? 'no reason'}`);
      continue;
    }
    counts[`failed_${poison}`]++;
    const failures = story.filter((one) => one.state === 'failed');
    const [{ step, reason: told } = { step: 'no step', reason: null }] = failures;
    if (failures.length !== 1 || step !== wanted.step || told !== reason)
      broken.push(`${name} failed ${failures.length} times, first at ${step}: ${told ?? 'no reason'}`);
    const own = shown.get(run_id);
    const ofStep = own?.steps.find(({ id, state }) => id === wanted.step && state === 'failed');
    if (own?.state !== 'failed' || own.reason !== reason || ofStep?.reason !== reason)
      broken.push(`${name} is shown as ${own?.state ?? 'missing'}: ${own?.reason ?? 'no reason'}`);
  }
  for (const before of failedBefore) {
    const after = shown.get(before.run_id);
    if (after?.moved_at !== before.moved_at || after.steps.length !== before.steps.length)
      broken.push(`run ${before.run_id} had failed, and moved again after a restart`);
  }
  return outcome(
    'P17',
    'a run that cannot be processed fails once, with a reason that the console API shows',
    { ...counts, failed_before_restart: failedBefore.length },
    broken,
  );
}

/**
 * Maximum delay by failing runs, in milliseconds: how much later the slowest run of a burst is if a fifth of its runs fail, as the median
 * of all pairs of bursts.
 */
const mostDelayMs = 1_000;

/**
 * P17: runs next to others that cannot be processed are neither lost nor delayed. Their SMS shows when they were processed. Each burst with
 * failing runs is compared with the burst before it, which has none.
 */
export function judgeBeside({ bursts, messages, allowance }: CampaignEvidence): Outcome {
  const orderedAt = new Map(messages.map(({ channel, key, ordered_at }) => [`${channel} ${key}`, ordered_at]));
  const broken: string[] = [];
  const slowest = bursts.map(({ payments }) => {
    const delays = payments.flatMap(({ payment_id, user_id, begins, poison, acknowledged_at }) => {
      if (poison !== null) return [];
      const at = orderedAt.get(`sms ${begins} text ${payment_id}`);
      if (at === undefined) broken.push(`the SMS for payment ${payment_id} of ${user_id} was never ordered`);
      return at === undefined ? [] : [at - acknowledged_at];
    });
    return Math.max(0, ...delays);
  });
  const later = bursts.flatMap(({ isPoisoned }, n) =>
    isPoisoned ? [(slowest[n] as number) - (slowest[n - 1] ?? 0)] : [],
  );
  const median = later.toSorted((a, b) => a - b)[Math.floor(later.length / 2)] ?? 0;
  if (median > mostDelayMs * allowance)
    broken.push(`next to runs that fail, the slowest run is ${Math.round(median)} ms later`);
  const counts = {
    together: bursts.reduce((sum, { payments }) => sum + payments.length, 0),
    slowest_ms: Math.round(Math.max(0, ...slowest)),
    later_ms: Math.round(median),
  };
  return outcome('P17', 'runs are neither lost nor delayed by others that cannot be processed', counts, broken);
}

/**
 * P7 and P17: a provider without idempotency keys is called at most once for each effect. It has taken every message that is
 * reported as sent.
 */
export function judgeCalls({ runs, messages, taken }: CampaignEvidence): Outcome {
  const callsOf = Map.groupBy(taken, ({ channel, key }) => `${channel} ${key}`);
  const messagesOf = Map.groupBy(messages, ({ channel, key }) => `${channel} ${key}`);
  const ran = new Set(runs.map(({ campaign, payment_id }) => `${campaign} ${payment_id}`));
  const states: Record<string, number> = {};
  const broken: string[] = [];
  for (const [key, calls] of callsOf) {
    if (calls.length > 1) broken.push(`${key} was sent ${calls.length} times`);
    if (!messagesOf.has(key)) broken.push(`${key} was sent, but no message is stored for it`);
  }
  for (const [key, kept] of messagesOf) {
    const [one] = kept;
    if (one === undefined) continue;
    if (kept.length > 1) broken.push(`${key} was ordered ${kept.length} times`);
    const [campaign, , payment_id] = one.key.split(' ');
    if (!ran.has(`${campaign} ${payment_id}`)) broken.push(`${key} belongs to no run`);
    const calls = callsOf.get(key)?.length ?? 0;
    const counted = `${one.channel}_${one.state}`;
    states[counted] = (states[counted] ?? 0) + 1;
    // Entries of lists wait for an export, which this scenario does not make.
    if (one.channel === 'telephone') continue;
    if (!messageEnds.includes(one.state)) broken.push(`${key} has not ended: ${one.state}`);
    if (one.channel === 'site' || one.channel === 'push') continue;
    if (one.state === 'sent' && calls !== 1)
      broken.push(`${key} is shown as sent, but was taken ${calls} times by the provider`);
    if (['withheld', 'dropped'].includes(one.state) && calls > 0)
      broken.push(`${key} is shown as ${one.state}, but was taken by the provider`);
    if (one.state !== 'sent' && one.reason === null) broken.push(`${key} is ${one.state} without a reason`);
  }
  return outcome(
    'P7',
    'each effect of a run causes at most one call, and a message with an unknown outcome is shown as unknown',
    { calls: taken.length, ...states },
    broken,
  );
}

/** Something that reached a player, or the player's account. */
export interface Reached {
  what: string;
  /** Empty for a site message on a page. It became visible before, which is another item. */
  campaign: string;
  user: string;
  at: number;
  channel: KeptMessage['channel'] | 'bonus';
}

/** @returns the owner of the message with a key; empty if there is none */
function ownersOf({ payments, users }: CampaignLife): (key: string) => string {
  const userOf = new Map([
    ...payments.map(({ payment_id, user_id }) => [payment_id, user_id] as const),
    ...users.map((user_id) => [user_id, user_id] as const),
  ]);
  return (key) => userOf.get(key.split(' ').at(-1) ?? '') ?? '';
}

/** The messages with push, by their keys. */
export function announcedOf({ life, messages }: Pick<CampaignEvidence, 'life' | 'messages'>) {
  const ownerOf = ownersOf(life);
  return new Map(
    messages.flatMap(({ channel, key, state }) =>
      channel === 'push' ? [[key, { user_id: ownerOf(key), isLive: state === 'live' }] as const] : [],
    ),
  );
}

export function allReached({ life, messages, taken, pushed, shown, asked, credits }: CampaignEvidence): Reached[] {
  const ownerOf = ownersOf(life);
  const of = (key: string) => ({ campaign: key.split(' ', 1)[0] ?? '', user: ownerOf(key) });
  return [
    ...pushed.map(({ key, device, at }) => ({
      what: `push ${key} to ${device}`,
      ...of(key),
      at,
      channel: 'push' as const,
    })),
    ...taken.map(({ channel, key, at }) => ({ what: `${channel} ${key}`, ...of(key), at, channel })),
    ...messages.flatMap(({ channel, key, live_at }) =>
      live_at === null ? [] : [{ what: `${channel} ${key}`, ...of(key), at: live_at, channel }],
    ),
    ...shown.map(({ message_id, user_id, at }) => ({
      what: `message ${message_id} on the page`,
      campaign: '',
      user: user_id,
      at,
      channel: 'site' as const,
    })),
    ...asked.map(({ number, user_id, at, body }) => ({
      what: `bonus call ${number}`,
      campaign: creditedBy((body as { bonus_code?: string } | null)?.bonus_code),
      user: user_id ?? '',
      at,
      channel: 'bonus' as const,
    })),
    ...credits.map(({ credit_id, bonus_code, user_id, at }) => ({
      what: `credit ${credit_id} of ${bonus_code}`,
      campaign: creditedBy(bonus_code),
      user: user_id,
      at,
      channel: 'bonus' as const,
    })),
  ];
}

/**
 * P5, P8, P15: after the acknowledgment of the exclusion no message is sent, becomes visible or arrives on the page, no bonus is
 * requested or credited, and every run ends. After the consents were withdrawn, no e-mail and no push is sent.
 */
export function judgeProtected(evidence: CampaignEvidence): Outcome {
  const { life, runs, allowance, shown, asked } = evidence;
  const broken: string[] = [];
  const grace = underWayMs * allowance;
  for (const { what, user, at, channel } of allReached(evidence)) {
    const since = {
      excluded: life.excluded.get(user),
      withdrew: channel === 'email' || channel === 'push' ? life.withdrew.get(user) : undefined,
    };
    for (const [why, moment] of Object.entries(since))
      if (moment !== undefined && at > moment + grace)
        broken.push(`${what} to ${user}, ${Math.round(at - moment)} ms after: ${why}`);
  }
  const left = runs.filter(({ user_id }) => life.excluded.has(user_id));
  for (const { run_id, user_id, state } of left)
    if (![...ends, 'failed'].includes(state)) broken.push(`run ${run_id} of ${user_id}, who is excluded, is ${state}`);
  const counts = {
    excluded: life.excluded.size,
    withdrew: life.withdrew.size,
    left_by_exclusion: left.filter(({ state }) => state === 'exited').length,
    shown_on_pages: shown.length,
    shown_to_excluded: shown.filter(({ user_id }) => life.excluded.has(user_id)).length,
    asked_for_excluded: asked.filter(({ user_id }) => life.excluded.has(user_id ?? '')).length,
  };
  return outcome(
    'P15',
    'nothing is sent, shown or credited after an acknowledged exclusion or withdrawal',
    counts,
    broken,
  );
}

export function judgeCampaigns(evidence: CampaignEvidence): Outcome[] {
  const judges = [judgeRuns, judgeEnds, judgePoisoned, judgeBeside, judgeCalls, judgeProtected];
  return judges.map((judge) => judge(evidence));
}

/** Whether no work is left: no news, no start that is not over, no runs that time or the gate will move, no open messages or bonuses. */
export async function isSettled(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ settled: boolean }>(
    `select not exists (select from campaign_news)
            and not exists (select from campaign_schedule s
                             where not exists (select from campaign_start t
                                                where t.campaign_id = s.campaign_id and t.state <> 'running'))
            and not exists (select from campaign_run where state in ('active', 'waiting', 'held'))
            and not exists (select from email_message where state in ('waiting', 'sending'))
            and not exists (select from called_message where state in ('waiting', 'sending'))
            and not exists (select from notification where state = 'held')
            and not exists (select from push_delivery where state in ('waiting', 'sending'))
            and not exists (select from bonus_intent where state in ('offered', 'pending', 'retry')) as settled`,
  );
  return rows[0]?.settled === true;
}

/** Whether each of these payments has a run. */
export async function haveRuns(pool: Pool, payments: readonly { payment_id: string }[]): Promise<boolean> {
  const { rows } = await pool.query<{ runs: number }>(
    `select count(*)::int as runs from campaign_run where cause -> 'row' ->> 'payment_id' = any($1::text[])`,
    [payments.map(({ payment_id }) => payment_id)],
  );
  return rows[0]?.runs === payments.length;
}

const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

export async function readCampaignEvidence(
  pool: Pool,
): Promise<Pick<CampaignEvidence, 'runs' | 'messages' | 'journal'>> {
  const { rows: runs } = await pool.query<KeptRun>(
    `select r.run_id, c.code as campaign, v.version, coalesce(r.cause -> 'row' ->> 'payment_id', p.user_id) as payment_id, p.user_id, r.state, r.reason,
            r.due_at is not null or r.position -> 'wait' <> 'null' as waits,
            ${epochMs('r.entered_at')} as entered_at, ${epochMs('r.moved_at')} as moved_at,
            coalesce((select jsonb_agg(jsonb_build_object('step', s.step, 'state', s.state, 'reason', s.reason,
                                                          'at', ${epochMs('s.at')}) order by s.story_id)
                        from campaign_run_step s where s.run_id = r.run_id), '[]') as story
       from campaign_run r join campaign c using (campaign_id) join campaign_version v using (version_id) join player p using (player_id)`,
  );
  const ordered = `${epochMs('created_at')} as ordered_at`;
  const { rows: messages } = await pool.query<KeptMessage>(
    `select subject as key, 'email' as channel, state, reason, null::float8 as live_at, ${ordered} from email_message
     union all select content ->> 'text', channel, state, reason, null, ${ordered} from called_message
     union all select note, channel, state, reason, null, ${ordered} from list_entry
     union all select title, channel, state, reason, ${epochMs('live_at')}, ${ordered} from notification`,
  );
  const { rows: journal } = await pool.query<CampaignEvidence['journal'][number]>(
    `select p.user_id, ${epochMs('j.at')} as at, ($1::text[])[j.verdict + 1] as verdict, j.writer_id
       from journal j join player p using (player_id) where j.verdict <> $2`,
    [verdictNames, verdictNames.indexOf('repeat')],
  );
  return { runs, journal, messages: messages.map((message) => ({ ...message, key: keyOf(message.key) })) };
}
