import { describe, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';

const setup = await setupConsole();
const { pool, brand, call, get, clock } = setup;
const of = '/brands/malta';

async function player(user_id: string, details: Record<string, string> = {}): Promise<number> {
  const id = await insertPlayer(pool, brand.brand_id, user_id);
  await makeKnown(pool, brand.brand_id, [id], timestamptzText(clock.now()));
  const { first_name = 'Anna', mobile = '99123456' } = details;
  await pool.query(
    `update player_profile set mobile_prefix = '+356', mobile = $2, first_name = $3, last_name = 'Borg', address = '1, Main Street',
            postal_code = 'VLT 1', city = 'Valletta' where player_id = $1`,
    [id, mobile, first_name],
  );
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select $1, lower(type), type, type, true, 'look_up', $2 from unnest(array['Telephone', 'PostMail']) type`,
    [id, timestamptzText(clock.now())],
  );
  return id;
}
async function put(user_id: string, list: string, channel = 'telephone'): Promise<number> {
  const body = { channel, list, note: 'Say hi to {{ player.first_name }}' };
  const { body: made } = await call('POST', `${of}/players/${user_id}/messages`, { body });
  expect(made.state).toBe('waiting');
  return made.message_id;
}
// Returns the answer of an export, which is text.
const csv = async (list: string, channel = 'telephone') => {
  const url = `/api/console/v1${of}/lists/${channel}/${list}/export.csv`;
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await setup.app.inject({ method: 'POST', url, headers })).body;
};
const entry = async (list: string, message_id: number, channel = 'telephone') =>
  (await get(`${of}/lists/${channel}/${list}/entries`)).body.items.find(
    (one: { message_id: number }) => one.message_id === message_id,
  );
const report = (message_id: number, outcome: string, token?: string) =>
  call('POST', `${of}/lists/entries/${message_id}/outcome`, {
    body: { outcome },
    ...(token === undefined ? {} : { token }),
  });

describe('an export', () => {
  test('contains the players whom the gate allows now: a consent that was withdrawn since removes its entry', async () => {
    await player('free');
    const withdrawn = await player('withdrawn');
    await player('nameless', { mobile: '12' });
    const ids = [await put('free', 'vip'), await put('withdrawn', 'vip'), await put('nameless', 'vip')];
    await pool.query('update player_consent set opted_in = false where player_id = $1', [withdrawn]);
    const text = await csv('vip');
    expect(text.split('\r\n')).toEqual([
      'message_id,user_id,first_name,last_name,language,country,number,campaign_id,note',
      `${ids[0]},free,Anna,Borg,,,+35699123456,,Say hi to Anna`,
      '',
    ]);
    const rows = await Promise.all(ids.map((id) => entry('vip', id)));
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['exported', null],
      ['dropped', 'no_consent'],
      ['dropped', 'bad_number'],
    ]);
    // A second export is the same, because the players of entries without an outcome still have to be called.
    clock.advance(1_000_000);
    expect(await csv('vip')).toBe(text);
    const { items } = (await get(`${of}/lists`)).body;
    expect(items).toContainEqual({ channel: 'telephone', list: 'vip', entries: { dropped: 2, exported: 1 } });
    const statesOf = async (state: string) =>
      (await get(`${of}/lists/telephone/vip/entries?state=${state}`)).body.items.map(
        (one: { state: string }) => one.state,
      );
    expect([await statesOf('ended'), await statesOf('exported'), await statesOf('waiting')]).toEqual([
      ['dropped', 'dropped'],
      ['exported'],
      [],
    ]);
  });

  test.each(['telephone', 'post_mail'])(
    'P5, P15, on %s: contains no player who was excluded, or has an update that is not applied',
    async (channel) => {
      const list = `safe-${channel}`;
      const users = ['free', 'excluded', 'updated'].map((name) => `${name}-${channel}`);
      const [, excluded] = await Promise.all(users.map((user) => player(user)));
      const ids: number[] = [];
      for (const user of users) ids.push(await put(user, list, channel));
      await pool.query(
        `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
         values ($1, 'excluded', 'Excluded', 'Excluded', true, 'staff', now())`,
        [excluded],
      );
      const apply = await acknowledgeUpdate(pool, brand.brand_id, users[2] ?? '');
      const exported = async () =>
        (await csv(list, channel))
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[1]);
      expect(await exported()).toEqual([users[0]]);
      const rows = await Promise.all(ids.map((id) => entry(list, id, channel)));
      expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
        ['exported', null],
        ['dropped', 'excluded'],
        ['waiting', 'update_pending'],
      ]);
      await apply();
      clock.advance(1_000_000);
      expect(await exported()).toEqual([users[0], users[2]]);
    },
  );

  test.each(['=1+1', '+1+1', '-2', '@SUM(A1)', '\t=1', ' =1'])(
    'contains no formula if a player is named %j',
    async (first_name) => {
      const user_id = `formula-${Buffer.from(first_name).toString('hex')}`;
      await player(user_id, { first_name });
      const list = `f${first_name.charCodeAt(0)}${first_name.charCodeAt(1)}`;
      const { body } = await call('POST', `${of}/players/${encodeURIComponent(user_id)}/messages`, {
        body: { channel: 'telephone', list, note: '' },
      });
      expect(body.state).toBe('waiting');
      const [, line = ''] = (await csv(list)).split('\r\n');
      expect(line).toContain(`'${first_name}`);
      expect(line).not.toContain(`,${first_name}`);
    },
  );

  test('contains no number that staff suppressed or whose owner complained, but a number that received no SMS', async () => {
    const numbers = { complained: '99200001', bounced: '99200002', staff: '99200003' };
    const ids: number[] = [];
    for (const [reason, mobile] of Object.entries(numbers)) {
      await player(`number-${reason}`, { mobile });
      ids.push(await put(`number-${reason}`, 'suppressed'));
      const body = { number: `+356${mobile}` };
      expect((await call('POST', `${of}/sms-suppressions`, { body })).status).toBe(200);
      await pool.query(`update address_suppression set reason = $1 where reason = 'staff'`, [reason]);
    }
    const letter = await put('number-staff', 'suppressed', 'post_mail');
    expect((await csv('suppressed')).split('\r\n').slice(1, -1)).toEqual([expect.stringContaining('number-bounced')]);
    const rows = await Promise.all(ids.map((id) => entry('suppressed', id)));
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['dropped', 'suppressed'],
      ['exported', null],
      ['dropped', 'suppressed'],
    ]);
    const { rows: decisions } = await pool.query(
      `select count(*)::int as count from gate_decision where reason = 'suppressed'`,
    );
    expect(decisions).toEqual([{ count: 2 }]);
    await csv('suppressed', 'post_mail');
    expect(await entry('suppressed', letter, 'post_mail')).toMatchObject({ state: 'exported' });
  });

  test('of letters has quoted addresses, requires permission to see them, and is audited', async () => {
    await player('letter');
    await put('letter', 'letters', 'post_mail');
    expect(await csv('letters', 'post_mail')).toContain('"1, Main Street",VLT 1,Valletta');
    const path = `${of}/lists/post_mail/letters/export.csv`;
    expect((await call('POST', path, { token: await setup.as('viewer') })).status).toBe(403);
    const masked = await get(`${of}/lists/post_mail/letters/entries`, await setup.as('viewer'));
    expect(masked.body.items).toMatchObject([{ first_name: '***', last_name: '***', note: '***' }]);
    const { rows } = await pool.query(
      `select subject from console_audit where action = 'list.exported' order by at desc`,
    );
    expect(rows.map(({ subject }) => subject)).toContain('list post_mail/letters');
  });
});

test('two exports at once list each player once', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) {
    await player(`twice-${n}`);
    ids.push(await put(`twice-${n}`, 'twice'));
  }
  const listed = (text: string) =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
  const files = await Promise.all([csv('twice'), csv('twice'), csv('twice')]);
  expect(files.flatMap(listed).toSorted((a, b) => a - b)).toEqual(ids);
  // Later, the players without an outcome still have to be called.
  clock.advance(1_000_000);
  expect(listed(await csv('twice'))).toEqual(ids);
});

describe('an outcome', () => {
  test('follows an export, counts once, and opting out withdraws the consent immediately', async () => {
    const id = await player('tired');
    const message = await put('tired', 'calls');
    expect((await report(message, 'reached')).status).toBe(400);
    await csv('calls');
    expect((await report(message, 'reached')).body).toEqual({ message_id: message, state: 'reached', changed: true });
    expect((await report(message, 'reached')).body.changed).toBe(false);
    expect((await report(message, 'not_reached')).status).toBe(400);
    expect((await report(message, 'opted_out')).body).toMatchObject({ state: 'opted_out', changed: true });
    expect((await report(message, 'opted_out')).body.changed).toBe(false);
    const told = await pool.query(
      `select body ->> 'what' as what, body ->> 'message_id' as message_id, body ->> 'provider' as provider, waits
         from message_report where player_id = $1 order by what`,
      [id],
    );
    const of_it = { message_id: String(message), provider: 'staff', waits: true };
    expect(told.rows).toEqual([
      { what: 'reached', ...of_it },
      { what: 'unsubscribed', ...of_it },
    ]);
    const { rows } = await pool.query(
      `select opted_in from player_consent where player_id = $1 and type_key = 'telephone'`,
      [id],
    );
    expect(rows).toEqual([{ opted_in: false }]);
    const again = await call('POST', `${of}/players/tired/messages`, { body: { channel: 'telephone', note: 'x' } });
    expect(again.body).toMatchObject({ state: 'withheld', reason: 'no_consent' });
    expect((await report(12, 'reached')).status).toBe(404);
  });

  test('of a letter that opts out withdraws the consent for letters and no other', async () => {
    const id = await player('returned');
    const message = await put('returned', 'opt-outs', 'post_mail');
    await csv('opt-outs', 'post_mail');
    expect((await report(message, 'opted_out')).body).toMatchObject({ state: 'opted_out', changed: true });
    const { rows } = await pool.query(
      `select type, opted_in from player_consent where player_id = $1 and type in ('PostMail', 'Telephone') order by type`,
      [id],
    );
    expect(rows).toEqual([
      { type: 'PostMail', opted_in: false },
      { type: 'Telephone', opted_in: true },
    ]);
    const next = async (channel: string) =>
      (await call('POST', `${of}/players/returned/messages`, { body: { channel, note: 'x' } })).body;
    expect(await next('post_mail')).toMatchObject({ state: 'withheld', reason: 'no_consent' });
    expect(await next('telephone')).toMatchObject({ state: 'waiting' });
  });

  test('may be reported after the entry ended in the platform, if it was exported before', async () => {
    await player('late');
    const message = await put('late', 'late');
    await csv('late');
    const recalled = await call('POST', `${of}/messages/${message}/recall`);
    expect(recalled.body).toMatchObject({ state: 'dropped', recalled: true });
    expect((await report(message, 'reached')).body).toMatchObject({ state: 'reached', changed: true });
  });
});
