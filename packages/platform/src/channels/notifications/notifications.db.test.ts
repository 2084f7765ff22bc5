import { describe, expect, onTestFinished, test } from 'vitest';
import { setupNotifications } from '../../../testing/channels/notifications/setup-notifications.ts';
import { noon } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { fewestWritesOf } from '../../../testing/writes-of.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { noteProtection, TransitionFollower } from '../../operator/protection/index.ts';
import { letListAgain } from '../signals/list-again.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { countUnreadInbox } from '../signals/unread-store.ts';
import { deleteForPlayer, markAllRead, markRead } from './by-player.ts';
import { createNotifications, MessageKeyReused } from './create.ts';
import { askAgain } from './held.ts';
import { forgetOld } from './old.ts';
import { protectMessages, withdrawFurther } from './protect.ts';
import { advanceRecall, orderRecall } from './recall.ts';
import { recordOf } from './record.ts';
import { countUnread, getForPlayer } from './site-store.ts';
import { UnfitNotification } from './unfit.ts';

const { pool } = await setupDatabase();
const setup = await setupNotifications(pool);
const { brand, clock, gate, keeper, list, write, wanted, create, fate, reader, poked } = setup;
const { brand_id } = brand;
const minute = 60_000_000;

let players = 0;
const newReader = () => reader(`reader ${++players}`);
const count = (player_id: number, inboxOnly = false) => countUnread(pool, { player_id, inboxOnly, now: clock.now() });
const ids = (rows: readonly { message_id: number }[]) => rows.map(({ message_id }) => message_id);
const read = (player: number, id: number) => transaction(pool, (tx) => markRead(tx, player, id, clock.now()));
const remove = (player: number, id: number) => transaction(pool, (tx) => deleteForPlayer(tx, player, id, clock.now()));
const hurry = () => pool.query(`update notification set due_at = now() where state = 'held'`);

/** Answers the look-ups that the gate requested. */
async function answer(playerIds: readonly number[]): Promise<void> {
  await pool.query('delete from player_sync where player_id = any($1)', [playerIds]);
  await makeKnown(pool, brand_id, playerIds, timestamptzText(clock.now()));
}

/** Changes what is known of a player, as a look-up would. */
async function recordAnswer(player_id: number, sql: string): Promise<void> {
  await transaction(pool, async (tx) => {
    await noteProtection(tx, [player_id], { source: 'look_up', at: clock.now() });
    await tx.query(sql, [player_id]);
    await noteProtection(tx, [player_id], { source: 'look_up', at: clock.now() });
  });
}
const exclude = (player: number) =>
  recordAnswer(player, 'update player_profile set is_excluded = true where player_id = $1');
const block = (player: number) =>
  recordAnswer(player, 'update player_profile set is_blocked = true where player_id = $1');
const withdraw = (player: number, type: string) =>
  recordAnswer(player, `update player_consent set opted_in = false where player_id = $1 and type = '${type}'`);

/** Processes the protection transitions as the worker's follower does. @returns the signals that it sent */
async function follow(): Promise<SiteSignal[]> {
  const heard: SiteSignal[] = [];
  const follower = new TransitionFollower({
    pool,
    log: testLog,
    follower: 'channels',
    handle: async (tx, transitions) => {
      heard.push(...(await protectMessages(tx, transitions, clock.now())).signals);
    },
  });
  await follower.runOnce();
  return heard;
}

describe('what the site requests', () => {
  test('lists are filtered and paged, newest first; other players do not see these messages', async () => {
    const ann = await newReader();
    const ben = await newReader();
    const shoutout = await write(ann, { event: 'shoutout' });
    const first = await write(ann);
    const second = await write(ann);
    await read(ann, first);
    expect(ids(await list(ann))).toEqual([second, first, shoutout]);
    expect(ids(await list(ann, { unreadOnly: true }))).toEqual([second, shoutout]);
    expect(ids(await list(ann, { inboxOnly: true }))).toEqual([second, first]);
    expect(ids(await list(ann, { inboxOnly: true, unreadOnly: true }))).toEqual([second]);
    expect(ids(await list(ann, { limit: 2 }))).toEqual([second, first]);
    expect(ids(await list(ann, { before: first }))).toEqual([shoutout]);
    expect([await count(ann), await count(ann, true), await count(ben)]).toEqual([2, 1, 0]);
    expect(await list(ben)).toEqual([]);
    const foreign = { player_id: ben, message_id: second, now: clock.now() };
    expect(await getForPlayer(pool, foreign)).toBeNull();
    expect([(await read(ben, second)).outcome, (await remove(ben, second)).outcome]).toEqual(['unknown', 'unknown']);
    const [row] = await list(ann, { limit: 1 });
    expect(row && recordOf(row)).toMatchObject({ MessageId: second, UserId: ann, IsRead: false, Event: 'inbox' });
  });

  test('repeating a read or a delete has no effect and sends no signal', async () => {
    const ann = await newReader();
    const id = await write(ann);
    expect(await read(ann, id)).toMatchObject({
      outcome: 'done',
      signals: [{ kind: 'read', message_id: id, brand_id }],
    });
    expect(await read(ann, id)).toEqual({ outcome: 'done', signals: [] });
    expect(await remove(ann, id)).toMatchObject({ outcome: 'done', signals: [{ kind: 'deleted', player_id: ann }] });
    expect(await remove(ann, id)).toEqual({ outcome: 'done', signals: [] });
    expect(await read(ann, id)).toEqual({ outcome: 'unknown', signals: [] });
    expect(await getForPlayer(pool, { player_id: ann, message_id: id, now: clock.now() })).toBeNull();
  });

  test("all messages up to the newest one seen are marked as read; another player's and later ones are not", async () => {
    const [ann, ben] = [await newReader(), await newReader()];
    const readAll = (player_id: number, up_to: number) =>
      transaction(pool, (tx) => markAllRead(tx, { player_id, up_to }, clock.now()));
    const shoutout = await write(ann, { event: 'shoutout' });
    const [first, second] = [await write(ann), await write(ann)];
    const [foreign, later] = [await write(ben), await write(ann)];
    const signals = await readAll(ann, second);
    expect(signals.map(({ kind, message_id }) => `${kind} ${message_id}`).sort()).toEqual(
      [`read ${first}`, `read ${second}`].sort(),
    );
    expect(ids(await list(ann, { unreadOnly: true }))).toEqual([later, shoutout]);
    expect(ids(await list(ben, { unreadOnly: true }))).toEqual([foreign]);
    expect(await readAll(ann, second)).toEqual([]);
    const told = await pool.query(
      "select count(*)::int as told from message_report where player_id = $1 and body ->> 'what' = 'opened'",
      [ann],
    );
    expect(told.rows).toEqual([{ told: 2 }]);
  });

  test('if very many messages change, the pages reload the list instead of getting single signals', async () => {
    const ann = await newReader();
    let newest = 0;
    for (let message = 0; message < 21; message++) newest = await write(ann);
    const signals = await transaction(pool, (tx) => markAllRead(tx, { player_id: ann, up_to: newest }, clock.now()));
    expect(signals).toMatchObject([{ kind: 'list_again', message_id: null, player_id: ann }]);
    expect(await count(ann)).toBe(0);
  });

  test('an expired message disappears at that second, and is marked as expired later', async () => {
    const ann = await newReader();
    const id = await write(ann, { expires_at: clock.now() + minute + 900_000 });
    clock.advance(minute - 1);
    expect(ids(await list(ann))).toEqual([id]);
    clock.advance(1);
    expect(await list(ann)).toEqual([]);
    expect([await count(ann), (await read(ann, id)).outcome, (await remove(ann, id)).outcome]).toEqual([
      0,
      // The player may have pressed the button while the message was on the screen, so this is no error. It has no effect.
      'done',
      'done',
    ]);
    expect(await fate(id)).toBe('live');
    expect(await keeper.runOnce()).toMatchObject({ expired: 1, more: true });
    expect(await fate(id)).toBe('expired');
  });

  test('a keeper that has nothing to do makes one statement', async () => {
    while ((await keeper.runOnce()).more);
    expect(await fewestWritesOf(() => keeper.runOnce())).toBe(1);
  });
});

describe('creating messages', () => {
  test('each message of a batch is decided separately, and the batch returns its signals', async () => {
    const [ann, ben, carl] = [await newReader(), await newReader(), await setup.addStranger('carl')];
    await withdraw(ben, 'SiteNotification');
    const made = await create(wanted(ann), wanted(ben), wanted(carl), wanted(ben, { purpose: 'service' }));
    expect(made).toMatchObject([
      { state: 'live', signals: [{ kind: 'arrived', player_id: ann }] },
      { state: 'withheld', reason: 'no_consent', signals: [] },
      { state: 'held', reason: 'unknown', signals: [] },
      { state: 'live', signals: [{ player_id: ben }] },
    ]);
  });

  test('a push needs both consents, and appears in the inbox', async () => {
    const [ann, ben, carl] = [await newReader(), await newReader(), await newReader()];
    await withdraw(ben, 'SiteNotification');
    await withdraw(carl, 'PushNotification');
    const made = await create(...[ann, ben, carl].map((player) => wanted(player, { channel: 'push' })));
    expect(made.map(({ state }) => state)).toEqual(['live', 'withheld', 'withheld']);
    expect(await list(ann)).toHaveLength(1);
    const { rows } = await pool.query('select player_id, state, reason from push_delivery where player_id = any($1)', [
      [ann, ben, carl],
    ]);
    expect(rows).toEqual([{ player_id: ann, state: 'dropped', reason: 'no_device' }]);
  });

  test('one key creates one message, even if requests are concurrent or in one batch', async () => {
    const ann = await newReader();
    const one = wanted(ann, { request_key: 'k1' });
    const batches = await Promise.all([
      create(one, one),
      create(one),
      create({ ...one, created_by: 'another session' }),
    ]);
    expect(new Set(ids(batches.flat())).size).toBe(1);
    expect(batches.flat().filter(({ repeated }) => !repeated)).toHaveLength(1);
    await expect(create({ ...one, title: 'Other' })).rejects.toThrow(MessageKeyReused);
    // A key belongs to a player: for another player it is a different request.
    const [others] = await create({ ...one, player_id: await newReader() });
    expect(others).toMatchObject({ repeated: false });
    expect(await list(ann)).toHaveLength(1);
  });

  test('a key stays valid after its message has expired; a new message that has expired is refused', async () => {
    const ann = await newReader();
    const one = wanted(ann, { request_key: 'k2', expires_at: clock.now() + minute });
    const [made] = await create(one);
    clock.advance(2 * minute);
    expect(await create(one)).toMatchObject([{ message_id: made?.message_id, repeated: true }]);
    await expect(create({ ...one, request_key: null })).rejects.toThrow(UnfitNotification);
  });
});

describe('messages that are held', () => {
  test('the gate decides again, and the message is shown when the player is known', async () => {
    const dora = await setup.addStranger('dora');
    const id = await write(dora, { purpose: 'service' });
    expect(await list(dora)).toEqual([]);
    await hurry();
    expect(await keeper.runOnce()).toMatchObject({ live: 0, dropped: 0 });
    expect(await fate(id)).toBe('held unknown');
    await answer([dora]);
    await hurry();
    poked.length = 0;
    await keeper.runOnce();
    expect(ids(await list(dora))).toEqual([id]);
    expect(poked).toMatchObject([{ kind: 'arrived', message_id: id }]);
    expect((await pool.query(`select from gate_hold where cause_id = '${id}'`)).rowCount).toBe(0);
  });

  test('a message is dropped when it expires, whether or not the player is known by then', async () => {
    const [eva, finn] = [await setup.addStranger('eva'), await setup.addStranger('finn')];
    const made = ids(
      await create(...[eva, finn].map((id) => wanted(id, { purpose: 'service', expires_at: clock.now() + minute }))),
    );
    clock.advance(minute);
    await answer([finn]);
    await hurry();
    expect((await keeper.runOnce()).dropped).toBe(2);
    expect(await Promise.all(made.map(fate))).toEqual(['dropped expired_while_unknown', 'dropped expired']);
  });

  test('a message that causes an error does not delay the others, and the error is logged', async () => {
    const [gina, hal] = [await setup.addStranger('gina'), await setup.addStranger('hal')];
    const [bad = 0, good = 0] = ids(
      await create(wanted(gina, { purpose: 'service' }), wanted(hal, { purpose: 'service' })),
    );
    await answer([gina, hal]);
    await hurry();
    const spoilt: typeof gate.mayContact = (tx, requests) => {
      if (requests.some(({ cause }) => cause.id === String(bad))) throw new Error('no idea');
      return gate.mayContact(tx, requests);
    };
    const round = await askAgain({ pool, clock: clock.now, gate: { mayContact: spoilt } });
    expect(round.failures).toMatchObject([{ message_id: bad, error: new Error('no idea') }]);
    expect([await fate(bad), await fate(good)]).toEqual(['held unknown', 'live']);
  });
});

describe('a player who is protected', () => {
  test('loses unread marketing through the follower, keeps what was read and, if blocked, service messages', async () => {
    const ann = await newReader();
    const [seen = 0, unread = 0, service = 0] = ids(
      await create(wanted(ann), wanted(ann), wanted(ann, { purpose: 'service' })),
    );
    await read(ann, seen);
    await block(ann);
    expect(await follow()).toMatchObject([{ kind: 'withdrawn', message_id: unread, player_id: ann }]);
    expect(await Promise.all([seen, unread, service].map(fate))).toEqual(['live', 'withdrawn blocked', 'live']);
  });

  test('sees no unread marketing even while no follower runs', async () => {
    const ann = await newReader();
    const [seen = 0, unread = 0, push = 0, service = 0] = ids(
      await create(wanted(ann), wanted(ann), wanted(ann, { channel: 'push' }), wanted(ann, { purpose: 'service' })),
    );
    await read(ann, seen);
    await withdraw(ann, 'PushNotification');
    expect(ids(await list(ann))).toEqual([service, unread, seen]);
    await block(ann);
    expect(ids(await list(ann))).toEqual([service, seen]);
    expect([await count(ann), (await read(ann, unread)).outcome]).toEqual([1, 'unknown']);
    expect((await countUnreadInbox(pool, [ann], clock.now())).get(ann)).toBe(1);
    expect(await getForPlayer(pool, { player_id: ann, message_id: push, now: clock.now() })).toBeNull();
    await follow();
    expect([await fate(unread), await fate(push)]).toEqual(['withdrawn blocked', 'withdrawn blocked']);
  });

  test('a withdrawn consent removes the messages that need it', async () => {
    const ann = await newReader();
    const [site = 0, push = 0] = ids(await create(wanted(ann), wanted(ann, { channel: 'push' })));
    await withdraw(ann, 'Email');
    expect(await follow()).toEqual([]);
    await withdraw(ann, 'PushNotification');
    await follow();
    expect([await fate(site), await fate(push)]).toEqual(['live', 'withdrawn no_consent']);
    await withdraw(ann, 'SiteNotification');
    await follow();
    expect(await fate(site)).toBe('withdrawn no_consent');
  });

  test('the gate immediately decides again on held messages', async () => {
    const ida = await setup.addStranger('ida');
    const id = await write(ida);
    await answer([ida]);
    await exclude(ida);
    await follow();
    await keeper.runOnce();
    expect(await fate(id)).toBe('withheld excluded');
  });

  test('very many messages are withdrawn in portions; a player who is free again in the meantime keeps the rest', async () => {
    const ann = await newReader();
    await create(...Array.from({ length: 450 }, () => wanted(ann)));
    await block(ann);
    expect(await follow()).toHaveLength(200);
    expect(await withdrawFurther({ pool, clock: clock.now })).toMatchObject({ withdrawn: 200 });
    await recordAnswer(ann, 'update player_profile set is_blocked = false where player_id = $1');
    expect(await withdrawFurther({ pool, clock: clock.now })).toMatchObject({ withdrawn: 0 });
    expect(await list(ann)).toHaveLength(50);
  });

  test('if the player reads one of very many messages at that moment, the keeper still withdraws the rest immediately', async () => {
    const ann = await newReader();
    const [, second = 0] = ids(await create(...Array.from({ length: 210 }, () => wanted(ann)))).toReversed();
    const client = await pool.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await markRead(client, ann, second, clock.now());
    await block(ann);
    const following = follow();
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 5 }).toBe(1);
    await client.query('commit');
    expect(await following).toHaveLength(199);
    expect(await withdrawFurther({ pool, clock: clock.now })).toMatchObject({ withdrawn: 10 });
    expect(await fate(second)).toBe('live');
  });

  test('a message created at the moment of the exclusion is found a minute later', async () => {
    const ann = await newReader();
    const client = await pool.connect();
    onTestFinished(() => client.release());
    const { createNotifications } = await import('./create.ts');
    await client.query('begin');
    const [made] = await createNotifications(client, gate, [wanted(ann)], clock.now());
    await exclude(ann);
    expect(await follow()).toEqual([]);
    await client.query('commit');
    clock.advance(minute);
    await keeper.runOnce();
    expect(await fate(made?.message_id ?? 0)).toBe('withdrawn excluded');
  });
});

describe('old messages', () => {
  const days = 24 * 60 * minute;
  const forget = (after: number) => forgetOld(pool, [brand], clock.now() + after * days);

  test('are deleted with the history of the brand, once they have ended; keys of requests after a month', async () => {
    const ann = await newReader();
    const asked = ['k3', 'k4'].map((request_key) => wanted(ann, { request_key }));
    const [gone = 0, live = 0] = ids(await create(...asked));
    await remove(ann, gone);
    const keys = async () =>
      (await pool.query('select from notification_request where player_id = $1', [ann])).rowCount;
    await forget(29.9);
    expect(await keys()).toBe(2);
    expect((await forget(30.1)).keys).toBeGreaterThanOrEqual(2);
    expect(await keys()).toBe(0);
    await forget(brand.settings.history_days - 0.1);
    expect(await fate(gone)).toBe('deleted');
    expect(await forget(brand.settings.history_days + 0.1)).toMatchObject({ more: false });
    expect([await fate(gone), await fate(live)]).toEqual(['missing', 'live']);
  });
});

describe('the recall of a campaign', () => {
  const order = (campaign_id: string) =>
    transaction(pool, (tx) =>
      orderRecall(tx, { brand_id, campaign_id, requested_at: noon, requested_by: 'ann@brand' }),
    );

  test('continues in portions, in any process; nothing is counted twice', async () => {
    const ann = await newReader();
    const campaign_id = 'large';
    for (let n = 0; n < 3; n++) await create(...Array.from({ length: 800 }, () => wanted(ann, { campaign_id })));
    const [read_ = 0, gone = 0] = ids(await list(ann));
    await read(ann, read_);
    await remove(ann, gone);
    const { recall_id } = await order(campaign_id);
    expect([await list(ann), await count(ann), (await read(ann, read_)).outcome]).toEqual([[], 0, 'unknown']);
    // If a process dies in a portion, the state does not change.
    const died = transaction(pool, async (tx) => {
      await tx.query('update notification_recall set position = position + 1000 where recall_id = $1', [recall_id]);
      throw new Error('killed');
    });
    await expect(died).rejects.toThrow('killed');
    const signals: SiteSignal[] = [];
    let last = await advanceRecall({ pool, clock: clock.now }, recall_id);
    while (last !== null && last.recall.phase !== 'done') {
      const both = await Promise.all([1, 2].map(() => advanceRecall({ pool, clock: clock.now }, recall_id)));
      for (const one of both) {
        if (one === null) continue;
        signals.push(...one.signals);
        if (last === null || one.recall.withdrawn >= last.recall.withdrawn) last = one;
      }
    }
    expect(last?.recall).toMatchObject({ withdrawn: 2_399, dropped: 0, phase: 'done' });
    expect(new Set(signals.map(({ message_id }) => message_id)).size).toBe(2_399);
    expect(await list(ann)).toEqual([]);
    expect(await fate(gone)).toBe('deleted');
  });

  test('includes messages that are being written while it is ordered, and no later ones', async () => {
    const ann = await newReader();
    const campaign_id = 'racing';
    const client = await pool.connect();
    onTestFinished(() => client.release());
    const { createNotifications } = await import('./create.ts');
    await client.query('begin');
    await createNotifications(client, gate, [wanted(ann, { campaign_id })], clock.now());
    const ordered = order(campaign_id);
    await client.query('commit');
    const { recall_id } = await ordered;
    const later = await write(ann, { campaign_id });
    for (let left = 3; left > 0; left--) await advanceRecall({ pool, clock: clock.now }, recall_id);
    expect(ids(await list(ann))).toEqual([later]);
  });
});

describe('while the protection of the player may just have changed', () => {
  const get = (player_id: number, message_id: number) =>
    getForPlayer(pool, { player_id, message_id, now: clock.now() });
  const outdated = (player: number) =>
    pool.query(`update player_sync set requested = requested + 1, news = requested + 1 where player_id = $1`, [player]);
  const answered = (player: number) =>
    pool.query('update player_sync set done = requested where player_id = $1', [player]);
  const seenBy = async (player: number) => ({
    listed: ids(await list(player)),
    unread: await count(player),
    badge: (await countUnreadInbox(pool, [player], clock.now())).get(player) ?? 0,
  });

  test('a message decided before the 200 and committed after it is not shown', async () => {
    const player = await reader('between');
    let id = 0;
    await transaction(pool, async (tx) => {
      const [made] = await createNotifications(tx, gate, [wanted(player)], clock.now());
      expect(made?.state).toBe('live');
      id = made?.message_id as number;
      await acknowledgeUpdate(pool, brand_id, 'between');
    });
    expect(await get(player, id)).toBeNull();
  });

  test.each(['site', 'push'] as const)(
    'unread marketing for %s is hidden everywhere, until the update is applied and its look-up is answered',
    async (channel) => {
      const player = await reader(`waiting ${channel}`);
      const [unread, readBefore] = [await write(player, { channel }), await write(player, { channel })];
      const service = await write(player, { purpose: 'service' });
      await read(player, readBefore);
      const all = { listed: [service, readBefore, unread], unread: 2, badge: 2 };
      const some = { listed: [service, readBefore], unread: 1, badge: 1 };
      expect(await seenBy(player)).toEqual(all);
      const apply = await acknowledgeUpdate(pool, brand_id, `waiting ${channel}`);
      expect(await seenBy(player)).toEqual(some);
      expect(await get(player, unread)).toBeNull();
      await outdated(player);
      await apply();
      expect(await seenBy(player)).toEqual(some);
      await answered(player);
      expect(await seenBy(player)).toEqual(all);
      expect(await get(player, unread)).not.toBeNull();
    },
  );

  test("what was on the screen can be read and deleted; no other player's messages wait", async () => {
    const [ann, ben] = [await reader('on screen'), await newReader()];
    const [first, second, other] = [await write(ann), await write(ann), await write(ben)];
    await acknowledgeUpdate(pool, brand_id, 'on screen');
    expect((await read(ann, first)).outcome).toBe('done');
    expect((await remove(ann, second)).outcome).toBe('done');
    // A hidden message is not on the screen: marking all as read leaves it unread.
    const hidden = await write(ann);
    expect(await transaction(pool, (tx) => markAllRead(tx, { player_id: ann, up_to: hidden }, clock.now()))).toEqual(
      [],
    );
    expect(ids(await list(ann))).toEqual([first]);
    expect(ids(await list(ben))).toEqual([other]);
  });

  test('afterwards the pages of players with hidden messages reload the list', async () => {
    const [waited, empty, onlyService] = [await newReader(), await newReader(), await newReader()];
    await write(waited);
    await write(onlyService, { purpose: 'service' });
    const done = await write(empty);
    await read(empty, done);
    const signals = await transaction(pool, (tx) => letListAgain(tx, [waited, empty, onlyService, waited]));
    expect(signals).toEqual([
      { signal_id: expect.any(Number), brand_id, player_id: waited, kind: 'list_again', message_id: null },
    ]);
  });
});
