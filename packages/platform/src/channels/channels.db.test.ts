import { describe, expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupCalls } from '../../testing/channels/calls/setup-calls.ts';
import { type ChannelSetup, describeChannel } from '../../testing/channels/channel.conformance.ts';
import { setupEmail } from '../../testing/channels/email/setup-email.ts';
import { setupNotifications } from '../../testing/channels/notifications/setup-notifications.ts';
import { setupPush } from '../../testing/channels/push/setup-push.ts';
import { setupDatabase } from '../../testing/database.ts';
import { transaction } from '../database/index.ts';
import { Gate } from '../gate/index.ts';
import { operatorChannel, smsChannel, webhookChannel } from './calls/call-channels.ts';
import type { OperatorContent, SmsContent, WebhookContent } from './calls/index.ts';
import type { EmailMessage } from './email/index.ts';
import { exportEntries } from './lists/index.ts';
import { type EntryWords, postMailChannel, telephoneChannel } from './lists/list-channels.ts';
import type { NotificationContent } from './notifications/index.ts';
import { emailChannel, pushChannel, siteChannel } from './player-channels.ts';
import { ChannelRegistry, playerChannels } from './registry.ts';

const { pool } = await setupDatabase();

const content: NotificationContent = {
  event: 'inbox',
  display_type: 'push',
  title: 'Ten spins',
  message: '<p>For you</p>',
  preview_text: 'For you',
  footer_text: '',
  data: '{}',
  cta_button_link: 'https://casino.example/spin',
  cta_button_text: 'Spin',
  cta_button2_link: '',
  cta_button2_text: '',
  image_url: '',
};
const unfit: NotificationContent = { ...content, cta_button_link: 'javascript:alert(1)' };

describe('site', () => {
  describeChannel(async (): Promise<ChannelSetup<NotificationContent>> => {
    const setup = await setupNotifications(pool);
    let players = 0;
    return {
      channel: siteChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.reader(`reader-${++players}`),
      content,
      unfit,
      settle: async () => void (await setup.keeper.runOnce()),
      async arrived(playerId, messageId) {
        const listed = await setup.list(playerId);
        return listed.filter(({ message_id }) => message_id === messageId).length;
      },
    };
  });
});

describe('push', () => {
  describeChannel(async (): Promise<ChannelSetup<NotificationContent>> => {
    const setup = await setupPush(pool);
    return {
      channel: pushChannel,
      pool,
      gate: new Gate({ clock: setup.clock.now, brands: { byId: () => setup.brand } }),
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(1),
      content,
      unfit,
      settle: () => setup.run(),
      async arrived(_, messageId) {
        return setup.service.taken.filter(({ headers }) => headers.topic === `crm-${messageId}`).length;
      },
    };
  });
});

describe('email', () => {
  describeChannel(async (): Promise<ChannelSetup<EmailMessage>> => {
    const setup = await setupEmail(pool);
    const letter = { subject: 'Ten spins', html: '<html><body>For you</body></html>', text: 'For you', template: null };
    return {
      channel: emailChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(),
      content: letter,
      unfit: { ...letter, subject: '' },
      settle: () => setup.run(),
      async arrived(_, messageId) {
        return setup.server.mails.filter(({ raw }) => raw.includes(`Message-ID: <${messageId}.`)).length;
      },
    };
  });
});

describe('sms', () => {
  describeChannel(async (): Promise<ChannelSetup<SmsContent>> => {
    const setup = await setupCalls(pool);
    await setup.set('sms', {
      provider: 'http',
      url: setup.provider.origin,
      body: '{{ message_id }}',
    });
    return {
      channel: smsChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(),
      content: { text: 'Ten spins', template: null },
      unfit: { text: ' ', template: null },
      settle: () => setup.run(),
      arrived: async (_, messageId) => setup.provider.taken.filter(({ body }) => body === String(messageId)).length,
    };
  });
});

describe('webhook', () => {
  describeChannel(async (): Promise<ChannelSetup<WebhookContent>> => {
    const setup = await setupCalls(pool);
    await setup.set('webhook', { secret: 'shared', consent: 'Email' });
    const content = { url: `${setup.provider.origin}/hook`, body: '{}', template: null };
    return {
      channel: webhookChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(),
      content,
      unfit: { ...content, url: 'ftp://casino.example' },
      settle: () => setup.run(),
      arrived: async (_, id) => setup.provider.taken.filter(({ headers }) => headers['x-crm-id'] === String(id)).length,
    };
  });
});

describe('operator', () => {
  describeChannel(async (): Promise<ChannelSetup<OperatorContent>> => {
    const setup = await setupCalls(pool);
    await setup.set('operator', { url: setup.provider.origin, secret: 'shared', consent: 'Email' });
    const content = { title: 'Ten spins', text: 'For you', data: '{}', template: null };
    return {
      channel: operatorChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(),
      content,
      unfit: { ...content, data: '[]' },
      settle: () => setup.run(),
      arrived: async (_, id) => setup.provider.taken.filter(({ headers }) => headers['x-crm-id'] === String(id)).length,
    };
  });
});

describe.each(['telephone', 'post_mail'] as const)('%s', (name) => {
  describeChannel(async (): Promise<ChannelSetup<EntryWords>> => {
    const setup = await setupCalls(pool);
    const content = { list: 'spring', note: 'Say hello', template: null };
    const order = { brand_id: setup.brand.brand_id, channel: name, list: 'spring', by: 'a test' };
    const exported = new Map<number, number>();
    return {
      channel: name === 'telephone' ? telephoneChannel : postMailChannel,
      pool,
      gate: setup.gate,
      brand_id: setup.brand.brand_id,
      now: setup.clock.now,
      player: () => setup.player(),
      content,
      unfit: { ...content, list: 'No such name' },
      async settle() {
        const deps = { pool, gate: setup.gate, vault: testVault, clock: setup.clock.now };
        for await (const entries of exportEntries(deps, order))
          for (const { message_id } of entries) exported.set(message_id, 1);
      },
      arrived: async (_, messageId) => exported.get(messageId) ?? 0,
    };
  });
});

describe('the registry', () => {
  test('has each channel once', () => {
    expect(playerChannels.names).toEqual([
      'site',
      'push',
      'email',
      'sms',
      'webhook',
      'operator',
      'telephone',
      'post_mail',
    ]);
    expect(() => new ChannelRegistry([siteChannel, siteChannel])).toThrow('registered twice');
  });

  test('sends through the channel that is named', async () => {
    const setup = await setupPush(pool);
    const gate = new Gate({ clock: setup.clock.now, brands: { byId: () => setup.brand } });
    const terms = {
      brand_id: setup.brand.brand_id,
      purpose: 'marketing',
      expires_at: null,
      campaign_id: null,
    } as const;
    const message = { ...terms, ...content, player_id: await setup.player(1), request_key: null, created_by: 'a test' };
    const ids = await transaction(pool, async (tx) => {
      const made = [];
      for (const name of ['site', 'push'] as const) {
        made.push(...(await playerChannels.send(tx, gate, name, [message], setup.clock.now())));
      }
      return made.map(({ message_id }) => message_id);
    });
    await setup.run();
    const rung = setup.service.taken.map(({ headers }) => headers.topic);
    expect(ids.map((id) => rung.includes(`crm-${id}`))).toEqual([false, true]);
  });

  test('a logout removes the devices of its session', async () => {
    const setup = await setupPush(pool);
    const player_id = await setup.player(1);
    const devices = async () =>
      (await pool.query('select from push_subscription where player_id = $1', [player_id])).rowCount;
    const end = (sid_hash: string) =>
      transaction(pool, (tx) => playerChannels.logout(tx, [{ player_id, sid_hash, at: setup.clock.now() }]));
    await end('another session');
    expect(await devices()).toBe(1);
    await end('');
    expect(await devices()).toBe(0);
  });

  test('names the queues of all channels, each once', () => {
    const tables = playerChannels.dueTimes.map(({ table }) => table);
    expect(tables.toSorted()).toEqual(['called_message', 'email_message', 'notification', 'push_delivery']);
  });
});
