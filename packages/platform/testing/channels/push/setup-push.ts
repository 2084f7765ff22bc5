import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import type { Brand } from '../../../src/brands/index.ts';
import { type NewNotification, playerChannels } from '../../../src/channels/index.ts';
import {
  BrandPushKeys,
  deliveriesOf,
  type ListedDelivery,
  PushSender,
  PushTokens,
  PushTransport,
  subscribe,
} from '../../../src/channels/push/index.ts';
import type { Clock } from '../../../src/clock.ts';
import { timestamptzText, transaction } from '../../../src/database/index.ts';
import { Gate } from '../../../src/gate/index.ts';
import { createBrand, testVault } from '../../brand.ts';
import { type TestClock, testClock } from '../../clock.ts';
import { makeKnown } from '../../gate/setup-gate.ts';
import { testLog } from '../../log.ts';
import { insertPlayer } from '../../operator/setup-sync.ts';
import { type PushService, startPushService } from './setup-push-service.ts';

/** The parts that the site API and the sender share in tests. */
export function testPush({ pool, clock }: { pool: Pool; clock: Clock }) {
  return {
    vault: testVault,
    keys: new BrandPushKeys({ pool, vault: testVault, clock }),
    tokens: new PushTokens({ secrets: ['a secret for tests'] }),
  };
}

export const callTimeoutMs = 250;

/** A session that is still active. */
export const isSignedIn = async () => true;

/** A brand whose devices use a test push service, players who can be reached on every channel, and a sender. */
export interface PushSetup {
  service: PushService;
  brand: Brand;
  clock: TestClock;
  sender: PushSender;
  push: ReturnType<typeof testPush>;
  /** A player with this many devices. */
  player(devices?: number): Promise<number>;
  addDevice(playerId: number, sidHash?: string): Promise<string>;
  devicesOf(playerId: number): Promise<number>;
  /** A live message for the player's devices. @returns message_id */
  message(playerId: number, more?: Partial<NewNotification>): Promise<number>;
  /** Makes waiting pushes due, and sends them. */
  run(): Promise<void>;
  deliveries(messageId: number): Promise<ListedDelivery[]>;
  another(callTimeoutMs?: number, gate?: Pick<Gate, 'mayContact' | 'stillAllows'>): PushSender;
  /** The gate, with a hook that runs right before each of its final checks. */
  gateThat(beforeLastLook: () => Promise<void>): Pick<Gate, 'mayContact' | 'stillAllows'>;
}

export async function setupPush(pool: Pool, settings: Record<string, unknown> = {}): Promise<PushSetup> {
  const service = await startPushService();
  const { brand } = await createBrand(pool, { push: { private_origins: [service.origin], ...settings } });
  const clock = testClock();
  const push = testPush({ pool, clock: clock.now });
  const gate = new Gate({ clock: clock.now, brands: { byId: () => brand } });
  const senders: PushSender[] = [];
  const another: PushSetup['another'] = (timeoutMs = callTimeoutMs, asked = gate) => {
    const transport = new PushTransport({ callTimeoutMs: timeoutMs });
    const sender = new PushSender({
      pool,
      gate: asked,
      clock: clock.now,
      log: testLog,
      ...push,
      transport,
      brands: { byId: () => brand },
      publicUrl: 'https://crm.example',
      random: () => 0.5,
    });
    senders.push(sender);
    return sender;
  };
  const sender = another();
  afterAll(async () => {
    for (const one of senders) await one.stop();
    await service.stop();
  });
  const { brand_id } = brand;
  let players = 0;

  const addDevice = async (player_id: number, sid_hash = 'a session') => {
    const device = service.device();
    const subscriber = { brand, player_id, sid_hash, isSignedIn };
    const added = await subscribe({ pool, clock: clock.now, ...push }, subscriber, device);
    if (added.fault !== undefined) throw new Error(added.fault);
    return device.endpoint;
  };
  return {
    service,
    brand,
    clock,
    push,
    sender,
    another,
    addDevice,
    gateThat: (beforeLastLook) => ({
      mayContact: (tx, requests) => gate.mayContact(tx, requests),
      async stillAllows(db, request) {
        await beforeLastLook();
        return gate.stillAllows(db, request);
      },
    }),
    async player(devices = 1) {
      const id = await insertPlayer(pool, brand_id, `player-${++players}`);
      await makeReachable(pool, brand_id, id, clock.now());
      for (let i = 0; i < devices; i++) await addDevice(id);
      return id;
    },
    async devicesOf(playerId) {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*)::int as count from push_subscription where player_id = $1',
        [playerId],
      );
      return rows[0]?.count ?? 0;
    },
    message: (player_id, more) => writeMessage(pool, gate, { brand_id, player_id }, clock.now(), more),
    async run() {
      await pool.query(`update push_delivery set due_at = now() where state = 'waiting'`);
      // A host that has not answered yet gets one call at a time.
      for (let round = 0; round < 20 && (await sender.runOnce()).claimed > 0; round++) await sender.idle();
    },
    deliveries: (messageId) => deliveriesOf(pool, brand_id, messageId),
  };
}

/** Makes a player fully known, and reachable on the site and by push. */
export async function makeReachable(pool: Pool, brandId: number, playerId: number, now: Micros): Promise<void> {
  const at = timestamptzText(now);
  await makeKnown(pool, brandId, [playerId], at);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select $1, lower(type), type, type, true, 'look_up', $2 from unnest(array['PushNotification', 'SiteNotification']) type`,
    [playerId, at],
  );
}

/** A message for the player's devices, live immediately. @returns message_id */
export async function writeMessage(
  pool: Pool,
  gate: Gate,
  to: { brand_id: number; player_id: number },
  at: Micros,
  more: Partial<NewNotification> = {},
): Promise<number> {
  const message: NewNotification = {
    ...to,
    channel: 'push',
    purpose: 'marketing',
    event: 'inbox',
    display_type: 'push',
    title: 'Free spins',
    message: '<p>Twenty of them</p>',
    preview_text: 'Twenty of them',
    footer_text: '',
    data: '{}',
    cta_button_link: 'https://casino.example/spin',
    cta_button_text: 'Spin',
    cta_button2_link: '',
    cta_button2_text: '',
    image_url: '',
    expires_at: null,
    campaign_id: null,
    request_key: null,
    created_by: 'test',
    ...more,
  };
  const [made] = await transaction(pool, (tx) => playerChannels.send(tx, gate, message.channel, [message], at));
  if (made === undefined) throw new Error('no message was created');
  return made.message_id;
}
