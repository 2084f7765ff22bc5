import type { Pool } from 'pg';
import { type CreatedNotification, createNotifications } from '../../../src/channels/notifications/create.ts';
import { NotificationKeeper } from '../../../src/channels/notifications/keeper.ts';
import type { NewNotification, NotificationRow } from '../../../src/channels/notifications/notification.ts';
import { listForPlayer, type SiteListing } from '../../../src/channels/notifications/site-store.ts';
import type { SiteSignal } from '../../../src/channels/signals/signal.ts';
import { transaction } from '../../../src/database/index.ts';
import { type GateSetup, setupGate } from '../../gate/setup-gate.ts';
import { testLog } from '../../log.ts';

/** Setup for tests of messages: the gate's setup, players with consents for the site, and a keeper that the test runs. */
export interface NotificationSetup extends GateSetup {
  /** A fully known player who permits messages on the site and pushes. @returns player_id */
  reader(userId: string): Promise<number>;
  /** An ordinary message, except for the changes. */
  wanted(playerId: number, changes?: Partial<NewNotification>): NewNotification;
  create(...wanted: NewNotification[]): Promise<CreatedNotification[]>;
  /** @returns its message_id */
  write(playerId: number, changes?: Partial<NewNotification>): Promise<number>;
  list(playerId: number, changes?: Partial<SiteListing>): Promise<NotificationRow[]>;
  keeper: NotificationKeeper;
  /** The signals that the keeper passed to `poke`. */
  poked: SiteSignal[];
  /** State and reason of a message: 'withdrawn recalled'. */
  fate(messageId: number): Promise<string>;
}

export async function setupNotifications(pool: Pool): Promise<NotificationSetup> {
  const setup = await setupGate(pool);
  const { brand, clock, gate } = setup;
  const poked: SiteSignal[] = [];
  const signals = { poke: (written: readonly SiteSignal[]) => void poked.push(...written) };
  const keeper = new NotificationKeeper({
    pool,
    brands: { all: () => [brand] },
    gate,
    clock: clock.now,
    log: testLog,
    signals,
  });
  const wanted: NotificationSetup['wanted'] = (player_id, changes = {}) => ({
    brand_id: brand.brand_id,
    player_id,
    channel: 'site',
    purpose: 'marketing',
    event: 'inbox',
    display_type: 'push',
    title: 'Ten spins',
    message: '',
    preview_text: '',
    footer_text: '',
    data: '{}',
    cta_button_link: '',
    cta_button_text: '',
    cta_button2_link: '',
    cta_button2_text: '',
    image_url: '',
    expires_at: null,
    campaign_id: null,
    request_key: null,
    created_by: 'a test',
    ...changes,
  });
  const create: NotificationSetup['create'] = (...items) =>
    transaction(pool, (tx) => createNotifications(tx, gate, items, clock.now()));
  return {
    ...setup,
    wanted,
    create,
    keeper,
    poked,
    async reader(userId) {
      const playerId = await setup.addPlayer(userId);
      await pool.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
         select $1, lower(type), type, type, true, 'look_up', s.as_of
           from unnest(array['SiteNotification', 'PushNotification']) type
          cross join (select max(as_of) as as_of from player_sync where player_id = $1) s`,
        [playerId],
      );
      return playerId;
    },
    async write(playerId, changes) {
      const [created] = await create(wanted(playerId, changes));
      if (created === undefined) throw new Error('no message was created');
      return created.message_id;
    },
    list: (player_id, changes = {}) =>
      listForPlayer(pool, {
        player_id,
        unreadOnly: false,
        inboxOnly: false,
        withoutInbox: false,
        withoutClosed: false,
        limit: 100,
        before: null,
        now: clock.now(),
        ...changes,
      }),
    async fate(messageId) {
      const { rows } = await pool.query<{ state: string; reason: string | null }>(
        'select state, reason from notification where message_id = $1',
        [messageId],
      );
      const { state, reason } = rows[0] ?? { state: 'missing', reason: null };
      return reason === null ? state : `${state} ${reason}`;
    },
  };
}
