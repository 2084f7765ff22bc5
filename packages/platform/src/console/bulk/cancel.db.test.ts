import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { answer, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { emailSettings, testTokens } from '../../../testing/channels/email/setup-email.ts';
import { startSmtp } from '../../../testing/channels/email/setup-smtp.ts';
import { isSignedIn, testPush } from '../../../testing/channels/push/setup-push.ts';
import { answer as pushAnswer, startPushService } from '../../../testing/channels/push/setup-push-service.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { BulkRunner } from '../../bulk/index.ts';
import { CallPlaces } from '../../channels/calls/places.ts';
import { EmailServers } from '../../channels/email/servers.ts';
import {
  CallSender,
  callTransport,
  EmailSender,
  EmailTransport,
  exportEntries,
  readSettings,
  writeChannelSettings,
  writeTemplate,
} from '../../channels/index.ts';
import { askAgain } from '../../channels/notifications/held.ts';
import { PushSender, PushTransport, subscribe } from '../../channels/push/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

/*
 * A bulk action is cancelled while messages that it ordered wait: for a rate, a retry, an export, or an answer about their players. None
 * of them may be sent. The providers are a real SMTP server and real HTTP servers.
 */
const server = await startSmtp();
const provider = await startProvider(answer(200, '{}'));
const service = await startPushService();
const setup = await setupConsole({
  email: { ...emailSettings(server), per_second: 1_000 },
  webhook_allowed: [provider.origin],
  push: { private_origins: [service.origin] },
});
const { pool, brand, brands, clock, gate, links, signals } = setup;
const { brand_id } = brand;
const common = { pool, brands, gate, clock: clock.now, log: testLog };
const computer = new SegmentComputer({ ...common, rules: new PlatformRules({ pool }) });
const createRunner = () => new BulkRunner({ ...common, links, signals });
const runner = createRunner();
const sending = {
  ...common,
  vault: testVault,
  tokens: testTokens,
  publicUrl: 'https://crm.example',
  random: () => 0.5,
};
const push = testPush({ pool, clock: clock.now });
const calls = new CallSender({ ...sending, transport: callTransport(), places: new CallPlaces() });
const pushes = new PushSender({ ...sending, ...push, transport: new PushTransport({ callTimeoutMs: 5_000 }) });
const senders = [
  new EmailSender({
    ...sending,
    transport: new EmailTransport(),
    servers: new EmailServers(),
    unsubscribeHeaders: () => ({}),
  }),
  calls,
  pushes,
];
afterAll(async () => {
  for (const sender of senders) await sender.stop();
  await server.stop();
  await provider.stop();
  await service.stop();
});

const hook = readSettings('webhook', { secret: 'shared', call_timeout_ms: 10_000 }, null);
if (!hook.ok) throw new Error('the settings are wrong');
await writeChannelSettings(pool, testVault, brand, 'webhook', hook.settings, { at: clock.now(), by: 'a test' });
const mjml = '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>';
const contents = {
  email: { subject: 'Hello', mjml },
  webhook: { url: `${provider.origin}/hook` },
  telephone: { list: 'vip', note: 'Say hello' },
  site: { title: 'Hello', message: 'Hello' },
} as const;
type Channel = keyof typeof contents;
for (const channel of ['email', 'webhook', 'telephone', 'site'] as const)
  await transaction(pool, (tx) =>
    writeTemplate(
      tx,
      brand,
      { code: channel, name: channel, channel, purpose: 'service', content: { en: contents[channel] } },
      { expected: undefined, by: 'a test', at: clock.now() },
    ),
  );

let players = 0;
/** Three players who can be reached on every channel, in a live segment. Held messages need players who are not known yet. */
async function segmentOf({ known }: { known: boolean }): Promise<{ segment: string; ids: number[] }> {
  const names = Array.from({ length: 3 }, () => `p${++players}`);
  const ids: number[] = [];
  for (const name of names) ids.push(await insertPlayer(pool, brand_id, name));
  if (known) await know(ids);
  const code = `list-${players}`;
  await setup.call('POST', '/brands/malta/segments', { body: { code, name: code, user_ids: names } });
  await setup.call('POST', `/brands/malta/segments/${code}/publish`);
  await computer.runOnce();
  return { segment: `/brands/malta/segments/${code}`, ids };
}

async function know(ids: readonly number[]): Promise<void> {
  const at = timestamptzText(clock.now());
  // A held message has ordered look-ups.
  await pool.query('delete from player_sync where player_id = any($1::bigint[])', [ids]);
  await makeKnown(pool, brand_id, ids, at);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, lower(type), type, type, true, 'look_up', $2
       from unnest($1::bigint[]) id cross join unnest(array['SiteNotification', 'PushNotification', 'Telephone']) type`,
    [ids, at],
  );
  await pool.query(
    `update player_profile set email = player_id || '@players.example', mobile_prefix = '+356', mobile = (99000000 + player_id / 64)::text
      where player_id = any($1::bigint[])`,
    [ids],
  );
}

interface Begun {
  action_id: number;
  path: string;
}
const perSecond = 2;
/** An action for three players, of whom two had their turn. */
async function begin(segment: string, body: object, kind = 'messages'): Promise<Begun> {
  const ordered = await setup.call('POST', `${segment}/${kind}`, { body: { ...body, per_second: perSecond } });
  expect(ordered).toMatchObject({ status: 201 });
  await work();
  const { action_id } = ordered.body;
  return { action_id, path: `/brands/malta/bulk-actions/${action_id}` };
}
const message = (channel: Channel | 'push', more: object = {}) => ({
  channel,
  purpose: 'service',
  template: channel === 'push' ? 'site' : channel,
  ...more,
});
async function work(by = runner): Promise<void> {
  for (;;) {
    const { gathered, handled, withdrawn } = await by.runOnce();
    if (gathered + handled + withdrawn === 0) return;
  }
}
async function cancel({ path }: Begun): Promise<void> {
  expect(await setup.call('POST', `${path}/cancel`)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
}
/** Lets every channel send what it may send now. */
async function send(): Promise<void> {
  for (const table of ['email_message', 'called_message', 'push_delivery'])
    await pool.query(`update ${table} set due_at = now() where state = 'waiting'`);
  await pool.query(`update notification set due_at = now() where state = 'held'`);
  for (const sender of [...senders, ...senders]) {
    await sender.runOnce();
    await sender.idle();
  }
  await askAgain({ pool, gate, clock: clock.now });
  const order = { brand_id, channel: 'telephone', list: 'vip', by: 'a test' } as const;
  for await (const _ of exportEntries({ pool, gate, vault: testVault, clock: clock.now }, order));
}
/** The number of messages of the action by state and reason. */
async function states({ action_id }: Begun): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `select concat_ws(' ', m.state, m.reason) as name, count(*)::int as count
       from bulk_player b join (
         select message_id, state, reason from email_message union all select message_id, state, reason from called_message union all
         select message_id, state, reason from notification union all select message_id, state, reason from list_entry) m using (message_id)
      where b.action_id = $1 group by 1`,
    [action_id],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
const outcomes = async ({ path }: Begun) => {
  const { counts, withheld } = (await setup.get(path)).body;
  const some = Object.entries(counts as Record<string, number>).filter(([, count]) => count > 0);
  return { counts: Object.fromEntries(some), withheld };
};

beforeEach(() => clock.advance(60_000_000));

const reached = { email: 'sent', webhook: 'sent', telephone: 'exported', site: 'live' } as const;

test.each(['email', 'webhook', 'telephone', 'site'] as const)(
  'after a cancellation, no waiting message of the channel %s is sent, even if no worker ends them; other actions are not affected',
  async (channel) => {
    const { segment, ids } = await segmentOf({ known: channel !== 'site' });
    const cancelled = await begin(segment, message(channel, { campaign_id: `both-${channel}` }));
    const other = await begin(segment, message(channel, { campaign_id: `both-${channel}` }));
    const before = await outcomes(cancelled);
    await cancel(cancelled);
    if (channel === 'site') await know(ids);
    await send();
    expect(await states(cancelled)).toEqual({ 'dropped bulk_cancelled': 2 });
    expect(await states(other)).toEqual({ [reached[channel]]: 2 });
    expect(await outcomes(cancelled)).toEqual(before);
    // The worker counts messages that their senders ended.
    await work();
    expect(await outcomes(cancelled)).toEqual({ counts: { withheld: 2, listed: 1 }, withheld: { bulk_cancelled: 2 } });
    const reachedOther = channel === 'site' ? { held: 2, listed: 1 } : { sent: 2, listed: 1 };
    expect((await outcomes(other)).counts).toEqual(reachedOther);
    await cancel(other);
    await work();
  },
);

test.each(['email', 'webhook', 'telephone', 'site'] as const)(
  'a worker ends waiting messages of the channel %s, and each shows why; what was sent before stays',
  async (channel) => {
    const { segment, ids } = await segmentOf({ known: channel !== 'site' });
    const waiting = await begin(segment, message(channel));
    await cancel(waiting);
    await work();
    expect(await states(waiting)).toEqual({ 'dropped bulk_cancelled': 2 });
    expect(await outcomes(waiting)).toEqual({ counts: { withheld: 2, listed: 1 }, withheld: { bulk_cancelled: 2 } });
    const listed = await setup.get(`${waiting.path}/players?state=withheld&reason=bulk_cancelled`);
    expect(listed.body.items).toMatchObject([{ message_id: expect.any(Number) }, { message_id: expect.any(Number) }]);

    if (channel === 'site') await know(ids);
    const sent = await begin(segment, message(channel));
    await send();
    await cancel(sent);
    await work();
    clock.advance(1_000_000);
    await send();
    expect(await states(sent)).toEqual(
      // A list that was exported may be in people's hands. The next export omits its entries.
      channel === 'telephone' ? { 'dropped bulk_cancelled': 2 } : { [reached[channel]]: 2 },
    );
    expect(await outcomes(sent)).toEqual({ counts: { sent: 2, listed: 1 }, withheld: {} });
  },
);

test('a call in progress during a cancellation is not repeated, and its message is counted when its outcome is known', async () => {
  const { segment } = await segmentOf({ known: true });
  const action = await begin(segment, message('webhook'));
  const open: ServerResponse[] = [];
  const both = Promise.withResolvers<void>();
  const keep = (response: ServerResponse) => {
    if (open.push(response) === 2) both.resolve();
  };
  provider.answers.push(keep, keep);
  await calls.runOnce();
  await both.promise;
  await cancel(action);
  await work();
  expect(await states(action)).toEqual({ sending: 2 });
  expect((await outcomes(action)).counts).toEqual({ sent: 2, listed: 1 });
  // The first receiver certainly did nothing, and the second may have done something.
  answer(429)(open[0] as ServerResponse);
  answer(500)(open[1] as ServerResponse);
  await calls.idle();
  const before = provider.taken.length;
  clock.advance(5_000_000);
  await work();
  expect(await states(action)).toEqual({ 'dropped bulk_cancelled': 1, 'unknown server_error': 1 });
  expect((await outcomes(action)).counts).toEqual({ sent: 1, withheld: 1, listed: 1 });
  await send();
  expect(provider.taken).toHaveLength(before);
});

test('a push that waits for a retry is not sent, and its message stays in the inbox', async () => {
  const { segment, ids } = await segmentOf({ known: true });
  for (const player_id of ids) {
    const device = { brand, player_id, sid_hash: `session ${player_id}`, isSignedIn };
    expect((await subscribe({ pool, clock: clock.now, ...push }, device, service.device())).fault).toBeUndefined();
  }
  const action = await begin(segment, message('push'));
  const deliveries = async () =>
    (
      await pool.query<{ message_id: number; said: string }>(
        `select d.message_id, concat_ws(' ', d.state, d.reason) as said from push_delivery d
           join bulk_player b using (message_id) where b.action_id = $1`,
        [action.action_id],
      )
    ).rows;
  for (const { message_id } of await deliveries()) service.answers.set(message_id, [pushAnswer(503)]);
  await send();
  const before = service.taken.length;
  await cancel(action);
  await send();
  expect(service.taken).toHaveLength(before);
  expect((await deliveries()).map(({ said }) => said)).toEqual(['dropped bulk_cancelled', 'dropped bulk_cancelled']);
  await work();
  expect(await states(action)).toEqual({ live: 2 });
  expect((await outcomes(action)).counts).toEqual({ sent: 2, listed: 1 });
});

test('offers that players already have stay after a cancellation, as after the stop of a campaign', async () => {
  const { segment } = await segmentOf({ known: true });
  const action = await begin(segment, { bonus_code: 'GIFT' }, 'offers');
  await cancel(action);
  await work();
  const { rows } = await pool.query('select state from bonus_intent where action_id = $1', [
    `bulk-${action.action_id}`,
  ]);
  expect(rows).toEqual([{ state: 'offered' }, { state: 'offered' }]);
  expect((await outcomes(action)).counts).toEqual({ sent: 2, listed: 1 });
});

test('after a crash in the middle, another worker ends and counts each message once', async () => {
  const { segment } = await segmentOf({ known: true });
  const action = await begin(segment, message('email'));
  await cancel(action);
  const blocker = await pool.connect();
  try {
    // The counts are written last. They are locked, so the portion waits, and then the server ends its connection.
    await blocker.query('begin');
    await blocker.query('select from bulk_count where action_id = $1 for update', [action.action_id]);
    let isOver = false;
    const crashing = createRunner()
      .runOnce()
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    for (let ended = 0; ended === 0 && !isOver; ) {
      const { rows } = await pool.query<{ ended: number }>(
        `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into bulk_count%'`,
      );
      ended = rows[0]?.ended ?? 0;
    }
    await crashing;
    await blocker.query('rollback');
  } finally {
    blocker.release();
  }
  expect(await states(action)).toEqual({ waiting: 2 });
  await Promise.all([work(), work(createRunner())]);
  expect(await states(action)).toEqual({ 'dropped bulk_cancelled': 2 });
  expect(await outcomes(action)).toEqual({ counts: { withheld: 2, listed: 1 }, withheld: { bulk_cancelled: 2 } });
});

test('many messages end in portions of 500', async () => {
  const { segment } = await segmentOf({ known: true });
  const action = await begin(segment, message('telephone'));
  const first = 2 ** 45;
  await pool.query(
    `insert into list_entry (message_id, brand_id, player_id, channel, list, purpose, note, created_at, created_by, expires_at, state)
     select $1::bigint + n, $2, $1::bigint + n, 'telephone', 'many', 'service', '', now(), 'a test', 'infinity', 'waiting' from generate_series(1, 1198) n`,
    [first, brand_id],
  );
  await pool.query(
    `insert into bulk_player (player_id, action_id, state, message_id, at)
     select $1::bigint + n, $2, 'sent', $1::bigint + n, now() from generate_series(1, 1198) n`,
    [first, action.action_id],
  );
  await pool.query(`update bulk_count set players = players + 1198 where action_id = $1 and state = 'sent'`, [
    action.action_id,
  ]);
  await cancel(action);
  const portions = [];
  for (let round = 0; round < 4; round++) portions.push((await runner.runOnce()).withdrawn);
  expect(portions).toEqual([500, 500, 200, 0]);
  expect(await states(action)).toEqual({ 'dropped bulk_cancelled': 1200 });
  expect((await outcomes(action)).counts).toEqual({ withheld: 1200, listed: 1 });
});
