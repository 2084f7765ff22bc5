import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { emailSettings, setupEmail } from '../../../testing/channels/email/setup-email.ts';
import { startSmtp } from '../../../testing/channels/email/setup-smtp.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { testLog } from '../../../testing/log.ts';
import { transaction } from '../../database/index.ts';
import { hostedPaths, hostedRoutes, Receipts } from '../../hosted/serving.ts';
import { createHttpServer } from '../../http/server.ts';
import { UnfitNotification } from '../notifications/unfit.ts';
import { playerChannels } from '../registry.ts';
import { expireWaitingEmails, giveUpLost } from './store.ts';
import { EmailTransport } from './transport.ts';

const { pool } = await setupDatabase();
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const dkim = {
  domain: 'malta.example',
  selector: 'crm',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const setup = await setupEmail(pool, {
  email: { dkim, reply_to: 'help@malta.example', bounce_address: 'bounces@malta.example' },
});
const { server, brand } = setup;

async function sent(playerId: number, more: Parameters<typeof setup.email>[1] = {}) {
  const id = await setup.email(playerId, more);
  const arrival = server.next();
  await setup.run();
  return { id, mail: await arrival };
}
const headersOf = (raw: Buffer) => {
  const head = raw.toString('utf8').split('\r\n\r\n', 1)[0] ?? '';
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
};

describe('what a server receives', () => {
  test('has its headers, both parts, and a signature that another library verifies', async () => {
    const player = await setup.player('anna@players.example');
    const { id, mail } = await sent(player);
    const headers = headersOf(mail.raw);
    const link = setup.links.link({ brand_id: brand.brand_id, player_id: player, channel: 'Email' });
    expect(headers).toMatchObject({
      from: 'Malta Casino <casino@malta.example>',
      to: 'anna@players.example',
      'reply-to': 'help@malta.example',
      subject: 'Ten spins',
      'message-id': `<${id}.${brand.code}@malta.example>`,
      'list-unsubscribe': `<${link}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'mime-version': '1.0',
      'content-type': expect.stringContaining('multipart/alternative'),
    });
    expect([mail.from, mail.to]).toEqual(['bounces@malta.example', ['anna@players.example']]);
    const text = mail.raw.toString('utf8');
    expect(text.match(/^Content-Type: text\/(plain|html); charset=utf-8/gim)).toHaveLength(2);
    expect(text).toContain('=C3=BCmlaut');
    expect(await setup.read(id)).toMatchObject({ state: 'sent', status: 250, attempts: 1, reason: null });

    const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
    const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
    const { results } = await dkimVerify(mail.raw, {
      resolver: async (name: string) => {
        if (name === 'crm._domainkey.malta.example') return [[record]];
        throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      },
    });
    expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
      ['pass', 'malta.example'],
    ]);
    expect(String(results[0]?.signingHeaders?.keys).toLowerCase()).toMatch(/list-unsubscribe: ?list-unsubscribe-post/);
  });

  test('one click on its link withdraws the consent, and the next e-mail is withheld', async () => {
    const player = await setup.player();
    const { mail } = await sent(player);
    const link = /^<https:\/\/crm\.example(.*)>$/.exec(headersOf(mail.raw)['list-unsubscribe'] ?? '')?.[1] ?? '';
    const app = await createHttpServer({ edge: () => false, log: testLog, pagePaths: hostedPaths });
    const receipts = new Receipts({ secrets: ['a secret for tests'] });
    const brands = { byId: () => brand };
    await app.register(
      hostedRoutes({ pool, clock: setup.clock.now, log: testLog, brands, links: setup.links, receipts }),
    );
    expect((await app.inject({ method: 'GET', url: link })).statusCode).toBe(200);
    const click = { 'content-type': 'application/x-www-form-urlencoded' };
    const pressed = await app.inject({
      method: 'POST',
      url: link,
      headers: click,
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(pressed.statusCode).toBe(200);
    await app.close();
    const next = await setup.email(player);
    expect(await setup.read(next)).toMatchObject({ state: 'withheld', reason: 'no_consent' });
  });

  test('a service e-mail has no unsubscribe link, and also goes to players without consent', async () => {
    const player = await setup.player();
    await pool.query('update player_consent set opted_in = false where player_id = $1', [player]);
    const { mail } = await sent(player, { purpose: 'service', html: '' });
    expect(headersOf(mail.raw)).not.toHaveProperty('list-unsubscribe');
    expect(headersOf(mail.raw)['content-type']).toContain('text/plain');
  });

  test('no content of an e-mail becomes a header, a command or another recipient', async () => {
    const player = await setup.player('x@y.example>\r\nRCPT TO:<z@y.example');
    const id = await setup.email(player);
    const [before, odd] = [server.mails.length, await setup.player('a@b.example, c@d.example')];
    const other = await setup.email(odd);
    await setup.run();
    expect(server.mails).toHaveLength(before);
    for (const one of [id, other])
      expect(await setup.read(one)).toMatchObject({ state: 'dropped', reason: 'bad_address' });
    await expect(setup.email(player, { subject: 'x\r\nBcc: z@y.example' })).rejects.toThrow(UnfitNotification);
  });
});

describe('at most once', () => {
  test.each([
    ['hangs', 'timeout'],
    ['cuts', 'cut'],
  ] as const)(
    'if the server %s after it received the e-mail, the outcome is unknown, and the e-mail is not sent again',
    async (does, reason) => {
      const quick = await setupEmail(pool, { email: { call_timeout_ms: 300 } });
      const player = await quick.player();
      quick.server.behave({ does });
      const id = await quick.email(player);
      await quick.run();
      expect(await quick.read(id)).toMatchObject({ state: 'unknown', reason, attempts: 1 });
      quick.server.behave({ does: 'takes' });
      await quick.run();
      expect(quick.server.mails).toHaveLength(1);
    },
  );

  test('if a worker dies during the call, the outcome is unknown; its late answer is still written', async () => {
    const player = await setup.player();
    const id = await setup.email(player);
    const dying = setup.another({
      mayContact: (tx, requests) => setup.gate.mayContact(tx, requests),
      // The call counts as lost before it starts, as in a process that was stopped after `begin`.
      async stillAllows() {
        await pool.query(
          `update email_message set due_at = now() - interval '1 second' where message_id = $1 and state = 'sending'`,
          [id],
        );
        await giveUpLost(pool, 10, setup.clock.now());
        return true;
      },
    });
    await setup.run(dying);
    expect(await setup.read(id)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(server.mails.filter(({ raw }) => raw.includes(`<${id}.`))).toHaveLength(1);
    const lost = await setup.email(player);
    await pool.query(
      `update email_message set state = 'sending', claim = 1, attempts = 1, due_at = now() - interval '1 second' where message_id = $1`,
      [lost],
    );
    expect(await giveUpLost(pool, 10, setup.clock.now())).toBe(1);
    expect(await setup.read(lost)).toMatchObject({ state: 'unknown', reason: 'lost' });
  });

  test('if the server has ended an idle session, the e-mail uses another one', async () => {
    const own = await setupEmail(pool);
    const first = await own.email(await own.player());
    await own.run();
    const connections = own.server.connections;
    own.server.endSessions();
    const second = await own.email(await own.player());
    await own.run();
    expect([(await own.read(first)).state, (await own.read(second)).state]).toEqual(['sent', 'sent']);
    expect([own.server.connections - connections, own.server.mails.length]).toEqual([1, 2]);
  });
});

describe('what a server refuses', () => {
  test('an address that does not exist gets no more e-mail, for any player, until staff remove it from the list', async () => {
    const address = 'Gone@Players.example';
    const player = await setup.player(address);
    server.behave({ does: 'refuses', at: 'recipient', code: 550, says: '5.1.1 gone@players.example: no such user' });
    const id = await setup.email(player);
    await setup.run();
    server.behave({ does: 'takes' });
    const row = await setup.read(id);
    expect(row).toMatchObject({ state: 'failed', reason: 'no_such_address', status: 550, attempts: 1 });
    expect(row.detail).toContain('(address)');
    expect(row.detail?.toLowerCase()).not.toContain('gone@');
    const again = await setup.email(await setup.player('gone@players.example '), { purpose: 'service' });
    await setup.run();
    expect(await setup.read(again)).toMatchObject({ state: 'dropped', reason: 'suppressed', attempts: 0 });
    const decided = await pool.query(
      `select outcome, reason from gate_decision where cause_kind = 'message' and cause_id = $1 order by decision_id desc limit 1`,
      [again],
    );
    expect(decided.rows).toEqual([{ outcome: 'withheld', reason: 'suppressed' }]);
    const unclear = await setup.player('gone@players.example');
    const named = await pool.query('select user_id from player where player_id = $1', [unclear]);
    await acknowledgeUpdate(pool, brand.brand_id, named.rows[0].user_id);
    const held = await setup.email(unclear, { purpose: 'service' });
    await setup.run();
    expect(await setup.read(held)).toMatchObject({ state: 'dropped', reason: 'suppressed', attempts: 0 });
    const last = await pool.query(
      `select outcome, reason from gate_decision where cause_kind = 'message' and cause_id = $1 order by decision_id desc limit 1`,
      [held],
    );
    expect(last.rows, 'a message that the gate would hold has its decision, too').toEqual(decided.rows);
    const { rows } = await pool.query('select reason, address_key from address_suppression where brand_id = $1', [
      brand.brand_id,
    ]);
    expect(rows.map(({ reason }) => reason)).toEqual(['bounced']);
    expect(JSON.stringify(rows)).not.toContain('players.example');
  });

  test('only consecutive replies of the same kind lengthen the wait', async () => {
    const id = await setup.email(await setup.player());
    await pool.query(`update email_message set attempts = 3, reason = 'unreachable' where message_id = $1`, [id]);
    server.behave({ does: 'refuses', at: 'recipient', code: 450, says: 'greylisted' });
    const waits: number[] = [];
    for (let n = 0; n < 2; n++) {
      await pool.query(`update email_message set due_at = now() where message_id = $1`, [id]);
      await setup.sender.runOnce();
      await setup.sender.idle();
      const { rows } = await pool.query<{ wait: number }>(
        'select extract(epoch from due_at - now())::float8 as wait from email_message where message_id = $1',
        [id],
      );
      waits.push(Math.ceil((rows[0]?.wait ?? Number.NaN) / 60));
    }
    server.behave({ does: 'takes' });
    expect(waits).toEqual([1, 5]);
    await setup.run();
    expect(await setup.read(id)).toMatchObject({ state: 'sent', attempts: 6 });
  });

  test.each([
    ['recipient', 450, 'waiting', 'deferred'],
    ['data', 451, 'waiting', 'deferred'],
    ['data', 554, 'failed', 'refused'],
    ['sender', 550, 'waiting', 'sender_refused'],
    ['sender', 530, 'waiting', 'auth_failed'],
  ] as const)('%s %i: %s, %s', async (at, code, state, reason) => {
    server.behave({ does: 'refuses', at, code, says: 'no' });
    const id = await setup.email(await setup.player());
    await setup.sender.runOnce();
    await setup.sender.idle();
    server.behave({ does: 'takes' });
    expect(await setup.read(id)).toMatchObject({ state, reason, status: code, attempts: 1 });
    await setup.run();
    if (state === 'waiting') expect(await setup.read(id)).toMatchObject({ state: 'sent', attempts: 2 });
  });
});

test('a server that refuses the sender loses no e-mail, and its circuit opens; all are sent once it accepts the sender', async () => {
  const own = await setupEmail(pool, { email: { per_second: 100 } });
  own.server.behave({ does: 'refuses', at: 'sender', code: 550, says: '5.4.5 Daily user sending limit exceeded' });
  const ids: number[] = [];
  for (let n = 0; n < 25; n++) ids.push(await own.email(await own.player()));
  const states = async () => {
    const { rows } = await pool.query(
      'select state, reason, count(*)::int from email_message where brand_id = $1 group by 1, 2 order by 3',
      [own.brand.brand_id],
    );
    return rows;
  };
  while ((await own.sender.runOnce()).claimed > 0) await own.sender.idle();
  // After 20 refusals the others are not tried.
  expect(await states()).toEqual([
    { state: 'waiting', reason: null, count: 5 },
    { state: 'waiting', reason: 'sender_refused', count: 20 },
  ]);
  own.server.behave({ does: 'takes' });
  await own.run(own.another());
  expect(await states()).toEqual([{ state: 'sent', reason: null, count: 25 }]);
});

describe('the gate', () => {
  test('decides right before the call: a consent that is withdrawn between begin and call stops it', async () => {
    const player = await setup.player();
    const id = await setup.email(player);
    let looks = 0;
    const late = setup.another({
      mayContact: (tx, requests) => setup.gate.mayContact(tx, requests),
      async stillAllows(db, request) {
        looks++;
        await pool.query('update player_consent set opted_in = false where player_id = $1', [player]);
        return setup.gate.stillAllows(db, request);
      },
    });
    const before = server.mails.length;
    await setup.run(late);
    expect(looks).toBe(1);
    expect(server.mails).toHaveLength(before);
    expect(await setup.read(id)).toMatchObject({ state: 'dropped', reason: 'no_consent' });
  });

  test('P15: decides again once the server has greeted, which may take long', async () => {
    let greeted = async () => {};
    const slow = await startSmtp({
      onConnect(_, callback) {
        void greeted().then(() => setTimeout(callback, 100));
      },
    });
    const waiting = await setupEmail(pool, { server: slow });
    const player = await waiting.player();
    const id = await waiting.email(player);
    greeted = async () => {
      const { rows } = await pool.query('select user_id from player where player_id = $1', [player]);
      await acknowledgeUpdate(pool, waiting.brand.brand_id, rows[0].user_id);
    };
    await waiting.run();
    expect(slow.mails).toEqual([]);
    expect(await waiting.read(id)).toMatchObject({ state: 'waiting', reason: 'update_pending' });
  });

  test('an exclusion makes waiting e-mails due immediately; an erasure ends them', async () => {
    const [excluded, erased] = [await setup.player(), await setup.player()];
    const ids = [await setup.email(excluded), await setup.email(erased)];
    await pool.query(`update email_message set due_at = now() + interval '1 hour' where state = 'waiting'`);
    await pool.query(`update player_profile set is_excluded = true where player_id = $1`, [excluded]);
    await transaction(pool, async (tx) => {
      const transition = {
        player_id: excluded,
        brand_id: brand.brand_id,
        kind: 'excluded',
        consent_type: null,
      } as never;
      await playerChannels.protect(tx, [transition], setup.clock.now());
      await playerChannels.forget(tx, [erased], setup.clock.now());
    });
    await setup.sender.runOnce();
    await setup.sender.idle();
    expect(await setup.read(ids[0] as number)).toMatchObject({ state: 'dropped', reason: 'excluded' });
    expect(await setup.read(ids[1] as number)).toMatchObject({ state: 'dropped', reason: 'erased' });
  });
});

test('nothing is sent without an address, after the expiry, or for a recalled campaign', async () => {
  const nobody = await setup.email(await setup.player(null));
  const late = await setup.email(await setup.player(), { expires_at: setup.clock.now() + 1_000_000 });
  const recalled = await setup.email(await setup.player(), { campaign_id: 'spring' });
  await pool.query(
    `insert into notification_recall (brand_id, campaign_id, up_to, phase, requested_at, requested_by) values ($1, 'spring', $2, 'done', now(), 'x')`,
    [brand.brand_id, recalled],
  );
  const later = await setup.email(await setup.player(), { campaign_id: 'spring' });
  setup.clock.advance(2_000_000);
  await setup.run();
  const reasons = await Promise.all([nobody, late, recalled, later].map(async (id) => (await setup.read(id)).reason));
  expect(reasons).toEqual(['no_address', 'expired', 'campaign_recalled', null]);
});

describe('an e-mail that expires while nothing claims it', () => {
  const fourDays = 4 * 24 * 3_600_000_000;

  test('is dropped, and its hold at the gate ends, also if the brand has no server any more', async () => {
    const own = await setupEmail(pool);
    const id = await own.email(await own.player());
    await pool.query(
      `insert into gate_hold (cause_kind, cause_id, player_id, channel, purpose, brand_id, decision_id, reason, held_since, last_asked_at)
       select 'message', message_id::text, player_id, 'email', purpose, brand_id, decision_id, 'unknown', created_at, created_at
         from email_message where message_id = $1`,
      [id],
    );
    await own.withoutServer().runOnce();
    expect(await own.read(id)).toMatchObject({ state: 'waiting' });
    own.clock.advance(fourDays);
    await own.withoutServer().runOnce();
    expect(await own.read(id)).toMatchObject({
      state: 'dropped',
      reason: 'expired',
      ended_at: own.clock.now(),
      due_at: null,
    });
    const { rowCount } = await pool.query('select from gate_hold where cause_id = $1', [String(id)]);
    expect(rowCount).toBe(0);
  });

  test('names the rate as the reason if it waited for the rate of its server', async () => {
    const own = await setupEmail(pool);
    const id = await own.email(await own.player());
    const shortage = { brand_id: own.brand.brand_id, since: own.clock.now() };
    await expireWaitingEmails(pool, 100, [shortage], own.clock.now() + fourDays);
    expect(await own.read(id)).toMatchObject({ state: 'dropped', reason: 'provider_rate' });
  });
});

test('a repeated request creates no second e-mail, and one that differs is refused', async () => {
  const player = await setup.player();
  const id = await setup.email(player, { request_key: 'once' });
  expect(await setup.email(player, { request_key: 'once', created_by: 'somebody else' })).toBe(id);
  await expect(setup.email(player, { request_key: 'once', subject: 'Other' })).rejects.toThrow(
    'which has a different body',
  );
});

describe('the server', () => {
  test.each(['starttls', 'tls'] as const)(
    'is reached by %s, with sign-in, and only if its certificate is trusted',
    async (security) => {
      const own = await startSmtp({ secure: security === 'tls' }, { crm: 'right' });
      afterAll(() => own.stop());
      const email = { ...emailSettings(own), host: 'localhost', security, username: 'crm' };
      const mail = (changes: object) =>
        setupEmail(pool, { email: { ...email, ...changes }, server: { ...own, stop: async () => {} } });
      const good = await mail({ password: 'right', ca: own.certificate });
      const id = await good.email(await good.player());
      await good.run();
      expect(await good.read(id)).toMatchObject({ state: 'sent' });
      expect(own.mails.at(-1)).toMatchObject({ secure: true, user: 'crm' });
      const once = async (changes: object) => {
        const other = await mail(changes);
        const message = await other.email(await other.player());
        await other.sender.runOnce();
        await other.sender.idle();
        const { state, reason } = await other.read(message);
        return [state, reason];
      };
      expect(await once({ password: 'wrong', ca: own.certificate })).toEqual(['waiting', 'auth_failed']);
      expect(await once({ password: 'right' })).toEqual(['waiting', 'tls_failed']);
      expect(own.mails).toHaveLength(1);
    },
  );

  test('that offers no TLS gets no e-mail if TLS is required', async () => {
    const own = await setupEmail(pool, {
      server: await startSmtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }),
      email: { security: 'starttls' },
    });
    const id = await own.email(await own.player());
    await own.sender.runOnce();
    await own.sender.idle();
    expect((await own.read(id)).state).toBe('waiting');
    expect(own.server.mails).toEqual([]);
  });

  test("is never a cloud's metadata address", async () => {
    const transport = new EmailTransport();
    const email = { ...brand.email, host: '169.254.169.254' } as NonNullable<typeof brand.email>;
    const result = await transport.send(1, email, { from: 'a@b.example', to: 'c@d.example' }, Buffer.from('x'));
    expect(result).toMatchObject({ answered: false, failure: 'metadata_address', partlySent: false });
  });

  test('waits for a person if the DKIM key is invalid', async () => {
    const own = await setupEmail(pool, { email: { dkim: { ...dkim, private_key: 'no key' } } });
    const id = await own.email(await own.player());
    await own.sender.runOnce();
    await own.sender.idle();
    expect(await own.read(id)).toMatchObject({ state: 'waiting', reason: 'not_built', status: null });
    expect(own.server.mails).toEqual([]);
  });

  test('keeps its secrets: the settings of the brand contain neither password nor key', async () => {
    const { rows } = await pool.query('select settings::text as text from brand where brand_id = $1', [brand.brand_id]);
    expect(rows[0].text).toContain('malta.example');
    expect(rows[0].text).not.toContain('PRIVATE KEY');
  });
});
