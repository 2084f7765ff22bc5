import type { EventKind } from '@croupier/contracts';
import { createIntents } from '../../src/actions/intents/create.ts';
import { insertNotifications, takeMessageIds } from '../../src/channels/notifications/notification-store.ts';
import { timestamptzText, transaction } from '../../src/database/index.ts';
import { paymentBody } from '../derive/stage.ts';
import type { setupSegments } from './setup-segments.ts';

type Stage = Awaited<ReturnType<typeof setupSegments>>;

/** Creates one fact of a kind that rules count, for a known player, as the platform creates it. */
export type MakeFact = (user_id: string) => Promise<void>;

export function factMakers(stage: Stage): Record<string, MakeFact> {
  const { clock, publish, derive } = stage;
  const money = { amount: 10, currency: 'EUR', exchange_rate: 1, origin: 'web' };
  const event =
    (kind: EventKind, body: Record<string, unknown>): MakeFact =>
    async (user_id) => {
      await publish({ kind, body: { timestamp: timestamptzText(clock.now()), ...body, user_id } });
      await derive();
    };
  const round = { activity_id: 'a', round_id: 'r', game_id: 'g', vendor_id: 'v', is_round_end: true };
  const bets = [{ market: 'x', selections: [{ odds: 2.5, sports_name: 'Tennis', is_live: false }] }];
  return {
    payment: event('payment', paymentBody({ user_id: '', payment_id: '1', timestamp: timestamptzText(clock.now()) })),
    login: event('login', {}),
    round: event('casino', { ...money, ...round, type: 'Bet' }),
    bet: event('sports', { ...money, activity_id: 'a', type: 'Bet', bet_type: 'Single', bets }),
    ticket: event('lottery', {
      ...money,
      type: 'Bet',
      ticket_id: 't',
      lottery_id: 'l',
      draw_id: 'd',
      draw_date: '2026-12-24T20:00:00Z',
      lines: [{ line_id: '1' }],
    }),
    bonus: event('bonus', {
      ...money,
      user_bonus_id: 'u',
      bonus_id: 'b',
      product: 'Casino',
      status: 'Created',
      bonus_code: 'WELCOME',
      type: 'ReloadBonus',
    }),
    cart: event('cart', {
      ...money,
      cart_id: 'c',
      status: 'Successful',
      type: 'Checkout',
      payments: [],
      items: [{ id: 'i', type: 't', name: 'n', amount: 1 }],
    }),
    custom: event('custom', { notification_type: 'wheel', origin: 'web', data: {} }),
    site_event: event('site_event', { name: 'wheel', event_id: 'e', origin: 'web', data: {} }),
    message_event: event('message_event', {
      event_id: 'p:1',
      what: 'delivered',
      channel: 'email',
      provider: 'p',
      message_id: '1',
    }),
    message: async (user_id) => void (await makeMessage(stage, user_id)),
  };
}

/** A message on the player's screen. @returns its message_id */
export async function makeMessage({ pool, brand, clock, playerId }: Stage, user_id: string): Promise<number> {
  const player_id = await playerId(user_id);
  return transaction(pool, async (tx) => {
    const [message_id = 0] = await takeMessageIds(tx, [player_id]);
    const texts = { title: 'Ten spins', message: '', preview_text: '', footer_text: '', data: '{}', image_url: '' };
    const buttons = { cta_button_link: '', cta_button_text: '', cta_button2_link: '', cta_button2_text: '' };
    const way = { channel: 'site', purpose: 'marketing', event: 'inbox', display_type: 'push' } as const;
    const whose = { brand_id: brand.brand_id, player_id, created_by: 'a test', campaign_id: 'spring' };
    const asked = { ...whose, ...way, ...texts, ...buttons, expires_at: null, request_key: null };
    const allowance = { state: 'live', reason: null, decision_id: 0 } as const;
    await insertNotifications(tx, [{ message_id, asked, allowance }], clock.now());
    return message_id;
  });
}

/** An offer that the player may claim for a day. @returns its intent_id */
export async function makeOffer({ pool, brand, clock, playerId }: Stage, user_id: string): Promise<string> {
  const player_id = await playerId(user_id);
  const terms = { bonus_code: 'RELOAD', offer: true, expires_at: clock.now() + 86_400_000_000 };
  const asked = { brand_id: brand.brand_id, player_id, created_by: 'a test', ...terms };
  const [made] = await transaction(pool, (tx) => createIntents(tx, [asked], clock.now()));
  if (made === undefined) throw new Error('no offer was made');
  return made.intent_id;
}
