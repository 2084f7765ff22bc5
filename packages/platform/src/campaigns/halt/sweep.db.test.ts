import type { Campaign } from '@croupier/campaigns';
import { afterAll, describe, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { twilioTo } from '../../../testing/channels/calls/setup-calls.ts';
import { answer, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { emailSettings, testTokens } from '../../../testing/channels/email/setup-email.ts';
import { startSmtp } from '../../../testing/channels/email/setup-smtp.ts';
import { isSignedIn, testPush } from '../../../testing/channels/push/setup-push.ts';
import { answer as pushAnswer, startPushService } from '../../../testing/channels/push/setup-push-service.ts';
import { testLog } from '../../../testing/log.ts';
import { CallPlaces } from '../../channels/calls/places.ts';
import { EmailServers } from '../../channels/email/servers.ts';
import {
  CallSender,
  callTransport,
  EmailSender,
  EmailTransport,
  exportEntries,
  playerChannels,
  readSettings,
  writeChannelSettings,
  writeTemplate,
} from '../../channels/index.ts';
import { PushSender, PushTransport, subscribe } from '../../channels/push/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import {
  CampaignSweep,
  CampaignWatch,
  enterPlayer,
  listOutcomes,
  mostStepRecords,
  pause,
  readCampaigns,
  readStepRecords,
  remove,
  resume,
  stop,
} from '../index.ts';

/*
 * Messages that wait for the rate of a provider when their campaign is stopped, paused or halted. The providers are a real SMTP
 * server and a real HTTP server. Their rate is three calls a second, on a clock that the test moves.
 */
const server = await startSmtp();
let sids = 0;
const provider = await startProvider((response) => answer(201, { sid: `SM${++sids}`, status: 'queued' })(response));
const service = await startPushService();
const perSecond = 3;
const setup = await setupCampaigns({
  brand: {
    email: { ...emailSettings(server), per_second: perSecond },
    webhook_allowed: [provider.origin],
    push: { private_origins: [service.origin] },
  },
});
const { pool, brand, brands, clock, gate, follow, campaign, republish } = setup;
const { brand_id } = brand;
let monotonic = 0;
const second = () => {
  monotonic += 1_000;
};
const sending = {
  pool,
  vault: testVault,
  gate,
  tokens: testTokens,
  publicUrl: 'https://crm.example',
  clock: clock.now,
};
const common = { ...sending, log: testLog, random: () => 0.5, brands };
const createSenders = () => [
  new EmailSender({
    ...common,
    transport: new EmailTransport(),
    servers: new EmailServers(() => monotonic),
    unsubscribeHeaders: () => ({}),
  }),
  new CallSender({ ...common, transport: callTransport(), places: new CallPlaces(() => monotonic) }),
];
const senders = createSenders();
const sweep = new CampaignSweep({ pool, clock: clock.now, log: testLog });
afterAll(async () => {
  await sweep.stop();
  for (const sender of senders) await sender.stop();
  await server.stop();
  await provider.stop();
  await service.stop();
});

const sms = readSettings('sms', { ...twilioTo(provider), per_second: perSecond }, null);
if (!sms.ok) throw new Error('the settings are wrong');
await writeChannelSettings(pool, testVault, brand, 'sms', sms.settings, { at: clock.now(), by: 'a test' });
const how = { expected: undefined, by: 'a test', at: clock.now() };
await transaction(pool, async (tx) => {
  const email = {
    en: {
      subject: 'Hello',
      mjml: '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>',
    },
  };
  await writeTemplate(
    tx,
    brand,
    { code: 'mail', name: 'mail', channel: 'email', purpose: 'marketing', content: email },
    how,
  );
  const text = { en: { text: 'Hello' } };
  await writeTemplate(
    tx,
    brand,
    { code: 'text', name: 'text', channel: 'sms', purpose: 'marketing', content: text },
    how,
  );
});

const hook = readSettings('webhook', { secret: 'shared', per_second: perSecond }, null);
if (!hook.ok) throw new Error('the settings are wrong');
await writeChannelSettings(pool, testVault, brand, 'webhook', hook.settings, { at: clock.now(), by: 'a test' });
await transaction(pool, (tx) => {
  const content = { en: { url: `${provider.origin}/hook` } };
  return writeTemplate(tx, brand, { code: 'hook', name: 'hook', channel: 'webhook', purpose: 'service', content }, how);
});

await transaction(pool, (tx) => {
  const content = { en: { list: 'vip', note: 'Say hello' } };
  return writeTemplate(
    tx,
    brand,
    { code: 'call', name: 'call', channel: 'telephone', purpose: 'service', content },
    how,
  );
});

const documentOf = (code: string, more: Partial<Campaign> = {}): Campaign => ({
  code,
  name: code,
  entry: { api: true },
  steps: [
    { id: 'mail', send: { channel: 'email', template: 'mail' } },
    { id: 'text', send: { channel: 'sms', template: 'text' } },
  ],
  ...more,
});
const campaignOf = async (code: string) => {
  const [own] = await readCampaigns(pool, brand_id, { code });
  if (own === undefined) throw new Error(`the campaign ${code} does not exist`);
  return own;
};
const change = async (code: string, work: typeof stop) => {
  const own = await campaignOf(code);
  await transaction(pool, (tx) => work(tx, own, setup.by()));
};
let players = 0;
/** Each player gets an e-mail and an SMS. */
async function enter(code: string, count: number): Promise<void> {
  const own = await campaignOf(code);
  for (let n = 0; n < count; n++) {
    const player_id = await setup.reader(`player-${++players}`);
    await pool.query(`update player_profile set email = $2, mobile_prefix = '+356', mobile = $3 where player_id = $1`, [
      player_id,
      `${players}@players.example`,
      String(99_100_000 + players),
    ]);
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'telephone', 'Telephone', 'Telephone', true, 'look_up', $2)`,
      [player_id, timestamptzText(clock.now())],
    );
    await transaction(pool, (tx) => enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() }));
  }
  await follow();
}
/** Begins the calls that the rates allow now. */
async function round(by = senders): Promise<void> {
  for (const sender of by) {
    await sender.runOnce();
    await sender.idle();
  }
}
const calls = () => server.mails.length + provider.taken.length;
/** The number of messages of the campaign by state and reason, over both channels. */
async function states(code: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `select concat_ws(' ', state, reason) as name, count(*)::int as count
       from (select state, reason, campaign_id from email_message union all select state, reason, campaign_id from called_message) m
      where campaign_id = $1 group by 1`,
    [code],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
/** Enters ten players; the first six messages are sent, and the others wait for the rate. */
async function begin(code: string, more: Partial<Campaign> = {}): Promise<number> {
  await campaign(documentOf(code, more));
  await enter(code, 10);
  second();
  await round();
  expect(await states(code)).toEqual({ sent: 6, waiting: 14 });
  clock.advance(1);
  return calls();
}

test('a stop ends messages that wait for the rate; the run and the results say why', async () => {
  const before = await begin('stopped');
  await change('stopped', stop);
  expect(await sweep.runOnce()).toMatchObject({ messages: { dropped: 14 } });
  expect(await states('stopped')).toEqual({ sent: 6, 'dropped campaign_stopped': 14 });
  for (let n = 0; n < 4; n++) {
    second();
    await round();
  }
  expect(calls()).toBe(before);
  const own = await campaignOf('stopped');
  const listed = await listOutcomes(pool, own, { outcome: 'withheld', reason: 'campaign_stopped' }, { limit: 50 });
  expect(listed).toHaveLength(14);
  const records = await readStepRecords(
    pool,
    listed.map(({ run_id }) => run_id),
    mostStepRecords,
  );
  const steps = records.filter(({ state }) => state === 'withheld').map(({ reason }) => reason);
  expect(steps).toEqual(Array.from({ length: 14 }, () => 'campaign_stopped'));
});

test('no call begins after a stop, even if the worker that sweeps has died', async () => {
  const before = await begin('crashed');
  await change('crashed', stop);
  for (let n = 0; n < 4; n++) {
    second();
    await round();
  }
  expect(calls()).toBe(before);
  expect((await states('crashed')).waiting).toBeUndefined();
  expect((await states('crashed'))['dropped campaign_stopped']).toBe(14);
});

test.each([
  ['the sweep', () => sweep.runOnce()],
  [
    'the worker that would repeat it',
    () => pool.query(`update called_message set due_at = now() where state = 'waiting'`),
  ],
])(
  'a call that may have arrived and waits for its repetition is unknown after a stop, ended by %s',
  async (by, ends) => {
    const code = by === 'the sweep' ? 'unclear_swept' : 'unclear_begun';
    await campaign({
      ...documentOf(code),
      steps: [{ id: 'hook', webhook: { template: 'hook' } }],
    });
    await enter(code, 2);
    provider.answers.push(answer(500), answer(429));
    second();
    await round();
    expect(await states(code)).toEqual({ 'waiting server_error': 1, 'waiting rate_limited': 1 });
    const before = calls();
    clock.advance(1);
    await change(code, stop);
    await ends();
    second();
    await round();
    expect(await states(code)).toEqual({ 'unknown server_error': 1, 'dropped campaign_stopped': 1 });
    expect(calls()).toBe(before);
    const own = await campaignOf(code);
    const listed = async (outcome: 'unknown' | 'withheld') =>
      (await listOutcomes(pool, own, { outcome }, { limit: 9 })).length;
    expect([await listed('unknown'), await listed('withheld')]).toEqual([1, 1]);
  },
);

test('messages from before a stop stay unsent if the campaign is published again; new ones are sent', async () => {
  const before = await begin('again');
  await change('again', stop);
  await follow();
  clock.advance(1);
  await republish(documentOf('again', { name: 'again, changed' }));
  await enter('again', 1);
  for (let n = 0; n < 6; n++) {
    second();
    await round();
  }
  expect(await states('again')).toEqual({ sent: 8, 'dropped campaign_stopped': 14 });
  expect(calls()).toBe(before + 2);
});

test('what a deleted campaign ordered is withdrawn, also if a new campaign with its code is published; a failed one is stopped first', async () => {
  const before = await begin('deleted');
  await pool.query(`update campaign set state = 'failed' where code = 'deleted'`);
  const forget = async () => {
    const own = await campaignOf('deleted');
    await transaction(pool, (tx) => remove(tx, own, clock.now()));
  };
  await expect(forget()).rejects.toThrow('stop it first');
  await change('deleted', stop);
  await forget();
  for (let n = 0; n < 2; n++) {
    second();
    await round();
  }
  expect(calls()).toBe(before);
  clock.advance(1);
  await campaign(documentOf('deleted'));
  await enter('deleted', 1);
  for (let n = 0; n < 4; n++) {
    second();
    await round();
  }
  expect(await states('deleted')).toEqual({ sent: 8, 'dropped campaign_stopped': 14 });
  expect(calls()).toBe(before + 2);
});

test('the row of a deleted campaign is removed after 30 days, but not before its messages are withdrawn', async () => {
  const day = 86_400_000_000;
  const before = await begin('removed');
  await change('removed', stop);
  const own = await campaignOf('removed');
  await transaction(pool, (tx) => remove(tx, own, clock.now()));
  const rowsOf = async (code: string) =>
    (await pool.query('select from campaign_active where brand_id = $1 and code = $2', [brand_id, code])).rowCount;
  const deletedAt = clock.now();
  clock.advance(30 * day + 1);
  expect(await sweep.runOnce()).toMatchObject({ messages: { dropped: 14 } });
  expect(await rowsOf('removed')).toBe(1);
  clock.set(deletedAt + 30 * day);
  await sweep.runOnce();
  expect(await rowsOf('removed')).toBe(1);
  clock.advance(1);
  await sweep.runOnce();
  expect(await rowsOf('removed')).toBe(0);
  for (let n = 0; n < 2; n++) {
    second();
    await round();
  }
  expect(calls()).toBe(before);
});

test('the row of a deleted campaign is kept for a new campaign that took it over', async () => {
  const code = 'taken_over';
  await campaign(documentOf(code));
  await change(code, stop);
  const own = await campaignOf(code);
  await transaction(pool, (tx) => remove(tx, own, clock.now()));
  await campaign(documentOf(code));
  clock.advance(31 * 86_400_000_000);
  await sweep.runOnce();
  const { rows } = await pool.query('select campaign_id, phase from campaign_active where code = $1', [code]);
  expect(rows).toEqual([{ campaign_id: (await campaignOf(code)).campaign_id, phase: 'live' }]);
});

test('a pause holds messages that wait for the rate until the resume; other campaigns are sent meanwhile', async () => {
  const before = await begin('paused');
  await change('paused', pause);
  second();
  // A round claims messages before the sweep. They are held when their calls would begin.
  await round();
  expect(calls()).toBe(before);
  expect((await states('paused'))['waiting campaign_paused']).toBeGreaterThan(0);
  await sweep.runOnce();
  expect(await states('paused')).toEqual({ sent: 6, 'waiting campaign_paused': 14 });
  await campaign(documentOf('meanwhile'));
  await enter('meanwhile', 2);
  second();
  await round();
  expect(await states('meanwhile')).toEqual({ sent: 4 });

  await change('paused', resume);
  expect(await sweep.runOnce()).toMatchObject({ messages: { resumed: 14 } });
  for (let n = 0; n < 4; n++) {
    second();
    await round();
  }
  expect(await states('paused')).toEqual({ sent: 20 });
  expect(calls()).toBe(before + 4 + 14);
});

test('a paused message expires, and a stop ends messages that a pause holds', async () => {
  const before = await begin('expires');
  await change('expires', pause);
  await sweep.runOnce();
  await pool.query(
    `update email_message set due_at = now(), expires_at = $1 where state = 'waiting' and campaign_id = 'expires'`,
    [new Date(clock.now() / 1_000)],
  );
  for (let n = 0; n < 4; n++) {
    second();
    await round();
  }
  expect(await states('expires')).toEqual({ sent: 6, 'dropped expired': 7, 'waiting campaign_paused': 7 });
  await change('expires', stop);
  await sweep.runOnce();
  expect(await states('expires')).toEqual({ sent: 6, 'dropped expired': 7, 'dropped campaign_stopped': 7 });
  expect(calls()).toBe(before);
});

test('an automatic halt holds messages that wait for the rate', async () => {
  const before = await begin('halted', { halt: { entered_per_day: 5 } });
  const watch = new CampaignWatch({ pool, clock: clock.now, log: testLog });
  expect(await watch.runOnce()).toEqual({ halted: 1 });
  second();
  await round();
  await sweep.runOnce();
  expect(calls()).toBe(before);
  expect(await states('halted')).toEqual({ sent: 6, 'waiting campaign_paused': 14 });
});

describe('entries of a list for telephone', () => {
  const states = async (code: string): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ name: string; count: number }>(
      `select concat_ws(' ', state, reason) as name, count(*)::int as count from list_entry where campaign_id = $1 group by 1`,
      [code],
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  /** Exports the list. @returns the number of entries of the campaign */
  const exported = async (code: string): Promise<number> => {
    clock.advance(1);
    const order = { brand_id, channel: 'telephone', list: 'vip', by: 'a test' } as const;
    let count = 0;
    for await (const entries of exportEntries({ pool, gate, vault: testVault, clock: clock.now }, order))
      count += entries.filter(({ campaign_id }) => campaign_id === code).length;
    clock.advance(1);
    return count;
  };
  const begin = async (code: string): Promise<void> => {
    await campaign({ ...documentOf(code), steps: [{ id: 'call', call_list: { template: 'call' } }] });
    await enter(code, 2);
    expect(await states(code)).toEqual({ waiting: 2 });
    clock.advance(1);
  };

  test('end after a stop if they were never exported; no later export contains those that were', async () => {
    await begin('list_stopped');
    expect(await exported('list_stopped')).toBe(2);
    await enter('list_stopped', 1);
    clock.advance(1);
    await change('list_stopped', stop);
    expect(await sweep.runOnce()).toMatchObject({ messages: { dropped: 1 } });
    expect(await states('list_stopped')).toEqual({ exported: 2, 'dropped campaign_stopped': 1 });
    const own = await campaignOf('list_stopped');
    const listed = await listOutcomes(pool, own, { outcome: 'withheld', reason: 'campaign_stopped' }, { limit: 9 });
    expect(listed).toHaveLength(1);
    expect(await exported('list_stopped')).toBe(0);
    expect(await states('list_stopped')).toEqual({ 'dropped campaign_stopped': 3 });
  });

  test('are not exported after a stop, even if the worker that sweeps has died', async () => {
    await begin('list_crashed');
    await change('list_crashed', stop);
    expect(await exported('list_crashed')).toBe(0);
    expect(await states('list_crashed')).toEqual({ 'dropped campaign_stopped': 2 });
  });

  test.each(['the sweep', 'the export'])(
    'wait during a pause, held by %s, and are exported after the resume',
    async (by) => {
      const code = by === 'the sweep' ? 'list_paused_swept' : 'list_paused_exported';
      await begin(code);
      await change(code, pause);
      if (by === 'the sweep') expect(await sweep.runOnce()).toMatchObject({ messages: { paused: 2 } });
      else expect(await exported(code)).toBe(0);
      expect(await states(code)).toEqual({ 'waiting campaign_paused': 2 });
      await change(code, resume);
      expect(await sweep.runOnce()).toMatchObject({ messages: { resumed: 2 } });
      expect(await states(code)).toEqual({ waiting: 2 });
      expect(await exported(code)).toBe(2);
      // Exported entries do not appear in an export during a pause. Their state remains.
      await change(code, pause);
      expect(await exported(code)).toBe(0);
      expect(await states(code)).toEqual({ exported: 2 });
    },
  );

  test('that a pause holds end after a stop', async () => {
    await begin('list_paused_stopped');
    await change('list_paused_stopped', pause);
    await sweep.runOnce();
    await change('list_paused_stopped', stop);
    await sweep.runOnce();
    expect(await states('list_paused_stopped')).toEqual({ 'dropped campaign_stopped': 2 });
  });
});

test.each(['stopped', 'paused'] as const)(
  "messages wait for a provider's circuit when their campaign is %s: none is sent, and each shows why",
  async (phase) => {
    const code = `circuit_${phase}`;
    const own = createSenders();
    await campaign({ ...documentOf(code), steps: [{ id: 'hook', webhook: { template: 'hook' } }] });
    await enter(code, 24);
    provider.answers.push(...Array.from({ length: 40 }, () => answer(503)));
    const tried = async () =>
      (
        await pool.query<{ tried: number }>(
          'select sum(attempts)::int as tried from called_message where campaign_id = $1',
          [code],
        )
      ).rows[0]?.tried ?? 0;
    // Twenty failures in a row open the circuit. A call that does not reach the provider on a busy machine is also a failure.
    while ((await tried()) < 20) {
      second();
      await round(own);
    }
    const failed = calls();
    const due = () =>
      pool.query(`update called_message set due_at = now() where state = 'waiting' and campaign_id = $1`, [code]);
    await due();
    await round(own);
    expect(calls()).toBe(failed);
    const waiting = await states(code);
    expect(waiting.waiting).toBeGreaterThan(0);
    expect(waiting['waiting server_error']).toBeGreaterThan(0);
    provider.answers.length = 0;
    clock.advance(1);
    await change(code, phase === 'stopped' ? stop : pause);
    await sweep.runOnce();
    if (phase === 'paused') expect(await states(code)).toEqual({ 'waiting campaign_paused': 24 });
    else {
      const ended = await states(code);
      expect(ended['unknown server_error']).toBe(waiting['waiting server_error']);
      expect(ended['dropped campaign_stopped']).toBeGreaterThanOrEqual(Number(waiting.waiting));
      expect(Object.keys(ended).filter((one) => one.startsWith('waiting'))).toEqual([]);
    }
    // The provider may be called again. A worker that knows nothing of the sweep claims what is due.
    monotonic += 600_000;
    for (let n = 0; n < 3; n++) {
      await due();
      second();
      await round(own);
    }
    expect(calls()).toBe(failed);
    if (phase === 'paused') {
      expect(await states(code)).toEqual({ 'waiting campaign_paused': 24 });
      await change(code, resume);
      await sweep.runOnce();
      for (let n = 0; n < 12; n++) {
        second();
        await round(own);
      }
      expect(await states(code)).toEqual({ sent: 24 });
      expect(calls()).toBe(failed + 24);
    }
    for (const sender of own) await sender.stop();
  },
);

describe('a push that waits for a retry', async () => {
  const push = testPush({ pool, clock: clock.now });
  const sender = new PushSender({
    ...common,
    ...push,
    transport: new PushTransport({ callTimeoutMs: 1_000 }),
    publicUrl: 'https://crm.example',
  });
  afterAll(() => sender.stop());
  const content = { en: { title: 'Hello', message: 'Hello' } };
  await transaction(pool, (tx) =>
    writeTemplate(tx, brand, { code: 'note', name: 'note', channel: 'site', purpose: 'marketing', content }, how),
  );

  const run = async () => {
    await pool.query(`update push_delivery set due_at = now() where state = 'waiting'`);
    await sender.runOnce();
    await sender.idle();
  };
  /** The push service answers the first call with 503. @returns message_id */
  async function begun(code: string): Promise<number> {
    await campaign({ ...documentOf(code), steps: [{ id: 'note', send: { channel: 'push', template: 'note' } }] });
    const player_id = await setup.reader(`player-${++players}`);
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'pushnotification', 'PushNotification', 'PushNotification', true, 'look_up', $2)`,
      [player_id, timestamptzText(clock.now())],
    );
    const device = { brand, player_id, sid_hash: `session ${players}`, isSignedIn };
    expect((await subscribe({ pool, clock: clock.now, ...push }, device, service.device())).fault).toBeUndefined();
    const own = await campaignOf(code);
    await transaction(pool, (tx) => enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() }));
    await follow();
    const { rows } = await pool.query<{ message_id: number }>(
      'select message_id from push_delivery where player_id = $1',
      [player_id],
    );
    const message_id = rows[0]?.message_id ?? 0;
    service.answers.set(message_id, [pushAnswer(503)]);
    await run();
    expect(await stateOf(message_id)).toMatch(/^waiting /);
    clock.advance(1);
    return message_id;
  }
  const stateOf = async (messageId: number) =>
    (
      await pool.query<{ said: string }>(
        `select concat_ws(' ', state, reason) as said from push_delivery where message_id = $1`,
        [messageId],
      )
    ).rows[0]?.said;

  test('is dropped after a stop of its campaign', async () => {
    const id = await begun('push_stopped');
    const before = service.taken.length;
    await change('push_stopped', stop);
    await run();
    await run();
    expect(await stateOf(id)).toBe('dropped campaign_stopped');
    expect(service.taken).toHaveLength(before);
  });

  test('waits during a pause of its campaign, and is sent after the resume', async () => {
    const id = await begun('push_paused');
    const before = service.taken.length;
    await change('push_paused', pause);
    await run();
    expect(await stateOf(id)).toBe('waiting campaign_paused');
    expect(service.taken).toHaveLength(before);
    await change('push_paused', resume);
    await run();
    expect(await stateOf(id)).toBe('sent');
    expect(service.taken).toHaveLength(before + 1);
  });

  test('is dropped if its message is recalled', async () => {
    const message_id = await begun('push_recalled');
    const before = service.taken.length;
    const order = { brand_id, message_id, by: 'ann' };
    const recalled = await transaction(pool, (tx) => playerChannels.recall(tx, order, clock.now()));
    expect(recalled).toMatchObject({ recalled: true });
    await run();
    expect(await stateOf(message_id)).toBe('dropped withdrawn');
    expect(service.taken).toHaveLength(before);
  });

  test('is dropped if all messages of its campaign are recalled', async () => {
    const id = await begun('push_recalled_all');
    const before = service.taken.length;
    const order = { brand_id, campaign_id: 'push_recalled_all', requested_by: 'ann', requested_at: clock.now() };
    const recalls = await transaction(pool, (tx) => playerChannels.recallCampaign(tx, order));
    for (const { advance } of recalls) while ((await advance({ pool, clock: clock.now }))?.done === false);
    await run();
    expect(await stateOf(id)).toBe('dropped withdrawn');
    expect(service.taken).toHaveLength(before);
  });
});

test('within 5 s of a stop, running workers have ended everything that waits', async () => {
  const before = await begin('prompt');
  await sweep.start();
  for (const sender of senders) await sender.start();
  const stoppedAt = performance.now();
  await change('prompt', stop);
  while (((await states('prompt'))['dropped campaign_stopped'] ?? 0) < 14);
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  expect(calls()).toBe(before);
});
