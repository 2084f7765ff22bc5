import type { PoolClient } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { setupNotifications } from '../../../testing/channels/notifications/setup-notifications.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { letListAgain } from '../signals/list-again.ts';
import { deleteForPlayer, markRead } from './by-player.ts';
import { countUnread, getForPlayer, listForPlayer } from './site-store.ts';

/*
 * A player with 100,000 messages is served as fast as one with 10. The test counts the rows that the database reads, because
 * this number does not depend on the load of the machine. The large inbox is the worst case for each list: the messages that a
 * filter selects are the oldest ones, so the list must skip all others first.
 */
const { pool } = await setupDatabase();
const { brand, clock, reader } = await setupNotifications(pool);

async function fill(playerId: number, messages: number): Promise<void> {
  await pool.query(
    `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, created_at, created_by,
            state, state_since, live_at, read_at)
     select id_in_bucket(nextval('notification_number'), $2), $1, $2, 'site', 'marketing', case when n <= 3 then 'inbox' else 'message' end, 'push',
            't', 'm', '', '', '{}', '', '', '', '', '', $3, 'a test', case when n % 4 = 0 then 'deleted' else 'live' end, $3, $3,
            case when n <= 2 then null else $3::timestamptz end
       from generate_series(1, $4) n`,
    [brand.brand_id, playerId, timestamptzText(clock.now()), messages],
  );
}

/** The rows of the table that the transaction has read. */
const readSoFar = `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where relname = 'notification'`;

/** Rows of the table that `work` reads, with or without an index. */
async function rowsRead(work: (tx: PoolClient) => Promise<unknown>): Promise<number> {
  const read = (tx: PoolClient) => tx.query<{ read: number }>(readSoFar);
  return transaction(pool, async (tx) => {
    const before = await read(tx);
    await work(tx);
    const after = await read(tx);
    return (after.rows[0]?.read ?? 0) - (before.rows[0]?.read ?? 0);
  });
}

test('reloading the list of one player reads no messages of others, even with a plan made while the table was empty', async () => {
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('set plan_cache_mode = force_generic_plan');
  const [own, other] = [await reader('own'), await reader('other')];
  await letListAgain(client, [own]);
  await fill(own, 2);
  await fill(other, 1_000);
  await pool.query('update notification set read_at = null where player_id = $1', [other]);

  await client.query('begin');
  const signals = await letListAgain(client, [own]);
  const { rows } = await client.query<{ read: number }>(readSoFar);
  await client.query('rollback');
  expect(signals).toHaveLength(1);
  expect(rows[0]?.read).toBe(1);
});

/** Each kind of call, with the number of rows that it may read. A list may read one page of each of its shelves. */
const calls: readonly [string, number, (player_id: number, newest: number) => (tx: PoolClient) => Promise<unknown>][] =
  [
    ['list', 40, (player_id) => (tx) => listForPlayer(tx, { ...page, player_id })],
    ['unread only', 20, (player_id) => (tx) => listForPlayer(tx, { ...page, player_id, unreadOnly: true })],
    ['inbox only', 20, (player_id) => (tx) => listForPlayer(tx, { ...page, player_id, inboxOnly: true })],
    [
      'unread of the inbox',
      10,
      (player_id) => (tx) => listForPlayer(tx, { ...page, player_id, unreadOnly: true, inboxOnly: true }),
    ],
    [
      'unread outside the inbox',
      10,
      (player_id) => (tx) => listForPlayer(tx, { ...page, player_id, unreadOnly: true, withoutInbox: true }),
    ],
    ['before', 40, (player_id, newest) => (tx) => listForPlayer(tx, { ...page, player_id, before: newest })],
    ['count', 10, (player_id) => (tx) => countUnread(tx, { player_id, inboxOnly: false, now: clock.now() })],
    ['one', 1, (player_id, message_id) => (tx) => getForPlayer(tx, { player_id, message_id, now: clock.now() })],
    ['read', 5, (player_id, newest) => (tx) => markRead(tx, player_id, newest, clock.now())],
    ['delete', 5, (player_id, newest) => (tx) => deleteForPlayer(tx, player_id, newest, clock.now())],
  ];
const page = {
  unreadOnly: false,
  inboxOnly: false,
  withoutInbox: false,
  withoutClosed: false,
  limit: 10,
  before: null,
  now: clock.now(),
};

test('every call of the site reads as few rows with 100,000 messages as with 10', async () => {
  const [few, many] = [await reader('few'), await reader('many')];
  await fill(few, 10);
  await fill(many, 100_000);
  const newest = (player_id: number) =>
    listForPlayer(pool, { ...page, player_id, limit: 1 }).then(([row]) => row?.message_id ?? 0);
  const measure = async (player_id: number) => {
    const figures: Record<string, number> = {};
    for (const [name, , call] of calls) figures[name] = await rowsRead(call(player_id, await newest(player_id)));
    return figures;
  };
  const limits = Object.fromEntries(calls.map(([name, most]) => [name, most]));
  // First with the statistics of a new table, then after ANALYZE, because both occur in practice.
  for (const analyzed of [false, true]) {
    if (analyzed) await pool.query('analyze notification');
    for (const player of [few, many]) {
      for (const [name, rows] of Object.entries(await measure(player))) {
        expect(rows, `${name}, player ${player}, ${analyzed ? 'analyzed' : 'fresh'}`).toBeLessThanOrEqual(
          limits[name] ?? 0,
        );
      }
    }
  }
});

test('a count stops after 1,000, and an item outside the inbox is found behind any number of inbox items', async () => {
  const player_id = await reader('fuller');
  await fill(player_id, 1_500);
  await pool.query(
    `update notification n set read_at = null, event = case when message_id = oldest then 'shoutout' else 'inbox' end
       from (select min(message_id) as oldest from notification where player_id = $1 and state = 'live') o
      where n.player_id = $1`,
    [player_id],
  );
  expect(await countUnread(pool, { player_id, inboxOnly: true, now: clock.now() })).toBe(1_000);
  const found = await listForPlayer(pool, { ...page, player_id, unreadOnly: true, withoutInbox: true });
  expect(found.map(({ event }) => event)).toEqual(['shoutout']);
});
