import { describe, expect, test } from 'vitest';
import { type ChannelSetup, describeChannel } from '../../testing/channels/channel.conformance.ts';
import { setupNotifications } from '../../testing/channels/notifications/setup-notifications.ts';
import { setupPush } from '../../testing/channels/push/setup-push.ts';
import { setupDatabase } from '../../testing/database.ts';
import { Gate } from '../gate/index.ts';
import type { NotificationContent } from './notifications/index.ts';
import { pushChannel, siteChannel } from './player-channels.ts';
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

describe('the registry', () => {
  test('has each channel once', () => {
    expect(playerChannels.names).toEqual(['site', 'push']);
    expect(() => new ChannelRegistry([siteChannel, siteChannel])).toThrow('registered twice');
  });

  test('names the queues of all channels, each once', () => {
    const tables = playerChannels.dueTimes.map(({ table }) => table);
    expect(tables.toSorted()).toEqual(['notification', 'push_delivery']);
  });
});
