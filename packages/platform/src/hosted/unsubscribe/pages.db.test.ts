import { consentTypes } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { type HostedSetup, setupHosted } from '../../../testing/hosted/setup-hosted.ts';
import { openPool, transaction } from '../../database/index.ts';
import { changeConsents } from '../../operator/writeback/index.ts';
import { receiptMicros } from '../links/receipts.ts';
import { de } from '../texts/de.ts';
import { en } from '../texts/en.ts';
import { withBrand } from '../texts/texts.ts';

const { pool } = await setupDatabase();

const textOf = (text: string) => withBrand(text, 'Demo Casino').replaceAll("'", '&#39;');
/** The address to which a press redirects: the path of the link with the parameters in the `location` of the answer. */
const after = (path: string, answer: { headers: { location?: string | string[] | undefined } }) =>
  `${path}${String(answer.headers.location)}`;
const receiptIn = (answer: { body: string }) => /name="undo" value="([^"]+)"/.exec(answer.body)?.[1];

/** Waits until the operator has stored the expected consents. Only the test's timeout limits the wait. */
async function untilBooked(hosted: HostedSetup, expected: Record<string, boolean>): Promise<void> {
  hosted.sync.worker.writer.wake();
  while (!Object.entries(expected).every(([type, value]) => hosted.booked()[type] === value)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function changesOf({ playerId }: HostedSetup): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(distinct change_id)::int as count from write_back_item where player_id = $1',
    [playerId],
  );
  return rows[0]?.count ?? -1;
}

describe('the page of a link', () => {
  test('shows every channel with its state, and changes nothing however often it is requested', async () => {
    const hosted = await setupHosted(pool);
    const before = await hosted.held();
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS'] as const) {
      const answer = await hosted.app.inject({ method, url: hosted.path() });
      expect(answer.statusCode).toBe(method === 'OPTIONS' ? 204 : 200);
      if (method !== 'GET') expect(answer.body).toBe('');
    }
    const { body } = await hosted.get(hosted.path());
    const states = [...body.matchAll(/class="name"[^>]*>([^<]+)<\/\w+><span class="state (\w+)"/g)];
    expect(states.map(([, name, state]) => [name, state])).toEqual([
      ['E-mail', 'on'],
      ['SMS', 'on'],
      ['Phone calls', 'off'],
      ['Letters', 'unknown'],
      ['Messages on the site', 'on'],
      ['Push notifications', 'off'],
    ]);
    expect(await hosted.held()).toEqual(before);
    expect(await changesOf(hosted)).toBe(0);
  });

  test('must not be cached or framed, and runs no script', async () => {
    const hosted = await setupHosted(pool, { settings: { logo_url: 'https://cdn.example/logo.svg' } });
    const { headers, body } = await hosted.get(hosted.path());
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data: https:\/\/cdn\.example; /);
    expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-language': 'en',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).not.toMatch(/<script|\son\w+=|\sstyle=|javascript:/i);
    // Other answers of the server keep the server's policy.
    const other = await hosted.get('/nothing-here');
    expect(other.headers['content-security-policy']).toContain("default-src 'self'");
    expect(other.headers['content-type']).toContain('application/problem+json');
  });

  test('contains no personal data, and neither does its path', async () => {
    const hosted = await setupHosted(pool);
    expect(hosted.path()).not.toContain(hosted.userId);
    expect((await hosted.get(hosted.path())).body).not.toContain(hosted.userId);
  });
});

describe('pressing the button', () => {
  test('stops the channel immediately, the operator stores it, and the confirmation can be reloaded', async () => {
    const hosted = await setupHosted(pool);
    const path = hosted.path('SMS');
    expect(path).toMatch(/^\/u\/[0-9A-Za-z]{1,20}$/);
    const pressed = await hosted.post(path, { stop: 'SMS', lang: 'en' });
    expect(pressed.statusCode).toBe(303);
    expect(await hosted.held()).toMatchObject({ SMS: false, Email: true });
    for (let load = 0; load < 2; load++) {
      const confirmation = await hosted.get(after(path, pressed));
      expect(confirmation.body).toContain(en.done_title);
      expect(receiptIn(confirmation)).toBeDefined();
    }
    await untilBooked(hosted, { SMS: false, Email: true });
    // One type changed, so one is sent (docs/reference/decisions.md 4).
    expect(hosted.sync.operator.books.writeBacks.map(({ body }) => body)).toEqual([
      { consents: [{ type: 'SMS', opted_in: false }] },
    ]);
  });

  test('creates one event in the ledger for each channel that stops', async () => {
    const hosted = await setupHosted(pool);
    for (let time = 0; time < 2; time++) await hosted.post(hosted.path(), { stop: 'SMS' });
    const { rows } = await pool.query(
      `select body ->> 'what' as what, body ->> 'channel' as channel, body ->> 'reason' as reason, body ->> 'message_id' as message_id, waits
         from message_report where player_id = $1`,
      [hosted.playerId],
    );
    expect(rows).toEqual([{ what: 'unsubscribed', channel: 'sms', reason: 'page', message_id: null, waits: true }]);
  });

  test('twice is the same as once: the same confirmation with its undo, and nothing more is written', async () => {
    const hosted = await setupHosted(pool);
    const [first, second] = await Promise.all([1, 2].map(() => hosted.post(hosted.path(), { stop: 'Email' })));
    expect(second?.headers.location).toBe(first?.headers.location);
    expect(await changesOf(hosted)).toBe(1);
  });

  test('for "everything" stops what is on or unknown; its undo restores what was on', async () => {
    const hosted = await setupHosted(pool);
    const pressed = await hosted.post(hosted.path(), { stop: 'all' });
    const held = await hosted.held();
    expect(consentTypes.map((type) => held[type])).toEqual(consentTypes.map(() => false));
    const confirmation = await hosted.get(after(hosted.path(), pressed));
    const undone = await hosted.post(hosted.path(), { undo: receiptIn(confirmation) ?? '' });
    expect(undone.statusCode).toBe(303);
    const on = Object.entries(await hosted.held()).filter(([, opted_in]) => opted_in);
    expect(on.map(([type]) => type)).toEqual(['Email', 'SMS', 'SiteNotification']);
    const page = await hosted.get(after(hosted.path(), undone));
    expect(page.body).toContain(`${en.undone} E-mail, SMS, Messages on the site`);
    await untilBooked(hosted, { Email: true, SMS: true, PostMail: false });
  });

  test('overrides a later opt-in at the operator, even if the page shows "off"; the undo of the first press stays valid', async () => {
    const hosted = await setupHosted(pool);
    await hosted.post(hosted.path(), { stop: 'Email' });
    const isConfirmed = async () => {
      const { rows } = await pool.query<{ unconfirmed: boolean }>(
        "select unconfirmed from player_consent where player_id = $1 and type = 'Email'",
        [hosted.playerId],
      );
      return rows[0]?.unconfirmed === false;
    };
    await expect.poll(isConfirmed, { interval: 5 }).toBe(true);
    hosted.sync.operator.books.change(hosted.userId, { consents: [{ type: 'Email', opted_in: true }] });
    const again = await hosted.post(hosted.path(), { stop: 'Email' });
    await untilBooked(hosted, { Email: false });
    const undo = receiptIn(await hosted.get(after(hosted.path(), again))) ?? '';
    await hosted.post(hosted.path(), { undo });
    expect((await hosted.held()).Email).toBe(true);
  });

  test('works for a player who is excluded', async () => {
    const hosted = await setupHosted(pool);
    hosted.sync.operator.books.change(hosted.userId, { details: { is_excluded: true } });
    await hosted.sync.refresh(hosted.playerId);
    await hosted.sync.until(hosted.playerId, (player) => player.profile?.is_excluded === true);
    expect((await hosted.post(hosted.path(), { stop: 'Email' })).statusCode).toBe(303);
    expect((await hosted.held()).Email).toBe(false);
  });

  test('with unknown fields changes nothing, and the page says so', async () => {
    const hosted = await setupHosted(pool);
    for (const fields of [{}, { stop: 'Fax' }, { hello: 'there' }]) {
      const answer = await hosted.post(hosted.path(), fields as Record<string, string>);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(textOf(en.not_understood));
    }
    expect(await changesOf(hosted)).toBe(0);
  });
});

describe('an undo', () => {
  async function stopped() {
    const hosted = await setupHosted(pool);
    const pressed = await hosted.post(hosted.path(), { stop: 'Email' });
    const undo = receiptIn(await hosted.get(after(hosted.path(), pressed))) ?? '';
    return { hosted, pressed, undo };
  }

  async function confirmed({ playerId }: HostedSetup): Promise<void> {
    const open = async () =>
      (await pool.query('select from player_consent where player_id = $1 and unconfirmed', [playerId])).rowCount;
    await expect.poll(open, { interval: 5 }).toBe(0);
  }

  test('is too late after an hour, and the confirmation becomes the page again', async () => {
    const { hosted, pressed, undo } = await stopped();
    hosted.clock.advance(receiptMicros + 1);
    expect((await hosted.get(after(hosted.path(), pressed))).body).toContain(textOf(en.title));
    const late = await hosted.post(hosted.path(), { undo });
    expect((await hosted.get(after(hosted.path(), late))).body).toContain(en.undo_too_late);
    expect((await hosted.held()).Email).toBe(false);
  });

  test('never reverts what was decided after the press', async () => {
    const { hosted, undo } = await stopped();
    const change = {
      brand_id: hosted.brand.brand_id,
      player_id: hosted.playerId,
      source: 'staff',
      at: hosted.clock.now(),
    };
    await transaction(pool, (tx) =>
      changeConsents(tx, { ...change, source: 'staff', changes: [{ type: 'Email', opted_in: false }] }),
    );
    await hosted.post(hosted.path(), { undo });
    expect((await hosted.held()).Email).toBe(false);
  });

  test('never reverts what the player withdrew at the operator after the press', async () => {
    const { hosted, undo } = await stopped();
    const { sync, playerId } = hosted;
    await confirmed(hosted);
    for (const opted_in of [true, false]) {
      sync.operator.books.change(hosted.userId, { consents: [{ type: 'Email', opted_in }] });
      await sync.refresh(playerId, ['consents']);
      await expect.poll(async () => (await hosted.held()).Email, { interval: 5 }).toBe(opted_in);
    }
    const late = await hosted.post(hosted.path(), { undo });
    expect(String(late.headers.location)).toContain('late=1');
    expect((await hosted.held()).Email).toBe(false);
  });

  test('works after the operator has confirmed the press', async () => {
    const { hosted, undo } = await stopped();
    await confirmed(hosted);
    await hosted.post(hosted.path(), { undo });
    expect((await hosted.held()).Email).toBe(true);
  });

  test('works only once', async () => {
    const { hosted, undo } = await stopped();
    await hosted.post(hosted.path(), { undo });
    await hosted.post(hosted.path(), { stop: 'Email' });
    const again = await hosted.post(hosted.path(), { undo });
    expect(String(again.headers.location)).toContain('late=1');
    expect((await hosted.held()).Email).toBe(false);
  });

  test("is invalid with another player's link", async () => {
    const { hosted, undo } = await stopped();
    const other = await setupHosted(pool);
    await other.post(other.path(), { undo });
    expect((await hosted.held()).Email).toBe(false);
  });
});

describe('one click (RFC 8058)', () => {
  const boundary = 'x-boundary';
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;

  const forms: [what: string, type: string | undefined, payload: string][] = [
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['a multipart form', `multipart/form-data; boundary=${boundary}`, multipart],
    ['a form in another letter case', 'application/x-www-form-urlencoded; charset=UTF-8', 'list-unsubscribe=one-click'],
    ['a body without a type', undefined, 'List-Unsubscribe=One-Click'],
  ];
  test('in every form withdraws the channel of the link with a plain 200, however often it is repeated', async () => {
    for (const [what, type, payload] of forms) {
      const hosted = await setupHosted(pool);
      for (let call = 0; call < 2; call++) {
        const headers = type === undefined ? {} : { 'content-type': type };
        const answer = await hosted.app.inject({ method: 'POST', url: hosted.path(), headers, payload });
        expect([answer.statusCode, answer.headers.location], what).toEqual([200, undefined]);
      }
      expect(await hosted.held(), what).toMatchObject({ Email: false, SMS: true });
      expect(await changesOf(hosted), what).toBe(1);
      await untilBooked(hosted, { Email: false, SMS: true });
    }
  });

  test('counts even if the operator says that the channel is off', async () => {
    const hosted = await setupHosted(pool, { consents: { Email: false } });
    await hosted.post(hosted.path(), { 'List-Unsubscribe': 'One-Click' });
    expect(await changesOf(hosted)).toBe(1);
  });
});

describe('without a player', () => {
  test('every address below /unsubscribe and /u without a valid token is answered with a friendly page', async () => {
    const hosted = await setupHosted(pool);
    const broken = ['/unsubscribe/%zz', '/u/%E0%A4?lang=en', `/unsubscribe/${'x'.repeat(600)}`];
    for (const path of [
      '/unsubscribe/x',
      '/unsubscribe',
      '/unsubscribe/',
      '/u/',
      '/u/x/y',
      '/unsubscribe/%00',
      ...broken,
    ]) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const answer = await hosted.app.inject({ method, url: path });
        const isWrongMethod = method === 'DELETE' && ['/unsubscribe/x', '/unsubscribe/%00'].includes(path);
        expect(answer.statusCode, `${method} ${path}`).toBe(isWrongMethod ? 405 : 404);
        expect(answer.headers.allow).toBe(isWrongMethod ? 'GET, HEAD, POST' : undefined);
        expect(answer.headers['content-type']).toContain('text/html');
        expect(answer.body).toContain(en.invalid_title);
      }
    }
  });

  test('forged, cut-off and wrong-form tokens get the same page, so that they do not reveal which players exist', async () => {
    const hosted = await setupHosted(pool);
    const path = hosted.path();
    const forged = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
    const tries = [forged, path.slice(0, -1), hosted.path('SMS', 'short').replace('/u/', '/unsubscribe/')];
    const answers = await Promise.all(tries.map((one) => hosted.get(one)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  });

  test('an erased player gets a neutral page, and a mail program a 200', async () => {
    const hosted = await setupHosted(pool);
    await pool.query('update player set erased_at = now() where player_id = $1', [hosted.playerId]);
    const page = await hosted.get(hosted.path());
    expect([page.statusCode, page.body.includes(en.gone_title)]).toEqual([410, true]);
    expect((await hosted.post(hosted.path(), { stop: 'Email' })).statusCode).toBe(410);
    expect((await hosted.post(hosted.path(), { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(200);
    expect(await changesOf(hosted)).toBe(0);
  });
});

describe('the language', () => {
  const german = textOf(de.title);
  const cases: [what: string, language: string, header: string, query: string, expected: string][] = [
    ['is the one chosen on the page', 'fi', 'sv', '?lang=de', german],
    ["is otherwise the player's", 'de-AT', 'sv', '', german],
    ["is otherwise the browser's", 'ja', 'ja, de;q=0.5', '', german],
    ["is otherwise the brand's", '', 'ja', '', german],
  ];
  test.each(cases)('%s', async (_what, language, header, query, expected) => {
    const hosted = await setupHosted(pool, { language, settings: { default_language: 'de' } });
    const answer = await hosted.get(`${hosted.path()}${query}`, { 'accept-language': header });
    expect(answer.body).toContain(`<h1>${expected}</h1>`);
    expect(answer.body).toContain('<html lang="de" dir="ltr">');
  });

  test('is kept after a press, and the language switch keeps the content of the page', async () => {
    const hosted = await setupHosted(pool, { language: 'fi' });
    const pressed = await hosted.post(hosted.path(), { stop: 'Email', lang: 'de' });
    const confirmation = await hosted.get(after(hosted.path(), pressed));
    expect(confirmation.body).toContain(de.done_title);
    const toFinnish = /href="(\?[^"]*lang=fi)"/.exec(confirmation.body)?.[1]?.replaceAll('&amp;', '&');
    expect((await hosted.get(`${hosted.path()}${toFinnish}`)).body).toContain('Tilaus on peruttu');
  });
});

describe('while the database is unavailable', () => {
  const away = openPool('postgres://nobody@127.0.0.1:1/none', { name: 'away', connectTimeoutMs: 500 });

  test('a press is answered 503 in its language, with a button that repeats it', async () => {
    const hosted = await setupHosted(pool, { pages: away });
    const answer = await hosted.post(hosted.path(), { stop: 'all', lang: 'de' });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
    expect(answer.body).toContain(de.away_kept);
    expect(answer.body).toContain('<input type="hidden" name="stop" value="all">');
    expect(answer.body).toContain('<input type="hidden" name="lang" value="de">');
    expect((await hosted.post(hosted.path(), { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(503);
  });

  test('the page asks the player to return later, and a confirmation is still shown', async () => {
    const hosted = await setupHosted(pool, { pages: away });
    const page = await hosted.get(hosted.path(), { 'accept-language': 'de' });
    expect([page.statusCode, page.body.includes(de.away_text)]).toEqual([503, true]);
    const { brand_id } = hosted.brand;
    const receipt = { brand_id, player_id: hosted.playerId, change_id: 1, at: hosted.clock.now() };
    const done = hosted.receipts.write({ ...receipt, stopped: ['Email'], restorable: ['Email'] });
    const confirmation = await hosted.get(`${hosted.path()}?done=${done}`);
    expect([confirmation.statusCode, confirmation.body.includes(en.done_title)]).toEqual([200, true]);
  });
});

describe('limits', () => {
  test('one link is shown 30 times a minute, then the page asks the player to wait', async () => {
    const hosted = await setupHosted(pool);
    const statuses = [];
    for (let call = 0; call < 31; call++) statuses.push((await hosted.get(hosted.path())).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    const answer = await hosted.get(hosted.path());
    expect([answer.statusCode, answer.body.includes(en.busy_title)]).toEqual([429, true]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('an address that guesses tokens is blocked, while a valid link can still be pressed from it', async () => {
    const hosted = await setupHosted(pool);
    const statuses = new Set<number>();
    for (let call = 0; call < 301; call++) statuses.add((await hosted.get(`/unsubscribe/A${call}`)).statusCode);
    expect([...statuses]).toEqual([404, 429]);
    expect((await hosted.get(hosted.path())).statusCode).toBe(429);
    expect((await hosted.post(hosted.path(), { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(200);
  });
});

test('markup in a name is shown as text', async () => {
  const hosted = await setupHosted(pool, { settings: { display_name: '<b>"Lucky" & \'Co\'</b>' } });
  const { body } = await hosted.get(hosted.path());
  expect(body).not.toContain('<b>');
  expect(body).toContain('&lt;b&gt;&quot;Lucky&quot; &amp; &#39;Co&#39;&lt;/b&gt;');
});
