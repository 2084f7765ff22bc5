import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOperator } from '@croupier/sandbox';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { awaitRun, type CampaignChange, changeState, growCampaign } from './campaign-changes.ts';
import { type CampaignCode, campaigns, type Poison, publishCampaigns, scheduleCampaign } from './campaign-documents.ts';
import { eventOf } from './event.ts';
import type { MessageProviders } from './message-providers.ts';
import { isQuiet, type Quiet, quietCountry } from './quiet-hours.ts';
import type { Traffic } from './traffic.ts';

/*
 * Players who pay, which starts runs of campaigns, leave channels, and are excluded. Some payments are rolled back. The runs of some
 * payments, which are called poisoned here, cannot be processed.
 */

const consentTypes = ['Email', 'PushNotification', 'SMS', 'SiteNotification', 'Telephone'];
/** Of 40 players, 10 are excluded during a run, and 10 withdraw these consents. */
const withdrawn = ['Email', 'PushNotification'];
const players = 40;
const repeats = 0.2;
/** Share of the payments of the first two campaigns with each kind of poison. */
const poisoned = 0.05;
/** Shares of the payments that are rolled back. */
const rolledBack = { paid: 0.1, withdrew: 0.1, patient: 0.7, paused: 0, stopped: 0, grown: 0, scheduled: 0 };
/** When the campaigns `paused`, `grown` and `stopped` are changed, as parts of the load. Each change waits for a run that it concerns. */
const changesAt = { pause: 0.35, grow: 0.45, stop: 0.5, resume: 0.65 };
/** Milliseconds until a payment is rolled back: at once, in the first wait of the campaign `patient`, in its second one, or after its end. */
const rollbackDelays = [
  [0, 0],
  [500, 3_000],
  [5_300, 6_700],
  [9_000, 9_000],
] as const;
export const sidOf = (user_id: string) => `sid-of-${user_id}`;

/** A payment whose first publication was acknowledged. */
export interface Payment {
  payment_id: string;
  user_id: string;
  begins: CampaignCode;
  /** Null if its run can be processed. */
  poison: Poison | null;
  /** When it was sent for the first time. All times are milliseconds since the epoch. */
  published_at: number;
  /** The timestamp of the event. */
  timestamp: number;
  acknowledged_at: number;
  /** When its rollback was acknowledged, and the timestamp of this event. Null if it was not rolled back. */
  rolled_back_at: number | null;
  rollback_timestamp: number | null;
}

export interface CampaignLife {
  users: readonly string[];
  payments: Payment[];
  /** When the event about the exclusion was acknowledged, in milliseconds since the epoch; by user_id. */
  excluded: Map<string, number>;
  /** The same for the withdrawal of the consents to e-mail and push. */
  withdrew: Map<string, number>;
  /** What happened to the campaigns `paused`, `grown` and `stopped`. */
  changes: Record<keyof typeof changesAt, CampaignChange>;
  /** The players who live where it is quiet, and the end of their quiet hours. */
  quiet: { users: readonly string[]; ends_at: number };
  /** When the scheduled campaign starts. */
  starts_at: number;
}

interface Options {
  installation: Installation;
  operator: SandboxOperator;
  traffic: Traffic;
  providers: MessageProviders;
  quiet: Quiet;
  signal?: AbortSignal | undefined;
}

/** Creates players with all consents and publishes both campaigns. @returns the players */
export async function beginCampaigns({
  installation,
  operator,
  traffic,
  providers,
  signal,
}: Options): Promise<string[]> {
  const console = consoleOf(installation);
  const users = Array.from({ length: players }, (_, n) => `payer-${n}`);
  const consents = consentTypes.map((type) => ({ type, opted_in: true }));
  for (const [n, user] of users.entries()) {
    const details = isQuiet(n) ? { country: quietCountry } : {};
    operator.books.addPlayer(user, { details, blocks: [], consents });
    operator.books.signIn(user, sidOf(user));
  }
  await Promise.all(users.map((user_id) => traffic.publish(eventOf('registration', { user_id }))));
  await setUp(console, providers);
  const known = async () => {
    const pages = await Promise.all(
      users.map((user) => console.get<{ may_contact: Record<string, unknown> }>(`players/${user}/contactability`)),
    );
    return pages.every((page) => page !== undefined);
  };
  await until('the players to be known', known, { limitMs: 60_000, everyMs: 200, signal });
  return users;
}

async function setUp(console: Console, { smsUrl }: MessageProviders): Promise<void> {
  const settings = {
    provider: 'http',
    url: smsUrl,
    body: '{"to": {{ to | json }}, "text": {{ text | json }}}',
    from: 'Faults',
    call_timeout_ms: 500,
    per_second: 1_000,
    max_connections: 20,
  };
  await console.put('channels', { channel: 'sms', settings });
  await publishCampaigns(console);
}

interface Announced extends Pick<Payment, 'payment_id' | 'user_id' | 'begins' | 'poison'> {
  /** Milliseconds between its acknowledgment and its rollback. Null if it is not rolled back. */
  rollbackAfter: number | null;
}

function paymentOf(name: string, { poison, ...of }: Omit<Announced, 'payment_id'>): Announced {
  return { ...of, poison, payment_id: poison === 'refused' ? `${name}%00` : name };
}

/** Publishes a payment, and its rollback if it has one. It is recorded when it is acknowledged. */
async function pay(
  traffic: Pick<Traffic, 'publish'>,
  life: Pick<CampaignLife, 'payments'>,
  { rollbackAfter, ...payment }: Announced,
  again = false,
): Promise<Payment> {
  const { payment_id, user_id, begins, poison } = payment;
  const messageOf = (status: string) =>
    eventOf('payment', {
      user_id,
      payment_id,
      type: campaigns[begins].type,
      status,
      amount: poison === 'limit' ? 5_000_000 : 10,
      currency: 'EUR',
      exchange_rate: 1,
      vendor_id: begins,
    });
  const message = messageOf('Approved');
  const published_at = Date.now();
  await traffic.publish(message);
  const paid: Payment = {
    ...payment,
    published_at,
    timestamp: message.at / 1_000,
    acknowledged_at: Date.now(),
    rolled_back_at: null,
    rollback_timestamp: null,
  };
  life.payments.push(paid);
  const rollBack = async (after: number) => {
    await delay(after);
    const rollback = messageOf('Rollback');
    await traffic.publish(rollback);
    paid.rolled_back_at = Date.now();
    paid.rollback_timestamp = rollback.at / 1_000;
  };
  await Promise.all([again && traffic.publish(message), rollbackAfter !== null && rollBack(rollbackAfter)]);
  return paid;
}

/** Payments that were made at once. */
export interface Burst {
  isPoisoned: boolean;
  payments: Payment[];
}

/**
 * Publishes payments at once, so that a worker processes many of them in one round. No player is excluded or has withdrawn a consent.
 *
 * @param of the nth payment
 */
async function payAtOnce(
  { traffic }: Pick<Options, 'traffic'>,
  life: CampaignLife,
  users: readonly string[],
  {
    seed,
    name,
    count,
    of,
  }: { seed: string; name: string; count: number; of: (n: number) => Omit<Announced, 'payment_id' | 'user_id'> },
): Promise<Payment[]> {
  const random = seededRandom(`together/${seed}/${name}`);
  const left = users.filter((user) => !life.excluded.has(user) && !life.withdrew.has(user));
  const all = Array.from({ length: count }, (_, n) => {
    const user_id = left[random.whole(0, left.length - 1)] as string;
    return paymentOf(`${seed}-${name}-${n}`, { user_id, ...of(n) });
  });
  return Promise.all(all.map((payment) => pay(traffic, life, payment)));
}

/** A burst of payments to the first two campaigns. One in ten has each kind of poison, if any has. */
export async function payTogether(
  options: Pick<Options, 'traffic'>,
  life: CampaignLife,
  users: readonly string[],
  { isPoisoned, ...burst }: { seed: string; name: string; count: number; isPoisoned: boolean },
): Promise<Burst> {
  const of = (n: number) => ({
    begins: n % 2 === 0 ? ('paid' as const) : ('withdrew' as const),
    poison: !isPoisoned ? null : n % 10 === 3 ? ('limit' as const) : n % 10 === 8 ? ('refused' as const) : null,
    rollbackAfter: null,
  });
  return { isPoisoned, payments: await payAtOnce(options, life, users, { ...burst, of }) };
}

/** Payments whose runs wait first. Every second one is rolled back at once. */
export function rollBackTogether(
  options: Pick<Options, 'traffic'>,
  life: CampaignLife,
  users: readonly string[],
  burst: { seed: string; name: string; count: number },
): Promise<Payment[]> {
  const of = (n: number) => ({ begins: 'patient' as const, poison: null, rollbackAfter: n % 2 === 0 ? 0 : null });
  return payAtOnce(options, life, users, { ...burst, of });
}

/**
 * All players pay for the given number of seconds, and some of them unsubscribe or are excluded. Returns when everything that
 * was published is acknowledged.
 */
export async function liveInCampaigns(
  { installation, operator, traffic, quiet, signal }: Options,
  users: readonly string[],
  { seed, seconds, rate }: { seed: string; seconds: number; rate: number },
): Promise<CampaignLife> {
  const random = seededRandom(`campaigns/${seed}`);
  const poisoning = seededRandom(`poison/${seed}`);
  const rollingBack = seededRandom(`rollbacks/${seed}`);
  const life: Omit<CampaignLife, 'changes' | 'starts_at'> = {
    users,
    quiet: { users: users.filter((_, n) => isQuiet(n)), ends_at: quiet.ends_at },
    payments: [],
    excluded: new Map(),
    withdrew: new Map(),
  };
  const leaving = users.filter((_, n) => n % 4 === 1);
  const excluding = users.filter((_, n) => n % 4 === 3);
  const underWay = new Set<Promise<void>>();
  const starts_at = await scheduleCampaign(consoleOf(installation));
  const startedAt = performance.now();
  const count = Math.round(seconds * rate);
  const moment = (of: readonly string[], n: number) => Math.round((count * (n + 1)) / (of.length + 1));
  const leavesAt = new Map(leaving.map((user, n) => [moment(leaving, n), user]));
  const excludedAt = new Map(excluding.map((user, n) => [moment(excluding, n), user]));
  const changes = changeCampaigns();
  // Reported when the load has ended.
  changes.catch(() => {});
  for (let n = 0; n < count; n++) {
    const user_id = users[random.whole(0, users.length - 1)] as string;
    const begins = drawCampaign(random.next());
    const again = random.chance(repeats);
    const poison = drawPoison(poisoning.next(), begins);
    const rollbackAfter = drawRollback(rollingBack, { begins, poison });
    const payment = paymentOf(`${seed}-${n}`, { user_id, begins, poison, rollbackAfter });
    track(pay(traffic, life, payment, again).then(() => {}));
    const left = leavesAt.get(n);
    if (left !== undefined) track(leave(left));
    const out = excludedAt.get(n);
    if (out !== undefined) track(exclude(out));
    await delay(Math.max(0, startedAt + ((n + 1) * 1_000) / rate - performance.now()), undefined, { signal });
  }
  await Promise.all(underWay);
  return { ...life, changes: await changes, starts_at };

  async function changeCampaigns(): Promise<CampaignLife['changes']> {
    const console = consoleOf(installation);
    const at = (part: number) =>
      delay(Math.max(0, startedAt + part * seconds * 1_000 - performance.now()), undefined, { signal });
    await at(changesAt.pause);
    await awaitRun(console, 'paused', { state: 'waiting', signal });
    const pause = await changeState(console, 'paused', { action: 'pause', to: 'paused', signal });
    await at(changesAt.grow);
    await awaitRun(console, 'grown', { state: 'waiting', signal });
    const grow = await growCampaign(console, signal);
    await at(changesAt.stop);
    await awaitRun(console, 'stopped', { state: 'waiting', signal });
    const stop = await changeState(console, 'stopped', { action: 'stop', to: 'stopped', signal });
    await at(changesAt.resume);
    await awaitRun(console, 'paused', { state: 'held', reason: 'paused', signal });
    const resume = await changeState(console, 'paused', { action: 'resume', to: 'live', signal });
    return { pause, grow, stop, resume };
  }

  function track(work: Promise<void>): void {
    const done: Promise<void> = work.finally(() => underWay.delete(done));
    underWay.add(done);
  }

  async function leave(user_id: string): Promise<void> {
    const consents = consentTypes.map((type) => ({ type, opted_in: !withdrawn.includes(type) }));
    operator.books.change(user_id, { consents });
    await traffic.publish(eventOf('consents_update', { user_id }));
    life.withdrew.set(user_id, Date.now());
  }

  async function exclude(user_id: string): Promise<void> {
    operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: 'by the player' }] });
    await traffic.publish(eventOf('blocks_update', { user_id }));
    life.excluded.set(user_id, Date.now());
  }
}

function drawCampaign(draw: number): CampaignCode {
  let place = draw;
  for (const [code, { share }] of Object.entries(campaigns) as [CampaignCode, { share: number }][]) {
    place -= share;
    if (place < 0) return code;
  }
  return 'paid';
}

/** Only the first two campaigns have the steps at which such runs fail. */
function drawPoison(draw: number, begins: CampaignCode): Poison | null {
  if (begins !== 'paid' && begins !== 'withdrew') return null;
  return draw < poisoned ? 'limit' : draw < 2 * poisoned ? 'refused' : null;
}

function drawRollback(random: Random, { begins, poison }: Pick<Payment, 'begins' | 'poison'>): number | null {
  const isRolledBack = random.chance(rolledBack[begins]);
  const [from, to] = random.pick(rollbackDelays);
  const after = random.whole(from, to);
  return isRolledBack && poison === null ? after : null;
}
