import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import type { Brand } from '../../../src/brands/index.ts';
import { CallPlaces } from '../../../src/channels/calls/places.ts';
import {
  type CallChannel,
  CallSender,
  type ChannelContents,
  callTransport,
  type MessageTerms,
  playerChannels,
  readCall,
  readSettings,
  writeChannelSettings,
} from '../../../src/channels/index.ts';
import { timestamptzText, transaction } from '../../../src/database/index.ts';
import { Gate } from '../../../src/gate/index.ts';
import { createBrand, testVault } from '../../brand.ts';
import { noon, type TestClock, testClock } from '../../clock.ts';
import { makeKnown } from '../../gate/setup-gate.ts';
import { testLog } from '../../log.ts';
import { insertPlayer } from '../../operator/setup-sync.ts';
import { testTokens } from '../email/setup-email.ts';
import { answer, type Provider, startProvider } from './start-provider.ts';

/** A brand whose SMS, webhooks and own channel use a test provider, players who may be contacted, and a sender. */
export interface CallSetup {
  provider: Provider;
  brand: Brand;
  clock: TestClock;
  gate: Gate;
  sender: CallSender;
  set<C extends CallChannel>(channel: C, settings: Record<string, unknown>): Promise<void>;
  /** @returns player_id */
  player(mobile?: string): Promise<number>;
  send<C extends CallChannel>(
    channel: C,
    playerId: number,
    content: Omit<ChannelContents[C], 'template'>,
    more?: Partial<MessageTerms>,
  ): Promise<number>;
  sms(playerId: number, more?: Partial<MessageTerms>): Promise<number>;
  /** Makes waiting messages due, and sends until nothing is due. */
  run(by?: CallSender): Promise<void>;
  /** One round of due messages, with their calls. */
  round(by?: CallSender): Promise<void>;
  read(messageId: number): Promise<NonNullable<Awaited<ReturnType<typeof readCall>>>>;
  another(gate?: Pick<Gate, 'mayContact' | 'stillAllows'>, places?: CallPlaces): CallSender;
}

export const accountSid = `AC${'0'.repeat(32)}`;
export const twilioTo = ({ origin }: Pick<Provider, 'origin'>) => ({
  provider: 'twilio',
  account_sid: accountSid,
  auth_token: 'a token',
  from: '+15550100',
  api_url: origin,
  call_timeout_ms: 500,
  per_second: 1_000,
});

export async function setupCalls(pool: Pool, settings: Record<string, unknown> = {}): Promise<CallSetup> {
  let sids = 0;
  const provider = await startProvider((response) => answer(201, { sid: `SM${++sids}`, status: 'queued' })(response));
  const { brand } = await createBrand(pool, { webhook_allowed: [provider.origin], ...settings });
  const { brand_id } = brand;
  const clock = testClock(noon);
  const gate = new Gate({ clock: clock.now, brands: { byId: () => brand } });
  const senders: CallSender[] = [];
  const another: CallSetup['another'] = (asked = gate, places = new CallPlaces()) => {
    const sender = new CallSender({
      pool,
      vault: testVault,
      gate: asked,
      transport: callTransport(),
      tokens: testTokens,
      publicUrl: 'https://crm.example',
      clock: clock.now,
      log: testLog,
      random: () => 0.5,
      places,
      brands: { byId: (id) => (id === brand_id ? brand : undefined) },
    });
    senders.push(sender);
    return sender;
  };
  const sender = another();
  afterAll(async () => {
    await provider.stop();
    for (const one of senders) await one.stop();
  });
  let players = 0;
  const setup: CallSetup = {
    provider,
    brand,
    clock,
    gate,
    sender,
    another,
    async set(channel, given) {
      const read = readSettings(channel, given, null);
      if (!read.ok) throw new Error(read.errors.map(({ path, message }) => `${path} ${message}`).join('; '));
      await writeChannelSettings(pool, testVault, brand, channel, read.settings, { at: clock.now(), by: 'a test' });
    },
    async player(mobile = `99${String(100_000 + ++players)}`) {
      const id = await insertPlayer(pool, brand_id, `reader-${++players}`);
      await makeKnown(pool, brand_id, [id], timestamptzText(clock.now()));
      await pool.query(
        `update player_profile set mobile_prefix = '+356', mobile = $2, first_name = 'Anna', last_name = 'Borg', address = 'Main Street 1',
                postal_code = 'VLT 1', city = 'Valletta' where player_id = $1`,
        [id, mobile],
      );
      await pool.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
         select $1, lower(type), type, type, true, 'look_up', $2 from unnest(array['Telephone', 'PostMail']) type`,
        [id, timestamptzText(clock.now())],
      );
      return id;
    },
    async send(channel, player_id, content, more = {}) {
      const message = {
        brand_id,
        player_id,
        purpose: 'marketing',
        expires_at: null,
        campaign_id: null,
        request_key: null,
        created_by: 'a test',
        template: null,
        ...content,
        ...more,
      } as unknown as MessageTerms & ChannelContents[typeof channel];
      const [made] = await transaction(pool, (tx) => playerChannels.send(tx, gate, channel, [message], clock.now()));
      if (made === undefined) throw new Error('no message was created');
      return made.message_id;
    },
    sms: (player_id, more) => setup.send('sms', player_id, { text: 'Ten spins for you' }, more),
    async run(by = sender) {
      await pool.query(
        `update called_message set due_at = now() where state = 'waiting' and claim is null and brand_id = $1`,
        [brand_id],
      );
      while ((await by.runOnce()).claimed > 0) await by.idle();
    },
    async round(by = sender) {
      await pool.query(
        `update called_message set due_at = now() where state = 'waiting' and claim is null and brand_id = $1`,
        [brand_id],
      );
      await by.runOnce();
      await by.idle();
    },
    async read(messageId) {
      const row = await readCall(pool, brand_id, messageId);
      if (row === null) throw new Error(`there is no message ${messageId}`);
      return row;
    },
  };
  return setup;
}
