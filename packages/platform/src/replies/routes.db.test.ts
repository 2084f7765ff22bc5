import { afterAll, describe, expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { accountSid, setupCalls, twilioTo } from '../../testing/channels/calls/setup-calls.ts';
import { testTokens } from '../../testing/channels/email/setup-email.ts';
import { testLog } from '../../testing/log.ts';
import { setupIngest } from '../../testing/replies/setup-ingest.ts';
import { createHttpServer } from '../http/server.ts';
import { replyRoutes } from './routes.ts';
import { twilioSignature } from './twilio-signature.ts';

const { pool, ingest } = await setupIngest();
const setup = await setupCalls(pool);
const { brand, clock } = setup;
const token = 'a token';
await setup.set('sms', twilioTo(setup.provider));

const publicUrl = 'https://crm.example';
const path = `/channels/${brand.code}/sms/twilio`;
const app = await createHttpServer({ edge: () => false, log: testLog });
const brands = { byCode: (code: string) => (code === brand.code ? brand : undefined) };
await app.register(
  replyRoutes({
    pool,
    clock: clock.now,
    log: testLog,
    vault: testVault,
    brands,
    publicUrl,
    tokens: testTokens,
    ingest,
  }),
);
afterAll(() => app.close());

interface Call {
  url?: string;
  signature?: string | null;
  signedWith?: string;
}

/** A reply as Twilio sends it. */
function reply(fields: Record<string, string>, { url = path, signature, signedWith = token }: Call = {}) {
  const form = new URLSearchParams({ MessageSid: 'SM1', AccountSid: accountSid, To: '+15550100', ...fields });
  const signed = signature === undefined ? twilioSignature(signedWith, `${publicUrl}${url}`, form) : signature;
  return app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signed === null ? {} : { 'x-twilio-signature': signed }),
    },
    payload: form.toString(),
  });
}

async function consentOf(playerId: number): Promise<boolean | null> {
  const { rows } = await pool.query<{ opted_in: boolean | null }>(
    `select opted_in from player_consent where player_id = $1 and type_key = 'sms'`,
    [playerId],
  );
  return rows[0]?.opted_in ?? null;
}

async function writtenBack(playerId: number): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select type, wanted, state from write_back_item where player_id = $1 and record = 'consents' order by item_id`,
    [playerId],
  );
  return rows;
}

describe('a reply STOP', () => {
  test('withdraws the consent immediately, is sent to the operator, and withholds the next SMS', async () => {
    const player = await setup.player('99 700 001');
    expect(await consentOf(player)).toBe(true);
    const answered = await reply({ From: '+35699700001', Body: ' Stop. ' });
    expect(answered.statusCode).toBe(200);
    expect(answered.headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(answered.body).toContain('<Response></Response>');
    expect(await consentOf(player)).toBe(false);
    expect(await writtenBack(player)).toEqual([{ type: 'SMS', wanted: false, state: 'pending' }]);
    const next = await setup.read(await setup.sms(player));
    expect(next).toMatchObject({ state: 'withheld', reason: 'no_consent' });
  });

  test('that Twilio repeats has no further effect', async () => {
    const player = await setup.player('99700002');
    for (let time = 0; time < 3; time++) {
      const { statusCode } = await reply({ From: '+35699700002', Body: 'STOPP' });
      expect(statusCode).toBe(200);
    }
    expect(await writtenBack(player)).toHaveLength(1);
  });

  test('counts if Twilio itself reports an opt-out, whatever the text', async () => {
    const player = await setup.player('99700003');
    await reply({ From: '+35699700003', Body: 'genug davon', OptOutType: 'STOP' });
    expect(await consentOf(player)).toBe(false);
  });

  test('applies to every player with the number, in any spelling of the operator, and to no other', async () => {
    const same = [await setup.player('99-700.004'), await setup.player('0035699700004')];
    // This number has the same last digits.
    const other = await setup.player('98700004');
    await reply({ From: '+35699700004', Body: 'stop' });
    expect(await Promise.all(same.map(consentOf))).toEqual([false, false]);
    expect(await consentOf(other)).toBe(true);
  });

  test('from a number of no player has no effect, and is answered 200', async () => {
    for (const From of ['+35699799999', '12345', 'anonymous', ''])
      expect((await reply({ From, Body: 'STOP' })).statusCode).toBe(200);
  });
});

test('any other reply has no effect: START opts no player in', async () => {
  const player = await setup.player('99700005');
  await reply({ From: '+35699700005', Body: 'STOP' });
  const before = await writtenBack(player);
  for (const Body of ['START', 'YES', 'thanks', ''])
    expect((await reply({ From: '+35699700005', Body })).statusCode).toBe(200);
  expect(await consentOf(player)).toBe(false);
  expect(await writtenBack(player)).toEqual(before);
});

describe('a call that Twilio did not make', () => {
  test.each([
    ['without a signature', { signature: null }, {}],
    ['with a wrong signature', { signature: 'x' }, {}],
    ['signed with another token', { signedWith: 'another' }, {}],
    ['for another account', {}, { AccountSid: `AC${'1'.repeat(32)}` }],
  ])('%s is refused and has no effect', async (_, call: Call, fields) => {
    const player = await setup.player();
    const { rows } = await pool.query<{ mobile: string }>('select mobile from player_profile where player_id = $1', [
      player,
    ]);
    const answered = await reply({ From: `+356${rows[0]?.mobile}`, Body: 'STOP', ...fields }, call);
    expect(answered.statusCode).toBe(403);
    expect(answered.json()).toMatchObject({ status: 403 });
    expect(await consentOf(player)).toBe(true);
  });

  test('to a brand that does not exist, or has no Twilio, is answered 404', async () => {
    expect(
      (await reply({ From: '+35699700001', Body: 'STOP' }, { url: '/channels/nobody/sms/twilio' })).statusCode,
    ).toBe(404);
    const own = await setupCalls(pool);
    const other = await createHttpServer({ edge: () => false, log: testLog });
    const only = { byCode: () => own.brand };
    await other.register(
      replyRoutes({
        pool,
        clock: clock.now,
        log: testLog,
        vault: testVault,
        brands: only,
        publicUrl,
        tokens: testTokens,
        ingest,
      }),
    );
    const answered = await other.inject({ method: 'POST', url: path, headers: { 'x-twilio-signature': 'x' } });
    await other.close();
    expect(answered.statusCode).toBe(404);
  });

  test('has a body limit, and after 200 wrong calls its network must wait; valid calls do not count', async () => {
    expect((await reply({ From: '+35699700001', Body: 'x'.repeat(5_000) })).statusCode).toBe(413);
    const own = await createHttpServer({ edge: () => false, log: testLog });
    await own.register(
      replyRoutes({
        pool,
        clock: clock.now,
        log: testLog,
        vault: testVault,
        brands,
        publicUrl,
        tokens: testTokens,
        ingest,
      }),
    );
    const wrong = { method: 'POST', url: path, headers: { 'x-twilio-signature': 'x' } } as const;
    for (let call = 0; call < 200; call++) expect((await own.inject(wrong)).statusCode).toBe(403);
    const refused = await own.inject(wrong);
    await own.close();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    for (let call = 0; call < 210; call++)
      expect((await reply({ From: '+35699799999', Body: 'hello' })).statusCode).toBe(200);
  });
});

test('if an API key signs in, replies are verified with the auth token of the account', async () => {
  const own = await setupCalls(pool);
  const app2 = await createHttpServer({ edge: () => false, log: testLog });
  const only = { byCode: () => own.brand };
  await app2.register(
    replyRoutes({
      pool,
      clock: clock.now,
      log: testLog,
      vault: testVault,
      brands: only,
      publicUrl,
      tokens: testTokens,
      ingest,
    }),
  );
  const form = new URLSearchParams({ AccountSid: accountSid, From: '+35699799999', Body: 'STOP' });
  const call = (key: string) =>
    app2.inject({
      method: 'POST',
      url: path,
      headers: { 'x-twilio-signature': twilioSignature(key, `${publicUrl}${path}`, form) },
      payload: form.toString(),
    });
  const settings = { ...twilioTo(own.provider), key_sid: `SK${'0'.repeat(32)}`, auth_token: 'secret of the key' };
  await own.set('sms', settings);
  expect((await call('secret of the key')).statusCode).toBe(403);
  await own.set('sms', { ...settings, reply_token: 'token of the account' });
  expect((await call('token of the account')).statusCode).toBe(200);
  await app2.close();
});
