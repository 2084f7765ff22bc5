import { expect, test } from 'vitest';
import { setupCalls, twilioTo } from '../../testing/channels/calls/setup-calls.ts';
import { answer } from '../../testing/channels/calls/start-provider.ts';
import { setupEmail } from '../../testing/channels/email/setup-email.ts';
import { setupStage } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { fewestWritesOf } from '../../testing/writes-of.ts';
import { markRead, playerChannels, readMessageCounts, recordActivities, storeReport } from '../channels/index.ts';
import { transaction } from '../database/index.ts';
import { ReportPublisher } from './report-publisher.ts';

/* Reports about messages that the platform itself creates. Each is written to the ledger by the transaction of its cause. */
const stage = await setupStage();
const { pool, clock, ledger } = stage;
const emails = await setupEmail(pool);
const calls = await setupCalls(pool);
await stage.brands.refresh();
const publisher = (of: ConstructorParameters<typeof ReportPublisher>[0]['ledger'] = ledger) =>
  new ReportPublisher({ pool, ledger: of, clock: clock.now, log: testLog });

const terms = { expires_at: null, request_key: null, created_by: 'a test' };
const words = {
  event: 'inbox',
  display_type: 'push',
  title: 'Ten spins',
  message: 'For you',
  preview_text: '',
  footer_text: '',
  data: '{}',
  cta_button_link: '',
  cta_button_text: '',
  cta_button2_link: '',
  cta_button2_text: '',
  image_url: '',
} as const;

async function events(playerId: number) {
  const own = publisher();
  await own.runOnce();
  await own.stop();
  await stage.derive();
  const { rows } = await pool.query(
    'select what, channel, provider, message_id, reason from message_event where player_id = $1 order by what',
    [playerId],
  );
  return rows;
}

test('a round that finds nothing executes one statement', async () => {
  const own = publisher();
  expect(await fewestWritesOf(() => own.runOnce())).toBe(1);
});

test('an address that the SMTP server refuses is a bounce', async () => {
  const player_id = await emails.player('nobody@players.example');
  const message_id = await emails.email(player_id);
  emails.server.behave({ does: 'refuses', at: 'recipient', code: 550, says: '5.1.1 no such user' });
  await emails.run();
  emails.server.behave({ does: 'takes' });
  expect(await emails.read(message_id)).toMatchObject({ state: 'failed', reason: 'no_such_address' });
  const event = { channel: 'email', provider: 'smtp', message_id: String(message_id) };
  expect(await events(player_id)).toEqual([{ what: 'bounced', reason: 'hard', ...event }]);
});

test('an SMS that Twilio refuses because of its number is a bounce; because of STOP, an unsubscription', async () => {
  await calls.set('sms', twilioTo(calls.provider));
  for (const [code, what, reason] of [
    [21614, 'bounced', 'hard'],
    [21610, 'unsubscribed', ''],
  ] as const) {
    const player_id = await calls.player();
    const message_id = await calls.sms(player_id);
    calls.provider.answers.push(answer(400, { code }));
    await calls.run();
    const event = { channel: 'sms', provider: 'provider', message_id: String(message_id) };
    expect(await events(player_id)).toEqual([{ what, reason, ...event }]);
  }
});

test('each is published once, even if the ledger was unavailable or two workers run', async () => {
  const player_id = await emails.player();
  const told = { brand_id: emails.brand.brand_id, player_id, message_id: 64, campaign_id: 'spring', channel: 'email' };
  for (let time = 0; time < 2; time++)
    await storeReport(pool, { ...told, what: 'opened', provider: 'link' }, clock.now() + time);
  const away = publisher({ openWriter: () => Promise.reject(new Error('the ledger is away')) });
  await expect(away.runOnce()).rejects.toThrow('the ledger is away');
  const [one, two] = [publisher(), publisher()];
  const rounds = await Promise.all([one.runOnce(), two.runOnce()]);
  expect(rounds.reduce((sum, { published }) => sum + published, 0)).toBe(1);
  expect(await one.runOnce()).toEqual({ published: 0 });
  await one.stop();
  await two.stop();
  expect(await events(player_id)).toHaveLength(1);
});

test("a player's action on a site message is reported once, and counted once", async () => {
  const player_id = await emails.player();
  const { brand_id } = emails.brand;
  const message_id = await transaction(pool, async (tx) => {
    const [made] = await playerChannels.send(
      tx,
      emails.gate,
      'site',
      [{ ...terms, ...words, brand_id, player_id, purpose: 'service', campaign_id: 'spring' }],
      emails.clock.now(),
    );
    return made?.message_id ?? 0;
  });
  const tell = (activity: 'shown' | 'clicked') =>
    transaction(pool, (tx) => recordActivities(tx, player_id, [{ message_id, activity }], emails.clock.now()));
  await tell('shown');
  emails.clock.advance(1_000_000);
  await transaction(pool, (tx) => markRead(tx, player_id, message_id, emails.clock.now()));
  emails.clock.advance(1_000_000);
  await tell('clicked');
  await tell('shown');
  const event = { channel: 'site', provider: 'site', message_id: String(message_id), reason: '' };
  expect(await events(player_id)).toEqual([
    { what: 'clicked', ...event },
    { what: 'opened', ...event },
    { what: 'shown', ...event },
  ]);
  expect((await pool.query('select from message_report where player_id = $1', [player_id])).rowCount).toBe(0);
  const { rows } = await pool.query(
    'select shown_at, opened_at, clicked_at from message_outcome where player_id = $1',
    [player_id],
  );
  const at = emails.clock.now();
  expect(rows).toEqual([{ shown_at: at - 2_000_000, opened_at: at - 1_000_000, clicked_at: at }]);
  expect([...(await readMessageCounts(pool, player_id)).values()]).toEqual([
    { received: 1, shown: 1, read: 1, clicked: 1 },
  ]);
});
