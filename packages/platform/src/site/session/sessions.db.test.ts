import { SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { type SiteSetup, setupSite } from '../../../testing/site/setup-site.ts';
import { openPool, transaction } from '../../database/index.ts';
import { createLog } from '../../log.ts';
import { endExcluded } from './end-excluded.ts';
import { endPlayers } from './end-player.ts';
import { SessionUpkeep } from './session-upkeep.ts';

const database = await setupDatabase();
const { pool } = database;

const login = '/Platform/LoginAuthToken';
const list = '/Notifications/v2/user-notifications';
const secret = 'a secret of the operator, 32 characters';
const codeOf = ({ body }: { body: { Errors: { Error: string }[] } }) => body.Errors[0]?.Error ?? null;
const status = async (answer: Promise<{ status: number }>) => (await answer).status;

/** The same signature in other spellings: decoders ignore two bits of the last character, and padding. */
function spellingsOf(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  const others = [1, 2, 3].map((bits) => token.slice(0, -1) + alphabet[last ^ bits]);
  return [...others, `${token}=`];
}

/** Ends the player's sessions as the operator's logout event does (logout-consumer.ts). */
async function signOutAtOperator(site: SiteSetup, userId: string): Promise<void> {
  const player_id = (await site.playerId(userId)) ?? 0;
  const end = { brand_id: site.brand.brand_id, player_id, at: site.clock.now() };
  await transaction(pool, (tx) => endPlayers(tx, [end], 'one_session_ended'));
}

describe('a sid', () => {
  test('is checked once per 60 s, and concurrent checks share one call', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('anna');
    const answers = await Promise.all(Array.from({ length: 20 }, () => site.post(login, sid)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(site.asked()).toBe(1);
    site.pass(59_999);
    await site.post(login, sid);
    expect(site.asked()).toBe(1);
    site.pass(1);
    await site.post(login, sid);
    expect(site.asked()).toBe(2);
  });

  test('that is wrong is refused, and checked again after 5 s', async () => {
    const site = await setupSite(database);
    expect(codeOf(await site.post(login, 'nobody'))).toBe('invalid_session');
    await site.post(login, 'nobody');
    expect(site.asked()).toBe(1);
    site.pass(5_000);
    site.signIn('anna', 'nobody');
    expect(await status(site.post(login, 'nobody'))).toBe(200);
  });

  test('of an unknown player creates one player, whose look-ups are requested', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('newcomer');
    const [one, two] = await Promise.all([site.post(login, sid), (await site.another()).post(login, sid)]);
    const player_id = await site.playerId('newcomer');
    expect([one.body.Data.User.UserId, two?.body.Data.User.UserId]).toEqual([player_id, player_id]);
    const { rows } = await pool.query('select look_up from player_sync where player_id = $1 order by 1', [player_id]);
    expect(rows.map(({ look_up }) => look_up)).toEqual(['blocks', 'consents', 'details']);
  });

  test('of an erased player creates none', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('gone');
    const token = await site.token(sid);
    const player_id = await site.playerId('gone');
    await pool.query('update player set erased_at = now() where player_id = $1', [player_id]);
    expect([codeOf(await site.post(login, sid)), codeOf(await site.post(login, token))]).toEqual([
      'session_ended',
      'session_ended',
    ]);
  });

  test('that cannot be valid is never sent to the operator', async () => {
    const site = await setupSite(database);
    for (const as of ['x'.repeat(5_000), 'with space', 'ünder']) {
      const answer = await site.call('POST', login, { as });
      expect(codeOf(answer)).toBe('invalid_session');
    }
    expect(codeOf(await site.call('POST', login))).toBe('missing_session');
    expect(site.asked()).toBe(0);
  });

  test('is accepted in the header authtoken or sid, and not in the address', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('anna');
    expect(await status(site.call('POST', login, { headers: { sid } }))).toBe(200);
    expect(codeOf(await site.call('POST', `${login}?authToken=${sid}&sid=${sid}`))).toBe('missing_session');
  });
});

describe('a failing operator', () => {
  test('is no reason to sign players out: 503, and tokens keep working', async () => {
    const site = await setupSite(database);
    const token = await site.token(site.signIn('anna'));
    site.operator.dials.set('authenticate', { faults: [{ fault: 'status', status: 500 }] });
    const away = await site.post(login, site.signIn('bob'));
    expect([away.status, codeOf(away), away.headers['retry-after']]).toEqual([503, 'operator_away', '5']);
    expect(await status(site.post(login, token))).toBe(200);
    site.operator.dials.clear();
    expect(await status(site.post(login, 'sid-of-bob'))).toBe(200);
  });

  test('gets no calls after 20 failures, except one probe at a time', async () => {
    const site = await setupSite(database);
    site.signIn('anna');
    site.operator.dials.set('authenticate', { faults: [{ fault: 'reset', at: 'before_headers' }] });
    for (let n = 0; n < 25; n++) await site.post(login, `sid-${n}`);
    expect(site.asked()).toBe(20);
    site.pass(1_000);
    site.operator.dials.set('authenticate', { delay_ms: 20 });
    const answers = await Promise.all(['sid-of-anna', 'sid-b', 'sid-c'].map((sid) => site.post(login, sid)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 503, 503]);
    expect(await status(site.post(login, 'sid-c'))).toBe(401);
  });

  test('that does not answer delays calls by no more than its timeout', async () => {
    const site = await setupSite(database, { operatorSettings: { call_timeout_ms: 50 } });
    site.operator.dials.set('authenticate', { faults: [{ fault: 'timeout' }] });
    expect(codeOf(await site.post(login, 'sid'))).toBe('operator_away');
  });

  test('that is not configured is treated as unavailable', async () => {
    const site = await setupSite(database, { settings: { operator: undefined } });
    expect(codeOf(await site.post(login, 'sid'))).toBe('operator_away');
  });
});

describe('a flood of wrong sids', () => {
  test('is stopped per address, while known credentials keep working', async () => {
    const site = await setupSite(database);
    const from = '192.0.2.7';
    const sid = site.signIn('anna');
    const token = await site.token(sid);
    for (let n = 0; n < 60; n++) await site.call('POST', login, { as: `wrong-${n}`, from });
    const asked = site.asked();
    for (const as of ['wrong-61', 'wrong-61', 'wrong-7']) {
      const refused = await site.call('POST', login, { as, from });
      const answer = [refused.status, codeOf(refused), refused.headers['retry-after']];
      expect(answer).toEqual([429, 'too_many_requests', '60']);
    }
    // Of these, only wrong-61 was checked, and only once.
    expect(site.asked()).toBe(asked + 1);
    expect(await status(site.call('POST', login, { as: sid, from }))).toBe(200);
    expect(await status(site.call('POST', login, { as: token, from }))).toBe(200);
    expect(await status(site.call('POST', login, { as: 'wrong-62', from: '192.0.2.8' }))).toBe(401);
    site.pass(60_000);
    expect(await status(site.call('POST', login, { as: 'wrong-63', from }))).toBe(401);
  });

  test('locks out no player behind the same address, known or new', async () => {
    const waits: number[] = [];
    const pause = async (ms: number) => void waits.push(ms);
    const site = await setupSite(database, { pause });
    const from = '192.0.2.7';
    const known = site.signIn('anna');
    expect(await status(site.call('POST', login, { as: known, from }))).toBe(200);
    // The cached answer of the operator has expired, but the platform still knows that the sid was valid.
    site.pass(3_600_000);
    for (let n = 0; n < 60; n++) await site.call('POST', login, { as: `wrong-${n}`, from });
    for (let n = 0; n < 5; n++)
      expect(await status(site.call('POST', login, { as: site.signIn(`new-${n}`), from }))).toBe(200);
    expect(waits).toEqual([200, 400, 600, 800]);
    expect(await status(site.call('POST', login, { as: known, from }))).toBe(200);
    expect(waits).toHaveLength(4);
  });
});

test('an expired sid that its page repeats locks no other player out', async () => {
  const site = await setupSite(database);
  const from = '192.0.2.7';
  const list = (as: string) => status(site.call('GET', '/Notifications/v2/user-notifications', { as, from }));
  for (let n = 0; n < 70; n++) expect(await list('expired')).toBe(401);
  expect(site.asked()).toBe(1);
  expect(await list(site.signIn('anna'))).toBe(200);
});

describe('a token', () => {
  test('names its player, is valid for an hour, and does not extend itself', async () => {
    const site = await setupSite(database);
    const first = await site.post(login, site.signIn('anna'));
    const { Authentication, User } = first.body.Data;
    expect(Authentication.IsAuthenticated).toBe(true);
    expect(User).toEqual({
      UserId: await site.playerId('anna'),
      BrandId: site.brand.brand_id,
      IsTestUser: false,
    });
    const again = await site.post(login, Authentication.AuthToken);
    expect(again.body.Data.Authentication.AuthToken).toBe(Authentication.AuthToken);
    site.pass(3_600_000);
    expect(codeOf(await site.post(login, Authentication.AuthToken))).toBe('invalid_session');
    expect(site.asked()).toBe(1);
  });

  test('of another brand, or forged, is refused without asking the operator', async () => {
    const site = await setupSite(database);
    const other = await setupSite(database);
    const token = await other.token(other.signIn('anna'));
    expect(codeOf(await site.post(login, token))).toBe('invalid_session');
    expect(codeOf(await other.post(login, `${token.slice(0, -4)}AAAA`))).toBe('invalid_session');
    expect([site.asked(), other.asked()]).toEqual([0, 1]);
  });
});

describe('the end of a session', () => {
  test("by the operator's logout: tokens end immediately in every process; the sid is checked again", async () => {
    const site = await setupSite(database);
    const second = await site.another();
    const sid = site.signIn('anna');
    const token = await site.token(sid);
    expect(await status(second.post(login, token))).toBe(200);
    await second.post(login, sid);
    const asked = site.asked();

    site.operator.books.signOut(sid);
    await signOutAtOperator(site, 'anna');
    for (const process of [site, second]) {
      expect(codeOf(await process.post(login, token))).toBe('session_ended');
      expect(codeOf(await process.post(login, sid))).toBe('invalid_session');
    }
    expect(site.asked()).toBe(asked + 2);

    const next = site.signIn('anna', 'her-next-sid');
    expect(await status(site.post(login, next))).toBe(200);
    expect(await status(second.post(login, await site.token(next)))).toBe(200);
    expect(codeOf(await site.post(login, token))).toBe('session_ended');
  });

  test('by a logout on the site: the tokens of this session only', async () => {
    const site = await setupSite(database);
    const second = await site.another();
    const [laptop, phone] = [site.signIn('anna', 'laptop'), site.signIn('anna', 'phone')];
    const [onLaptop, onPhone] = [await site.token(laptop), await site.token(phone)];
    expect((await site.post('/Crm/Logout', onLaptop)).body).toEqual({ Data: true, Success: true, Errors: [] });
    expect(codeOf(await second.post(login, onLaptop))).toBe('session_ended');
    expect(await status(second.post(login, onPhone))).toBe(200);
    expect(site.poked).toMatchObject([{ kind: 'one_session_ended', player_id: await site.playerId('anna') }]);
    // The platform asks the operator whether the sid is still valid.
    expect(await status(site.post(login, laptop))).toBe(200);
    expect(await status(second.post(login, await site.token(laptop)))).toBe(200);
  });

  test('by an exclusion: no call is admitted during it, and no earlier token after it', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('anna');
    const token = await site.token(sid);
    const player_id = (await site.playerId('anna')) ?? 0;
    const { brand_id } = site.brand;
    const exclude = (excluded: boolean) =>
      pool.query(
        `insert into player_protection (player_id, brand_id, excluded) values ($1, $2, $3)
         on conflict (player_id) do update set excluded = excluded.excluded`,
        [player_id, brand_id, excluded],
      );
    await exclude(true);
    expect([codeOf(await site.post(login, token)), codeOf(await site.post(login, sid))]).toEqual([
      'session_ended',
      'session_ended',
    ]);
    const asked = site.asked();
    await site.post(login, sid);
    expect(site.asked()).toBe(asked);
    const transition = { transition_id: 1, brand_id, player_id, kind: 'excluded', consent_type: null } as const;
    const about = { source: 'look_up', at: site.clock.now() } as const;
    const signals = await transaction(pool, (tx) => endExcluded(tx, [{ ...transition, ...about }]));
    expect(signals).toMatchObject([{ kind: 'session_ended', player_id }]);
    await exclude(false);
    expect(codeOf(await site.post(login, token))).toBe('session_ended');
    expect(await status(site.post(login, sid))).toBe(200);
  });

  test('while the operator is being asked: an answer from before the end is not accepted', async () => {
    const site = await setupSite(database);
    const sid = site.signIn('anna');
    await site.post(login, sid);
    site.pass(60_000);
    const signedOut = Promise.withResolvers<void>();
    site.operator.dials.set('authenticate', { hold: signedOut.promise });
    const answer = site.post(login, sid);
    await expect.poll(site.asked, { interval: 2 }).toBe(2);
    await signOutAtOperator(site, 'anna');
    signedOut.resolve();
    expect(await status(answer)).toBe(200);
    expect(site.asked()).toBe(3);
  });

  test('that is not committed yet: no token created in the meantime survives it', async () => {
    const site = await setupSite(database);
    const other = await setupSite(database, { settings: { site_jwt: { secret } } });
    const signJwt = new SignJWT({ user_id: 'anna', iat: noon / 1e6 - 9, exp: noon / 1e6 + 3_600 });
    const jwt = await signJwt.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    await other.post(login, jwt);
    const sid = site.signIn('anna');
    const before = await site.token(sid);
    const client = await pool.connect();
    await client.query('begin');
    for (const { playerId, brand, clock } of [site, other]) {
      const player_id = (await playerId('anna')) ?? 0;
      await endPlayers(client, [{ brand_id: brand.brand_id, player_id, at: clock.now() }], 'one_session_ended');
    }
    const second = await site.another();
    // This end of one session takes its number later than the open transaction, and commits earlier.
    await second.post('/Crm/Logout', before);
    const tokens = [await second.token(sid), await other.token(jwt)];
    await client.query('commit');
    client.release();
    expect(codeOf(await site.post(login, tokens[0] ?? ''))).toBe('session_ended');
    expect(codeOf(await other.post(login, tokens[1] ?? ''))).toBe('session_ended');
    const asked = site.asked();
    expect(await status(second.post(login, sid))).toBe(200);
    expect(site.asked()).toBe(asked + 1);
  });

  test('is deleted for single sessions when no token of theirs is left, and kept for the player', async () => {
    const site = await setupSite(database);
    const token = await site.token(site.signIn('anna'));
    const player_id = await site.playerId('anna');
    await site.post('/Crm/Logout', token);
    await signOutAtOperator(site, 'anna');
    const upkeep = new SessionUpkeep({ pool, brands: site.brands, clock: site.clock.now, log: testLog });
    const left = async () =>
      (await pool.query('select sid_hash from site_session_end where player_id = $1', [player_id])).rowCount;
    site.pass(2 * 3_600_000);
    await upkeep.runOnce();
    expect(await left()).toBe(2);
    site.pass(1);
    await upkeep.runOnce();
    expect(await left()).toBe(1);
  });
});

describe("the brand's JWT", () => {
  const jwt = (claims: object) =>
    new SignJWT({ user_id: 'anna', iat: noon / 1e6, exp: noon / 1e6 + 3_600, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(secret));

  test('replaces sids: the operator is not asked', async () => {
    const site = await setupSite(database, { settings: { site_jwt: { secret } } });
    const first = await site.post(login, await jwt({}));
    expect(first.body.Data.User.UserId).toBe(await site.playerId('anna'));
    expect(await status(site.post(login, first.body.Data.Authentication.AuthToken))).toBe(200);
    expect(codeOf(await site.post(login, site.signIn('anna')))).toBe('invalid_session');
    expect(site.asked()).toBe(0);
  });

  test('from before a logout is refused; one from the same second or later is not', async () => {
    const site = await setupSite(database, { settings: { site_jwt: { secret } } });
    const before = await jwt({});
    await site.post(login, before);
    site.pass(1_500);
    await signOutAtOperator(site, 'anna');
    expect(codeOf(await site.post(login, before))).toBe('session_ended');
    expect(await status(site.post(login, await jwt({ iat: noon / 1e6 + 1 })))).toBe(200);
  });

  test('with which the player signed out stays ended for as long as it would have been valid', async () => {
    const site_jwt = { secret, max_age_minutes: 180 };
    const site = await setupSite(database, { settings: { site_jwt } });
    const [one, other] = [await jwt({ exp: noon / 1e6 + 36_000 }), await jwt({ on: 'the phone' })];
    expect(await status(site.post('/Crm/Logout', one))).toBe(200);
    expect([codeOf(await site.post(login, one)), await status(site.post(login, other))]).toEqual([
      'session_ended',
      200,
    ]);
    site.pass(179 * 60_000);
    await new SessionUpkeep({ pool, brands: site.brands, clock: site.clock.now, log: testLog }).runOnce();
    expect(codeOf(await site.post(login, one))).toBe('session_ended');
    site.pass(60_000 + 31_000);
    expect(codeOf(await site.post(login, one))).toBe('invalid_session');
  });

  test('with which the player signed out stays ended for 30 days, because the brand may accept older ones later', async () => {
    const site = await setupSite(database, { settings: { site_jwt: { secret, max_age_minutes: 180 } } });
    expect(await status(site.post('/Crm/Logout', await jwt({})))).toBe(200);
    const upkeep = new SessionUpkeep({ pool, brands: site.brands, clock: site.clock.now, log: testLog });
    const kept = async () => {
      await upkeep.runOnce();
      const { rowCount } = await pool.query('select from site_session_end where brand_id = $1', [site.brand.brand_id]);
      return rowCount;
    };
    site.pass(30 * 86_400_000);
    expect(await kept()).toBe(1);
    site.pass(60_001);
    expect(await kept()).toBe(0);
  });

  test('with which the player signed out is also ended in every other spelling of its signature', async () => {
    const site = await setupSite(database, { settings: { site_jwt: { secret } } });
    const signedOut = await jwt({});
    const token = await site.token(signedOut);
    const spellings = spellingsOf(signedOut);
    expect(await Promise.all(spellings.map((as) => status(site.post(login, as))))).toEqual(spellings.map(() => 200));
    const tokens = await Promise.all(spellings.map(site.token));
    await site.post('/Crm/Logout', spellings[0] ?? '');
    for (const as of [signedOut, token, ...spellings, ...tokens, ...spellingsOf(token)]) {
      expect([as, codeOf(await site.post(login, as))]).toEqual([as, 'session_ended']);
    }
    expect(await status(site.post(login, await jwt({ on: 'the phone' })))).toBe(200);
  });

  test('counts as an ordinary sid if the brand has no secret for it', async () => {
    const site = await setupSite(database);
    site.signIn('anna', await jwt({}));
    expect(await status(site.post(login, await jwt({})))).toBe(200);
    expect(site.asked()).toBe(1);
  });
});

describe('the test user', () => {
  const settings = { test_user: { sid: 'the test sid', user_id: 'test-1' } };

  test('has a sid that is never sent to the operator', async () => {
    const site = await setupSite(database, { settings: { test_user: { sid: 'test-sid', user_id: 'test-1' } } });
    const answer = await site.post(login, 'test-sid');
    expect(answer.body.Data.User).toEqual({
      UserId: await site.playerId('test-1'),
      BrandId: site.brand.brand_id,
      IsTestUser: true,
    });
    const caller = (await site.sessions.admit(site.brand, await site.token('test-sid'), 'x')).caller;
    expect(caller).toMatchObject({ user_id: 'test-1', is_test_user: true, via: 'auth_token' });
    expect(site.asked()).toBe(0);
  });

  test.each([
    [false, 401],
    [true, 200],
  ])('in production, switched on: %s', async (in_production, expected) => {
    const test_user = { ...settings.test_user, sid: 'test-sid', in_production };
    const site = await setupSite(database, { settings: { test_user }, production: true });
    expect(await status(site.post(login, 'test-sid'))).toBe(expected);
    expect(site.asked()).toBe(0);
  });
});

test('no sid and no token appears in a log line or in the database', async () => {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  const site = await setupSite(database, { log: createLog({ level: 'trace', role: 'test', to }) });
  const sid = site.signIn('anna', 'a-sid-to-be-searched-for');
  const token = await site.token(sid);
  await site.get(`/nowhere?sid=${sid}`, sid);
  await site.post('/external/pusher', '', 'socket_id=x').catch(() => {});
  await site.call('POST', `/external/pusher?authToken=${sid}`, { body: '{' });
  site.operator.dials.set('authenticate', { faults: [{ fault: 'reset', at: 'before_headers' }] });
  await site.post(login, 'a-sid-to-be-searched-for-2');
  const away = openPool('postgres://nobody@127.0.0.1:1/none', { name: 'away', connectTimeoutMs: 200 });
  onTestFinished(() => away.end());
  await (await site.another({ pool: away })).get(list, token);
  await site.post('/Crm/Logout', token);
  const { rows } = await pool.query(`select row_to_json(e)::text as row from site_session_end e
    union all select row_to_json(s)::text from operator_endpoint s`);
  expect(rows.length).toBeGreaterThan(0);
  const written = [...lines, JSON.stringify(rows)].join('\n');
  expect(written).not.toContain('a-sid-to-be-searched-for');
  expect(written).not.toContain(token);
});
