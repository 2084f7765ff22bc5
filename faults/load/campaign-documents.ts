import type { Console } from '../installation/console.ts';
import { brandZone } from '../installation/installation.ts';
import { localTime } from './local-time.ts';

/*
 * The campaigns of the fault runs. A payment starts a run of the campaign that is its vendor. Each message contains its campaign, step and
 * payment, or the player if no payment started its run, so that the messages of a provider can be compared with the runs that ordered them.
 */

const place = '{{ campaign.code }} {{ campaign.step }}';
const key = `${place} {{ event.payment_id | default: player.user_id }}`;
const paidTo = (vendor: string) => ({
  event: 'payment',
  where: {
    combinator: 'and',
    rules: [
      { field: 'vendor_id', operator: '=', value: vendor },
      { field: 'status', operator: '=', value: 'Approved' },
    ],
  },
});
const reentry = { times: 'unlimited', while_running: true };
const send = (id: string, channel: string) => ({ id, send: { channel, template: channel } });
const call = { id: 'call', call_list: { template: 'telephone' } };

/** The campaigns, by code: the type of the payments that start the campaign, their share of all payments, and its steps. */
export const campaigns = {
  paid: {
    type: 'Credit',
    share: 0.4,
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
    type: 'Debit',
    share: 0.18,
    steps: [
      send('text', 'sms'),
      { id: 'pause', wait: { event: 'login', timeout: 'PT2S' } },
      { id: 'mark', tag: 'left' },
      call,
      send('mail', 'email'),
    ],
  },
  // Its runs can be withdrawn during the first wait, and no longer during the second one.
  patient: {
    type: 'Debit',
    share: 0.15,
    steps: [
      { id: 'pause', wait: { for: 'PT5S' } },
      { id: 'mark', tag: 'patient' },
      { id: 'rest', wait: { for: 'PT2S' } },
      send('text', 'sms'),
      send('mail', 'email'),
    ],
  },
  // It is paused and resumed during the load. In the short run, the pause lasts 6 s. About five runs begin in the 5 s before it.
  paused: {
    type: 'Credit',
    share: 0.11,
    steps: [
      send('text', 'sms'),
      { id: 'pause', wait: { for: 'PT5S' } },
      { id: 'mark', tag: 'paused' },
      send('mail', 'email'),
      send('ping', 'push'),
      { id: 'gift', credit: { bonus_code: 'PAUSED' } },
      send('note', 'site'),
    ],
  },
  // It is stopped during the load.
  stopped: {
    type: 'Credit',
    share: 0.09,
    steps: [
      send('text', 'sms'),
      send('mail', 'email'),
      send('ping', 'push'),
      { id: 'gift', credit: { bonus_code: 'STOPPED' } },
      { id: 'pause', wait: { for: 'PT5S' } },
      { id: 'mark', tag: 'stopped' },
      send('note', 'site'),
      { id: 'more', credit: { bonus_code: 'STOPPED' } },
    ],
  },
  // A second version, to which the runs move, is published during the load.
  grown: {
    type: 'Debit',
    share: 0.07,
    steps: [
      send('text', 'sms'),
      { id: 'pause', wait: { for: 'PT4S' } },
      send('mail', 'email'),
      { id: 'rest', wait: { for: 'PT4S' } },
      { id: 'mark', tag: 'grown' },
    ],
  },
  // It starts once for all players, at a full minute during the load or after it. No payment starts it.
  scheduled: {
    type: 'Credit',
    share: 0,
    steps: [
      send('text', 'sms'),
      { id: 'pause', wait: { for: 'PT2S' } },
      { id: 'mark', tag: 'scheduled' },
      send('mail', 'email'),
      { id: 'gift', credit: { bonus_code: 'SCHEDULED' } },
    ],
  },
} as const;
export type CampaignCode = keyof typeof campaigns;
/** The steps that the second version of the campaign `grown` has after those of the first. */
export const addedSteps = [send('ping', 'push'), send('note', 'site'), { id: 'grew', tag: 'grew' }];

/** @returns the campaign that credits a bonus; empty if none does */
export function creditedBy(bonusCode: string | undefined): string {
  const credits = ({ steps }: (typeof campaigns)[CampaignCode]) =>
    steps.some((step) => 'credit' in step && step.credit.bonus_code === bonusCode);
  return Object.entries(campaigns).find(([, campaign]) => credits(campaign))?.[0] ?? '';
}

/** @returns the ids of the steps of a campaign that have an effect */
export function effectsOf(code: CampaignCode): ReadonlySet<string> {
  return new Set(campaigns[code].steps.flatMap((step) => ('wait' in step ? [] : [step.id])));
}

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

/** The document of a campaign, as the console API reads it. */
export function documentOf(code: string, steps: readonly unknown[], entry: unknown = paidTo(code)) {
  return { code, name: code, entry, reentry, purpose: 'marketing', steps };
}

/** Stores the templates, and publishes all campaigns but the scheduled one. */
export async function publishCampaigns(console: Console): Promise<void> {
  for (const [channel, content] of Object.entries(templates)) {
    const template = { code: channel, name: channel, channel, purpose: 'service', content: { en: content } };
    await console.post('templates', template);
  }
  for (const [code, { steps }] of Object.entries(campaigns))
    if (code !== 'scheduled') await publishCampaign(console, documentOf(code, steps));
}

async function publishCampaign(console: Console, document: ReturnType<typeof documentOf>): Promise<void> {
  await console.post('campaigns', document);
  await console.post(`campaigns/${document.code}/publish`, {});
}

/** Publication takes less. A time that has passed at the publication starts nothing. */
const leastAheadMs = 10_000;

/** Publishes the campaign that starts by itself at a full minute. @returns that time, in milliseconds since the epoch */
export async function scheduleCampaign(console: Console): Promise<number> {
  const at = Math.ceil((Date.now() + leastAheadMs) / 60_000) * 60_000;
  const local = localTime(at, brandZone);
  await publishCampaign(console, documentOf('scheduled', campaigns.scheduled.steps, { schedule: { at: local } }));
  return at;
}
