import { beforeAll, describe, expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { record } from './audit.ts';
import { AuditSealer } from './sealer.ts';
import { verifyAudit } from './verify.ts';

const console = await setupConsole();
const { pool, clock } = console;
const sealer = new AuditSealer({ pool, clock: clock.now, log: testLog });
const ann = { account_id: null, actor: 'ann@example.com' };
const bob = { account_id: null, actor: 'bob@example.com' };
const deps = { pool, clock: clock.now };

/** Three seals over two entries each: one of the brand and one of no brand. */
async function threeSeals(): Promise<number[]> {
  await pool.query('truncate console_audit, console_audit_mark, console_audit_seal');
  for (let seal = 0; seal < 3; seal++) {
    await record(deps, ann, {
      action: 'key.created',
      brand: console.brand,
      subject: `key ${seal}`,
      details: { version: seal },
    });
    await record(deps, bob, { action: 'account.disabled', brand: null, subject: `account ${seal}` });
    expect(await sealer.runOnce()).toEqual({ entries: 2 });
  }
  const { rows } = await pool.query<{ audit_id: number }>('select audit_id from console_audit order by audit_id');
  return rows.map(({ audit_id }) => audit_id);
}

describe('the chain of the staff audit', () => {
  test('covers every entry once, of all brands, and verifies', async () => {
    const ids = await threeSeals();
    const { rows } = await pool.query('select audit_ids, previous, hash from console_audit_seal order by seal_no');
    expect(rows.flatMap(({ audit_ids }) => audit_ids)).toEqual(ids);
    expect(rows.slice(1).map(({ previous }) => previous)).toEqual(rows.slice(0, -1).map(({ hash }) => hash));
    expect(await sealer.runOnce()).toEqual({ entries: 0 });
    expect(await verifyAudit(pool)).toMatchObject({ finding: null, seals: 3, entries: 6, complete: true });
  });

  test('is one chain when several workers seal at the same time', async () => {
    await threeSeals();
    const others = Array.from({ length: 4 }, () => new AuditSealer({ pool, clock: clock.now, log: testLog }));
    for (let round = 0; round < 3; round++) {
      const entry = { action: 'key.created', brand: console.brand, subject: `round ${round}` } as const;
      await Promise.all(Array.from({ length: 10 }, () => record(deps, ann, entry)));
      await Promise.all(others.map((other) => other.runOnce()));
    }
    await sealer.runOnce();
    expect(await verifyAudit(pool)).toMatchObject({ finding: null, entries: 36, complete: true });
  });

  test.each<[name: string, sql: string, place: number, kind: string]>([
    ['another actor', `update console_audit set actor = 'eve@example.com' where audit_id = $1`, 2, 'altered_entry'],
    ['other details', `update console_audit set details = '{"seal":7}' where audit_id = $1`, 0, 'altered_entry'],
    ['another time', `update console_audit set at = at - interval '1 us' where audit_id = $1`, 3, 'altered_entry'],
    ['another brand', 'update console_audit set brand_id = null where audit_id = $1', 4, 'altered_entry'],
    ['a deleted entry', 'delete from console_audit where audit_id = $1', 5, 'missing_entry'],
    ['a deleted mark', 'delete from console_audit_mark where audit_id = $1', 1, 'altered_entry'],
    [
      'an entry and its mark, both deleted',
      'with d as (delete from console_audit where audit_id = $1) delete from console_audit_mark where audit_id = $1',
      4,
      'missing_entry',
    ],
  ])('finds and names %s', async (_name, sql, place, kind) => {
    const ids = await threeSeals();
    await pool.query(sql, [ids[place]]);
    const { finding, complete } = await verifyAudit(pool);
    expect(finding).toMatchObject({ kind, audit_id: ids[place], seal_no: Math.floor(place / 2) + 1 });
    expect(complete).toBe(false);
  });

  test('finds an entry that was inserted without a mark, a missing seal, and a missing end of the chain', async () => {
    const ids = await threeSeals();
    const { head } = await verifyAudit(pool);
    const { rows } = await pool.query<{ audit_id: number }>(
      `insert into console_audit (at, actor, action, subject)
       select at, actor, action, subject from console_audit where audit_id = $1 returning audit_id`,
      [ids[0]],
    );
    expect((await verifyAudit(pool)).finding).toMatchObject({ kind: 'inserted_entry', audit_id: rows[0]?.audit_id });
    await pool.query('delete from console_audit where audit_id = $1', [rows[0]?.audit_id]);
    await pool.query('delete from console_audit_seal where seal_no = 3');
    expect((await verifyAudit(pool)).finding).toMatchObject({ kind: 'missing_tail', seal_no: 3 });
    await pool.query('delete from console_audit_mark where seal_no = 3');
    await pool.query('delete from console_audit where audit_id = any($1::bigint[])', [ids.slice(4)]);
    expect((await verifyAudit(pool)).finding).toBeNull();
    expect((await verifyAudit(pool, { expect: head ?? undefined })).finding).toMatchObject({ kind: 'missing_tail' });
    await threeSeals();
    await pool.query('delete from console_audit_seal where seal_no = 2');
    expect((await verifyAudit(pool)).finding).toMatchObject({ kind: 'missing_seal', seal_no: 2 });
  });
});

describe('the API', () => {
  beforeAll(async () => void (await threeSeals()));

  test('filters by actor, action, subject and time, and says which seal covers an entry', async () => {
    const subjects = async (path: string) =>
      (await console.get(path)).body.items.map(({ subject }: { subject: string }) => subject);
    expect(await subjects('/brands/malta/audit')).toEqual(['key 2', 'key 1', 'key 0']);
    await record(
      deps,
      { account_id: null, actor: 'admin token' },
      { action: 'key.revoked', brand: console.brand, subject: 'key 9' },
    );
    expect(await subjects('/brands/malta/audit?account_id=0')).toEqual(['key 9']);
    expect(await subjects('/audit?account_id=0')).toEqual([]);
    expect(await console.get('/brands/malta/audit/filters')).toMatchObject({
      body: { accounts: [{ account_id: 0, actor: 'admin token' }], actions: ['key.created', 'key.revoked'] },
    });
    await pool.query(
      `with d as (delete from console_audit where subject = 'key 9' returning audit_id)
       delete from console_audit_mark where audit_id in (select audit_id from d)`,
    );
    // The address of a call contains no e-mail, so that no proxy logs one.
    expect((await console.get('/audit?actor=bob%40example.com')).status).toBe(400);
    expect(await subjects('/brands/malta/audit?subject=key%201')).toEqual(['key 1']);
    expect(await subjects('/brands/malta/audit?action=key.revoked')).toEqual([]);
    expect(await subjects('/audit?action=account.disabled&limit=2')).toEqual(['account 2', 'account 1']);
    const after = new Date(noon / 1_000 + 60_000).toISOString();
    expect(await subjects(`/audit?from=${after}`)).toEqual([]);
    expect(await subjects(`/audit?to=${after}`)).toHaveLength(3);
    const [newest] = (await console.get('/brands/malta/audit')).body.items;
    expect(newest).toMatchObject({ action: 'key.created', details: { version: 2 }, seal_no: 3 });
  });

  test("finds a player's entries by the user_id", async () => {
    const { rows } = await pool.query<{ player_id: number }>(
      'insert into player (brand_id, user_id, bucket) values ($1, $2, 0) returning player_id',
      [console.brand.brand_id, 'u-1'],
    );
    const subject = `player ${rows[0]?.player_id}`;
    const action = 'player.exported';
    await record(deps, ann, { action, brand: console.brand, subject });
    await record(deps, ann, { action, brand: console.brand, subject: `${subject}0` });
    const path = '/brands/malta/audit?user_id=u-1';
    expect((await console.get(path)).body.items).toMatchObject([{ subject, user_id: 'u-1' }]);
    expect((await console.get(`${path}&subject=key%201`)).body.items).toEqual([]);
    expect((await console.get('/brands/malta/audit?user_id=u-2')).status).toBe(404);
    await pool.query(
      `with d as (delete from console_audit where action = $1 returning audit_id)
       delete from console_audit_mark where audit_id in (select audit_id from d)`,
      [action],
    );
  });

  test('names the channel and the player of a message, until the message is deleted', async () => {
    const { brand_id } = console.brand;
    await pool.query(
      `with p as (insert into player (brand_id, user_id, bucket) values ($1, 'u-3', 0) returning player_id, player_id & 63 as low),
            entry as (insert into list_entry (message_id, brand_id, player_id, channel, list, purpose, note, created_at, created_by, expires_at, state)
                      select 64 + low, $1, player_id, 'telephone', 'vip', 'service', '', now(), 'test', now(), 'waiting' from p)
       insert into email_message (message_id, brand_id, player_id, purpose, subject, html, plain, created_at, created_by, expires_at, state)
       select 128 + low, $1, player_id, 'service', '', '', '', now(), 'test', now(), 'sent' from p`,
      [brand_id],
    );
    const { rows } = await pool.query<{ low: number }>(
      `select player_id & 63 as low from player where user_id = 'u-3'`,
    );
    const low = rows[0]?.low ?? 0;
    const messages = async () => {
      const { items } = (await console.get('/brands/malta/audit?action=message.sent')).body;
      return items.map(({ message, user_id }: { message: unknown; user_id: unknown }) => ({ message, user_id }));
    };
    for (const id of [64 + low, 128 + low, 192 + low])
      await record(deps, ann, { action: 'message.sent', brand: console.brand, subject: `message ${id}` });
    expect(await messages()).toEqual([
      { message: null, user_id: null },
      { message: { channel: 'email', user_id: 'u-3' }, user_id: null },
      { message: { channel: 'telephone', user_id: 'u-3' }, user_id: null },
    ]);
    await pool.query(`update player set erased_at = now() where user_id = 'u-3'`);
    // A message of another brand is not shown.
    await pool.query('update list_entry set brand_id = $1', [brand_id + 1]);
    expect((await messages()).slice(1)).toEqual([
      { message: { channel: 'email', user_id: null }, user_id: null },
      { message: null, user_id: null },
    ]);
    await pool.query(
      `with d as (delete from console_audit where action = 'message.sent' returning audit_id)
       delete from console_audit_mark where audit_id in (select audit_id from d)`,
    );
  });

  test('verifies the chain for compliance at one brand, and continues where a call ended', async () => {
    const path = '/brands/malta/audit/verification';
    const token = await console.as('compliance');
    const { body } = await console.call('POST', path, { token, body: {} });
    expect(body).toMatchObject({ complete: true, finding: null, seals: 3, entries: 6, head: { seal_no: 3 } });
    const again = await console.call('POST', path, { token, body: { after: body.head, expect: body.head } });
    expect(again.body).toMatchObject({ complete: true, seals: 0, finding: null });
    const expected = { seal_no: 3, hash: '0'.repeat(64) };
    const other = await console.call('POST', '/audit/verification', { body: { expect: expected } });
    expect(other.body.finding).toMatchObject({ kind: 'altered_seal', seal_no: 3 });
    expect((await console.call('POST', '/audit/verification', { token, body: {} })).status).toBe(403);
  });
});
