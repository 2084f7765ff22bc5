import type { Pool, PoolClient } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MadeMessage, MessageTerms, PlayerChannel } from '../../src/channels/channel.ts';
import { receivedKinds } from '../../src/channels/channel.ts';
import { playerChannels } from '../../src/channels/index.ts';
import { transaction } from '../../src/database/index.ts';
import type { Gate } from '../../src/gate/index.ts';
import type { ProtectionTransition } from '../../src/operator/protection/index.ts';

/** What a channel provides for its tests: real rows, a real gate, and a view of what arrived. */
export interface ChannelSetup<Content extends object> {
  channel: PlayerChannel<Content>;
  pool: Pool;
  gate: Pick<Gate, 'mayContact'>;
  brand_id: number;
  now(): number;
  /** A fully known player who permits everything, and whom the channel can reach. @returns player_id */
  player(): Promise<number>;
  content: Content;
  /** Content that the channel refuses. */
  unfit: Content;
  /** Waits for everything that follows a commit, such as due calls. */
  settle(): Promise<void>;
  /** How many times a message reached its player. */
  arrived(playerId: number, messageId: number): Promise<number>;
}

/** The rules that every channel must follow, whatever it sends. */
export function describeChannel<Content extends object>(setup: () => Promise<ChannelSetup<Content>>): void {
  let given: ChannelSetup<Content>;
  beforeAll(async () => {
    given = await setup();
  });

  const terms = (player_id: number, changes: Partial<MessageTerms> = {}): MessageTerms => ({
    brand_id: given.brand_id,
    player_id,
    purpose: 'marketing',
    expires_at: null,
    campaign_id: null,
    request_key: null,
    created_by: 'a test',
    ...changes,
  });
  const inTransaction = <T>(work: (tx: PoolClient) => Promise<T>) => transaction(given.pool, work);
  async function send(player_id: number, changes: Partial<MessageTerms> = {}): Promise<MadeMessage> {
    const { channel, gate, content, now } = given;
    const message = { ...terms(player_id, changes), ...content };
    const [made] = await inTransaction((tx) => channel.send(tx, gate, [message], now()));
    if (made === undefined) throw new Error('no message was created');
    return made;
  }
  const withdrawConsent = (playerId: number) =>
    given.pool.query('update player_consent set opted_in = false where player_id = $1', [playerId]);
  async function exclude(player_id: number): Promise<ProtectionTransition[]> {
    await given.pool.query(
      `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
       values ($1, 'excluded', 'Excluded', 'Excluded', true, 'staff', now())
       on conflict (player_id, type_key) do update set active = true, source = 'staff', as_of = excluded.as_of`,
      [player_id],
    );
    return [{ player_id, brand_id: given.brand_id, kind: 'excluded', consent_type: null } as ProtectionTransition];
  }

  describe('compose', () => {
    test('composing is idempotent', () => {
      const { channel, content } = given;
      const once = channel.compose(content);
      expect(once.errors).toEqual([]);
      expect(channel.compose(once.content)).toEqual(once);
    });

    test('content that cannot be sent gets errors with their fields, and none of its batch is created', async () => {
      const { channel, gate, unfit, content, now } = given;
      expect(channel.compose(unfit).errors.length).toBeGreaterThan(0);
      const player = await given.player();
      const key = { request_key: 'in one batch with an unfit one' };
      const batch = [
        { ...terms(player, key), ...content },
        { ...terms(player), ...unfit },
      ];
      await expect(inTransaction((tx) => channel.send(tx, gate, batch, now()))).rejects.toThrow();
      expect((await send(player, key)).repeated).toBe(false);
    });
  });

  describe('send', () => {
    test('an allowed message arrives once, however often its request is repeated', async () => {
      const player = await given.player();
      const made = await send(player, { request_key: 'the same' });
      const again = await send(player, { request_key: 'the same' });
      expect(again).toMatchObject({ message_id: made.message_id, repeated: true });
      await given.settle();
      await given.settle();
      expect(await given.arrived(player, made.message_id)).toBe(1);
      expect(made.decision_id).not.toBeNull();
    });

    test('a contact that its transaction has already decided is not decided again', async () => {
      const { channel, gate, content, now, brand_id } = given;
      const player_id = await given.player();
      const decided: string[] = [];
      const counting: Pick<Gate, 'mayContact'> = {
        mayContact: (tx, requests, rules) => {
          decided.push(...requests.map((request) => request.channel));
          return gate.mayContact(tx, requests, rules);
        },
      };
      const cause = { kind: 'run', id: '7/hello' } as const;
      const contact = {
        brand_id,
        player_id,
        channel: channel.name,
        purpose: 'marketing',
        cause,
        expires_at: null,
      } as const;
      const { decision, made } = await inTransaction(async (tx) => {
        const [decision] = await gate.mayContact(tx, [contact]);
        const allowed = { ...terms(player_id, { allowed_by: decision?.decision_id }), ...content };
        const [made] = await channel.send(tx, counting, [allowed], now());
        return { decision, made };
      });
      expect(decision?.outcome).toBe('allowed');
      expect(decided).not.toContain(channel.name);
      // A message that also needs the consent of another channel is decided for that channel.
      if (decided.length === 0) expect(made?.decision_id).toBe(decision?.decision_id);
      await given.settle();
      expect(await given.arrived(player_id, made?.message_id ?? 0)).toBe(1);
    });

    test('a cause that is rolled back sends nothing', async () => {
      const player = await given.player();
      const { channel, gate, content, now } = given;
      let message_id = 0;
      const failing = inTransaction(async (tx) => {
        const [made] = await channel.send(tx, gate, [{ ...terms(player), ...content }], now());
        message_id = made?.message_id ?? 0;
        throw new Error('the cause failed');
      });
      await expect(failing).rejects.toThrow('the cause failed');
      await given.settle();
      expect(message_id).toBeGreaterThan(0);
      expect(await given.arrived(player, message_id)).toBe(0);
    });

    test('without the consent, or if excluded, nothing arrives, and the message has the reason', async () => {
      const [unwilling, excluded] = [await given.player(), await given.player()];
      await withdrawConsent(unwilling);
      await exclude(excluded);
      const made = [await send(unwilling), await send(excluded)];
      expect(made.map(({ state, reason }) => [state, reason])).toEqual([
        ['withheld', 'no_consent'],
        ['withheld', 'excluded'],
      ]);
      await given.settle();
      expect(await given.arrived(unwilling, made[0]?.message_id ?? 0)).toBe(0);
      expect(await given.arrived(excluded, made[1]?.message_id ?? 0)).toBe(0);
    });
  });

  test('protect: a queued or unread message does not reach a player who is excluded in the meantime', async () => {
    const player = await given.player();
    const { message_id } = await send(player);
    const transitions = await exclude(player);
    await inTransaction((tx) => given.channel.protect(tx, transitions, given.now()));
    await given.settle();
    expect(await given.arrived(player, message_id)).toBe(0);
  });

  test('recall: a message that is recalled in time does not arrive, and is recalled once', async () => {
    const player = await given.player();
    const { message_id } = await send(player);
    const order = { brand_id: given.brand_id, message_id, by: 'a test' };
    const recall = () => inTransaction((tx) => given.channel.recall(tx, order, given.now()));
    expect(await recall()).toMatchObject({ recalled: true });
    expect(await recall()).toMatchObject({ recalled: false });
    await given.settle();
    expect(await given.arrived(player, message_id)).toBe(0);
    const unknown = { ...order, message_id: 2 ** 40 };
    expect(await inTransaction((tx) => given.channel.recall(tx, unknown, given.now()))).toBeNull();
  });

  test('endUnsent: a message that is still unsent ends and does not arrive; one that arrived stays', async () => {
    const endUnsent = (messageId: number) =>
      inTransaction((tx) =>
        given.channel.endUnsent(tx, [messageId], { reason: 'bulk_cancelled', by: 'a test' }, given.now()),
      );
    const arrivesAtOnce = ['site', 'push'].includes(given.channel.name);
    const player = await given.player();
    const waiting = await send(player);
    const first = await endUnsent(waiting.message_id);
    expect(first).toEqual({ ended: arrivesAtOnce ? [] : [waiting.message_id], sending: [] });
    expect(await endUnsent(waiting.message_id)).toEqual(first);
    const arrived = await send(player);
    await given.settle();
    expect(await endUnsent(arrived.message_id)).toEqual({ ended: [], sending: [] });
    expect(await given.arrived(player, waiting.message_id)).toBe(arrivesAtOnce ? 1 : 0);
    expect(await given.arrived(player, arrived.message_id)).toBe(1);
  });

  test('recallCampaign: messages of the campaign do not arrive, and other messages do', async () => {
    const player = await given.player();
    const order = { brand_id: given.brand_id, requested_at: given.now(), requested_by: 'a test' };
    const campaign_id = `recalled on ${given.channel.name}`;
    const { message_id } = await send(player, { campaign_id });
    const other = await send(player, { campaign_id: 'another campaign' });
    // This uses the registry, because a channel whose messages belong to another channel recalls nothing itself.
    const recalls = await inTransaction((tx) => playerChannels.recallCampaign(tx, { ...order, campaign_id }));
    const deps = { pool: given.pool, clock: given.now };
    for (const { advance } of recalls) while ((await advance(deps))?.done === false);
    await given.settle();
    expect(await given.arrived(player, message_id)).toBe(0);
    expect(await given.arrived(player, other.message_id)).toBe(1);
  });

  test('logout: it succeeds for players without rows, for one session and for all of them', async () => {
    const player_id = await given.player();
    const at = given.now();
    for (const sid_hash of ['a session', '', '']) {
      await inTransaction((tx) => given.channel.logout(tx, [{ player_id, sid_hash, at }]));
    }
    await inTransaction((tx) => given.channel.logout(tx, []));
  });

  test('forget: it succeeds for players without rows, and twice', async () => {
    const player = await given.player();
    for (let n = 0; n < 2; n++) await inTransaction((tx) => given.channel.forget(tx, [player], given.now()));
    await inTransaction((tx) => given.channel.forget(tx, [], given.now()));
  });

  test('it has a name, required consents, kinds of reports, and due times that exist', async () => {
    const { channel, pool } = given;
    expect(channel.asks[0]).toBe(channel.name);
    for (const kind of channel.received) expect(receivedKinds).toContain(kind);
    for (const { table, column, where = 'true' } of channel.dueTimes) {
      const { rows } = await pool.query(`select pg_typeof(max(${column}))::text as type from ${table} where ${where}`);
      expect(rows).toEqual([{ type: 'timestamp with time zone' }]);
    }
  });
}
