import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOperator } from '@croupier/sandbox';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { eventOf } from './event.ts';
import type { MessageProviders } from './message-providers.ts';
import type { Traffic } from './traffic.ts';

/*
 * Two campaigns that start with every payment of a kind, and players who pay, leave channels, and are excluded. Each message
 * contains its campaign, step and payment, so that the messages of a provider can be compared with the runs that ordered them.
 * The runs of some payments, which are called poisoned here, cannot be processed.
 */

const place = '{{ campaign.code }} {{ campaign.step }}';
const key = `${place} {{ event.payment_id }}`;
const began = (type: string) => ({
  event: 'payment',
  where: {
    combinator: 'and',
    rules: [
      { field: 'type', operator: '=', value: type },
      { field: 'status', operator: '=', value: 'Approved' },
    ],
  },
});
const reentry = { times: 'unlimited', while_running: true };
const send = (id: string, channel: string) => ({ id, send: { channel, template: channel } });
const call = { id: 'call', call_list: { template: 'telephone' } };

/** The two campaigns, by code: the kind of payment that starts the campaign, and its steps. */
export const campaigns = {
  paid: {
    begins: 'Credit',
    steps: [
      send('mail', 'email'),
      send('ping', 'push'),
      { id: 'pause', wait: { for: 'PT1S' } },
      call,
      { id: 'gift', credit: { bonus_code: 'GIFT' } },
      send('text', 'sms'),
      send('note', 'site'),
    ],
  },
  withdrew: {
    begins: 'Debit',
    steps: [
      send('text', 'sms'),
      { id: 'pause', wait: { event: 'login', timeout: 'PT2S' } },
      { id: 'mark', tag: 'left' },
      call,
      send('mail', 'email'),
    ],
  },
} as const;
export type CampaignCode = keyof typeof campaigns;

/**
 * Payments whose run fails each time it is processed, by the kind of failure: the step at which it fails, and the reason.
 *
 * - `limit`: the template of the SMS counts up to the amount, which exceeds the limit of a rendering.
 * - `refused`: the note for the caller contains NUL, which PostgreSQL refuses. The payment's id contains its URL code.
 */
export const poisons = {
  limit: { step: 'text', reason: /limit exceeded/ },
  refused: { step: 'call', reason: /^cannot be processed: .*\(SQLSTATE 22P05\)$/ },
} as const;
export type Poison = keyof typeof poisons;

const templates = {
  email: { subject: key, html: '<p>Hello</p>' },
  sms: { text: `${key}\n{% for n in (1..event.amount) %}{% endfor %}` },
  site: { title: key, message: 'Hello' },
  push: { title: key, message: 'Hello' },
  telephone: { list: 'faults', note: `${place} {{ event.payment_id | url_decode }}` },
};
const consentTypes = ['Email', 'PushNotification', 'SMS', 'SiteNotification', 'Telephone'];
/** Of 40 players, 10 are excluded during a run, and 10 withdraw these consents. */
const withdrawn = ['Email', 'PushNotification'];
const players = 40;
const repeats = 0.2;
/** Share of the payments with each kind of poison. */
const poisoned = 0.05;
export const sidOf = (user_id: string) => `sid-of-${user_id}`;

/** A payment whose first publication was acknowledged. */
export interface Payment {
  payment_id: string;
  user_id: string;
  begins: CampaignCode;
  /** Null if its run can be processed. */
  poison: Poison | null;
  acknowledged_at: number;
}

export interface CampaignLife {
  payments: Payment[];
  /** When the event about the exclusion was acknowledged, in milliseconds since the epoch; by user_id. */
  excluded: Map<string, number>;
  /** The same for the withdrawal of the consents to e-mail and push. */
  withdrew: Map<string, number>;
}

interface Options {
  installation: Installation;
  operator: SandboxOperator;
  traffic: Traffic;
  providers: MessageProviders;
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
  for (const user of users) {
    operator.books.addPlayer(user, { blocks: [], consents });
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
  for (const [channel, content] of Object.entries(templates)) {
    const template = { code: channel, name: channel, channel, purpose: 'service', content: { en: content } };
    await console.post('templates', template);
  }
  for (const [code, { begins, steps }] of Object.entries(campaigns)) {
    await console.post('campaigns', { code, name: code, entry: began(begins), reentry, purpose: 'marketing', steps });
    await console.post(`campaigns/${code}/publish`, {});
  }
}

type Announced = Omit<Payment, 'acknowledged_at'>;

function paymentOf(name: string, { poison, ...of }: Pick<Payment, 'user_id' | 'begins' | 'poison'>): Announced {
  return { ...of, poison, payment_id: poison === 'refused' ? `${name}%00` : name };
}

/** Publishes a payment, and records it when it is acknowledged. */
async function pay(
  traffic: Pick<Traffic, 'publish'>,
  life: Pick<CampaignLife, 'payments'>,
  payment: Announced,
  again = false,
): Promise<Payment> {
  const { payment_id, user_id, begins, poison } = payment;
  const message = eventOf('payment', {
    user_id,
    payment_id,
    type: campaigns[begins].begins,
    status: 'Approved',
    amount: poison === 'limit' ? 5_000_000 : 10,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: 'faults',
  });
  await traffic.publish(message);
  const paid = { ...payment, acknowledged_at: Date.now() };
  life.payments.push(paid);
  if (again) await traffic.publish(message);
  return paid;
}

/** Payments that were made at once. */
export interface Burst {
  isPoisoned: boolean;
  payments: Payment[];
}

/**
 * Publishes payments at once, so that a worker processes many of them in one round. One in ten has each kind of poison, if any has.
 * No player is excluded or has withdrawn a consent.
 */
export async function payTogether(
  { traffic }: Pick<Options, 'traffic'>,
  life: CampaignLife,
  users: readonly string[],
  { seed, name, count, isPoisoned }: { seed: string; name: string; count: number; isPoisoned: boolean },
): Promise<Burst> {
  const random = seededRandom(`together/${seed}/${name}`);
  const left = users.filter((user) => !life.excluded.has(user) && !life.withdrew.has(user));
  const all = Array.from({ length: count }, (_, n): Announced => {
    const user_id = left[random.whole(0, left.length - 1)] as string;
    const poison = !isPoisoned ? null : n % 10 === 3 ? 'limit' : n % 10 === 8 ? 'refused' : null;
    return paymentOf(`${seed}-${name}-${n}`, { user_id, begins: n % 2 === 0 ? 'paid' : 'withdrew', poison });
  });
  return { isPoisoned, payments: await Promise.all(all.map((payment) => pay(traffic, life, payment))) };
}

/**
 * All players pay for the given number of seconds, and some of them unsubscribe or are excluded. Returns when everything that
 * was published is acknowledged.
 */
export async function liveInCampaigns(
  { operator, traffic, signal }: Options,
  users: readonly string[],
  { seed, seconds, rate }: { seed: string; seconds: number; rate: number },
): Promise<CampaignLife> {
  const random = seededRandom(`campaigns/${seed}`);
  const poisoning = seededRandom(`poison/${seed}`);
  const life: CampaignLife = { payments: [], excluded: new Map(), withdrew: new Map() };
  const leaving = users.filter((_, n) => n % 4 === 1);
  const excluding = users.filter((_, n) => n % 4 === 3);
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const count = Math.round(seconds * rate);
  const moment = (of: readonly string[], n: number) => Math.round((count * (n + 1)) / (of.length + 1));
  const leavesAt = new Map(leaving.map((user, n) => [moment(leaving, n), user]));
  const excludedAt = new Map(excluding.map((user, n) => [moment(excluding, n), user]));
  for (let n = 0; n < count; n++) {
    const user_id = users[random.whole(0, users.length - 1)] as string;
    const begins = random.chance(0.7) ? 'paid' : 'withdrew';
    const again = random.chance(repeats);
    const draw = poisoning.next();
    const poison = draw < poisoned ? 'limit' : draw < 2 * poisoned ? 'refused' : null;
    track(pay(traffic, life, paymentOf(`${seed}-${n}`, { user_id, begins, poison }), again).then(() => {}));
    const left = leavesAt.get(n);
    if (left !== undefined) track(leave(left));
    const out = excludedAt.get(n);
    if (out !== undefined) track(exclude(out));
    await delay(Math.max(0, startedAt + ((n + 1) * 1_000) / rate - performance.now()), undefined, { signal });
  }
  await Promise.all(underWay);
  return life;

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
