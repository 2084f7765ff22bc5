import { describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

const setup = await setupConsole({
  responsible_gambling: [{ market: '*', language: 'en', text: 'Play responsibly' }],
});
const { pool, brand, call, get } = setup;
const path = '/brands/malta/templates';
const welcome = {
  code: 'welcome',
  name: 'Welcome',
  channel: 'site',
  purpose: 'marketing',
  content: {
    en: { title: 'Hello {{ player.first_name }}', message: '<p>{{ event.amount }}</p>', data: { n: 1 } },
    de: { title: 'Hallo {{ player.first_name | default: "Gast" }}' },
  },
};

const anna = await insertPlayer(pool, brand.brand_id, 'anna');
await makeKnown(pool, brand.brand_id, [anna], timestamptzText(setup.clock.now()));
await pool.query(
  `insert into player_profile (player_id, first_name, last_name, language, country, changed_at) values ($1, 'Anna', 'Berg', 'de-AT', 'AT', now())
   on conflict (player_id) do update set first_name = 'Anna', last_name = 'Berg', language = 'de-AT', country = 'AT'`,
  [anna],
);

describe('a template', () => {
  test('is created, read, changed, compared with its earlier version, and deleted', async () => {
    const made = await call('POST', path, { body: welcome });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        ...welcome,
        version: 1,
        languages: ['en', 'de'],
        variables: ['player.first_name', 'event.amount'],
        needed: ['player.first_name', 'event.amount'],
        used_by: [],
      }),
    ]);
    expect((await get(`${path}/welcome`)).body).toEqual(made.body);
    expect((await get(`${path}?channel=site`)).body.items.map(({ code }: { code: string }) => code)).toEqual([
      'welcome',
    ]);
    expect((await get(`${path}?channel=email`)).body.items).toEqual([]);
    // Push messages also use templates of site.
    expect((await get(`${path}?sent_on=push`)).body.items).toHaveLength(1);
    expect((await get(`${path}?sent_on=email`)).body.items).toEqual([]);

    const next = { ...welcome, content: { en: { title: 'Hi' } } };
    const changed = await call('PUT', `${path}/welcome`, { body: { ...next, version: 1 } });
    expect([changed.status, changed.body.version, changed.body.content]).toEqual([200, 2, next.content]);
    // Unchanged content creates no version.
    expect((await call('PUT', `${path}/welcome`, { body: next })).body.version).toBe(2);
    const versions = (await get(`${path}/welcome/versions?limit=1`)).body;
    expect(versions.items.map(({ version }: { version: number }) => version)).toEqual([2]);
    const older = (await get(`${path}/welcome/versions?limit=1&cursor=${versions.next}`)).body;
    expect([older.items[0].version, older.items[0].content, older.next]).toEqual([1, welcome.content, null]);
    const { body } = await get(`${path}/welcome/difference?from=1`);
    expect(body).toMatchObject({ from: 1, to: 2 });
    expect(body.differences).toContainEqual({
      language: 'en',
      field: 'title',
      before: 'Hello {{ player.first_name }}',
      after: 'Hi',
    });
    expect((await get(`${path}/welcome/difference?from=7`)).status).toBe(404);

    expect((await call('DELETE', `${path}/welcome`)).status).toBe(204);
    expect((await get(`${path}/welcome`)).status).toBe(404);
    expect((await call('DELETE', `${path}/welcome`)).status).toBe(404);
    const { rows } = await pool.query(
      `select action from console_audit where subject = 'template welcome' order by action`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['template.changed', 'template.created', 'template.deleted']);
    // Its code is free again, and starts with version 1.
    expect((await call('POST', path, { body: welcome })).body.version).toBe(1);
  });

  test('is not overwritten by an author who read an older version, nor created twice, nor moved to another channel', async () => {
    await call('PUT', `${path}/contested`, { body: { ...welcome, code: 'contested' } });
    const stale = { ...welcome, code: 'contested', name: 'Other', version: 0 };
    expect((await call('PUT', `${path}/contested`, { body: stale })).status).toBe(409);
    expect((await call('POST', path, { body: { ...welcome, code: 'contested' } })).status).toBe(409);
    const moved = { ...welcome, code: 'contested', channel: 'email', content: { en: { subject: 'x', html: 'y' } } };
    expect((await call('PUT', `${path}/contested`, { body: moved })).status).toBe(409);
    expect((await call('PUT', `${path}/contested`, { body: { ...welcome, code: 'other' } })).status).toBe(400);
  });

  test('with errors is refused, each with language, field and line; nothing is stored', async () => {
    const content = { en: { title: '{{ player.frist_name }}', body: 'x' }, de: { title: '{% if %}' } };
    const refused = await call('POST', path, { body: { ...welcome, code: 'wrong', content } });
    expect([refused.status, refused.body.errors.map(({ path: field }: { path: string }) => field)]).toEqual([
      400,
      ['content.en.body'],
    ]);
    const { en } = welcome.content;
    const liquid = await call('POST', path, {
      body: {
        ...welcome,
        code: 'wrong',
        content: { en: { ...en, title: '{{ player.frist_name }}' }, de: { title: '{% if %}' } },
      },
    });
    expect(liquid.body.errors.map((error: { path: string; rule: string }) => [error.path, error.rule])).toEqual([
      ['content.de.title', 'liquid'],
      ['content', 'variable'],
    ]);
    // A button without a link would be refused when it is sent. A language without a link uses that of the fallback language.
    const button = { ...en, cta_button_text: 'Go' };
    const without = await call('POST', path, { body: { ...welcome, code: 'wrong', content: { en: button } } });
    expect(without.body.errors).toMatchObject([{ path: 'content.en.cta_button_link', rule: 'required' }]);
    expect((await get(`${path}/wrong`)).status).toBe(404);
    const linked = { en: { ...en, cta_button_link: '/bonuses' }, de: { cta_button_text: 'Los' } };
    expect((await call('POST', path, { body: { ...welcome, code: 'linked', content: linked } })).status).toBe(201);
  });

  test('belongs to its brand, and only allowed roles change it', async () => {
    const crm = await setup.as('crm');
    const viewer = await setup.as('viewer');
    expect((await call('PUT', `${path}/roles`, { body: { ...welcome, code: 'roles' }, token: viewer })).status).toBe(
      403,
    );
    expect((await call('PUT', `${path}/roles`, { body: { ...welcome, code: 'roles' }, token: crm })).status).toBe(200);
    expect((await get(`${path}/roles`, viewer)).status).toBe(200);
  });
});

test('a block that templates include cannot be deleted', async () => {
  const block = { code: 'sign', name: 'Signature', channel: 'block', purpose: 'marketing' };
  const content = {
    en: { body: '<p>Yours, {{ brand.name }}</p>' },
    de: { body: '<p>Ihr {{ brand.name }}</p>' },
    pt: { body: '<p>Seu {{ brand.name }}</p>' },
  };
  expect((await call('POST', path, { body: { ...block, content } })).status).toBe(201);
  const html = "<p>Hello</p>{% render 'sign' %}";
  const mail = { code: 'mail', name: 'Mail', channel: 'email', purpose: 'service' };
  // A block is chosen by the language of the template, or its parents.
  const languages = {
    en: { subject: 'Hello', html },
    de: { subject: 'Hallo', html },
    'pt-BR': { subject: 'Oi', html },
    fi: { subject: 'Hei', html },
  };
  const made = await call('POST', path, { body: { ...mail, content: languages } });
  expect([made.status, made.body.variables]).toEqual([201, ['language', 'brand.name']]);
  expect((await get(`${path}/sign`)).body.used_by).toEqual(['mail']);
  expect((await call('DELETE', `${path}/sign`)).status).toBe(409);
  const { previews } = (await call('POST', `${path}/mail/preview`, { body: {} })).body;
  expect(previews.map(({ content: { text } }: { content: { text: string } }) => text)).toEqual([
    `Hello\nYours, ${brand.name}`,
    `Hello\nIhr ${brand.name}`,
    `Hello\nSeu ${brand.name}`,
    `Hello\nYours, ${brand.name}`,
  ]);
  await call('DELETE', `${path}/mail`);
  expect((await call('DELETE', `${path}/sign`)).status).toBe(204);
});

describe('a preview', () => {
  test('of unsaved texts requires the permission to write templates', async () => {
    const content = { en: { text: 'Ten spins' } };
    const sms = { name: 'Saved', channel: 'sms', purpose: 'service', content };
    await call('PUT', `${path}/saved`, { body: sms });
    const token = await setup.as('viewer');
    expect((await call('POST', `${path}/saved/preview`, { body: {}, token })).status).toBe(200);
    expect((await call('POST', `${path}/saved/preview`, { body: { content }, token })).status).toBe(200);
    const other = { en: { text: 'Eleven spins' } };
    expect((await call('POST', `${path}/saved/preview`, { body: { content: other }, token })).status).toBe(403);
  });

  test('of an SMS names the characters that make it longer', async () => {
    const content = { en: { text: 'Ten spins – “today”' }, de: { text: 'Zehn Freispiele' } };
    await call('PUT', `${path}/short`, {
      body: { name: 'Short', channel: 'sms', purpose: 'service', content },
    });
    const { previews } = (await call('POST', `${path}/short/preview`, { body: {} })).body;
    expect(previews).toMatchObject([
      { encoding: 'ucs2', beyond_gsm: ['–', '“', '”'] },
      { encoding: 'gsm7', beyond_gsm: [] },
    ]);
  });

  test('of an MJML block is the page of an e-mail with only this block', async () => {
    const bodyOf = async (body: string) => {
      const block = { name: 'Block', channel: 'block', content: { en: { body } } };
      expect((await call('PUT', `${path}/part`, { body: block })).status).toBe(200);
      return (await call('POST', `${path}/part/preview`, { body: {} })).body.previews[0].content.body;
    };
    for (const body of [
      '<mj-text>Yours, {{ brand.name }}</mj-text>',
      '<mj-column><mj-text>Yours, {{ brand.name }}</mj-text></mj-column>',
      '<mj-section><mj-column><mj-text>Yours, {{ brand.name }}</mj-text></mj-column></mj-section>',
    ]) {
      const page = await bodyOf(body);
      expect(page).toContain(`Yours, ${brand.name}`);
      expect(page).toContain('<html');
      expect(page).not.toContain('<mj-');
    }
    // HTML, and elements that belong in the head of an e-mail, stay unchanged.
    expect(await bodyOf('<p>Yours</p>')).toBe('<p>Yours</p>');
  });

  test('shows what a player would read, in each language, and lists missing variables', async () => {
    await call('PUT', `${path}/shown`, { body: { ...welcome, code: 'shown' } });
    const { status, body } = await call('POST', `${path}/shown/preview`, { body: { user_id: 'anna' } });
    expect([status, body.language, body.version]).toEqual([200, 'de', 1]);
    expect(body.variables).toEqual(['player.first_name', 'event.amount']);
    expect(body.previews).toEqual([
      {
        language: 'en',
        content: expect.objectContaining({
          title: 'Hello Anna',
          message: '<p>50.25</p>',
          footer_text: 'Play responsibly',
          data: '{"n":1}',
        }),
        missing: [],
        errors: [],
      },
      { language: 'de', content: expect.objectContaining({ title: 'Hallo Anna' }), missing: [], errors: [] },
    ]);
    const nobody = await call('POST', `${path}/shown/preview`, { body: { languages: ['de'], event: { amount: '5' } } });
    expect(nobody.body.previews.map(({ content }: { content: { title: string } }) => content.title)).toEqual([
      'Hallo Gast',
    ]);
    expect(body.samples).toEqual({ event: { amount: expect.anything() }, offer: {} });
    expect(
      (await call('POST', `${path}/shown/preview`, { body: { languages: ['en'], event: {} } })).body.previews,
    ).toMatchObject([{ missing: ['player.first_name', 'event.amount'] }]);
    expect((await call('POST', `${path}/shown/preview`, { body: { languages: ['fr'] } })).status).toBe(400);
    expect((await call('POST', `${path}/shown/preview`, { body: { user_id: 'nobody' } })).status).toBe(404);
  });

  test('uses samples for fields of the event and the offer that the call does not contain', async () => {
    const title =
      '{{ event.payment_id }} {{ event.base_amount }} {{ event.nothing }} {{ offer.bonus_code }} {{ offer.wagering }}';
    await call('PUT', `${path}/gift`, { body: { ...welcome, code: 'gift', content: { en: { title } } } });
    const titled = async (body: object) => (await call('POST', `${path}/gift/preview`, { body })).body;
    const { samples, previews } = await titled({});
    expect(samples).toEqual({
      event: { payment_id: expect.anything(), base_amount: expect.anything() },
      offer: { bonus_code: 'WELCOME10', wagering: 10 },
    });
    expect(previews[0].content.title).toContain('WELCOME10 10');
    expect(previews[0].missing).toEqual(['event.nothing']);
    const own = await titled({ event: { payment_id: 'p1' }, offer: { bonus_code: 'MINE' } });
    expect(own.previews[0].content.title.replace(/\s+/g, ' ').trim()).toBe('p1 MINE');
  });

  test('masks personal data from roles that may not see it, and accepts content that is not stored yet', async () => {
    const content = { en: { title: '{{ player.last_name }} {{ player.country }} {{ trait.deposit_count_7d }}' } };
    await call('PUT', `${path}/masked`, { body: { ...welcome, code: 'masked', content } });
    const body = { user_id: 'anna' };
    const title = async (token?: string) =>
      (await call('POST', `${path}/masked/preview`, token === undefined ? { body } : { body, token })).body.previews[0]
        .content.title;
    expect(await title()).toBe('Berg AT 0');
    expect(await title(await setup.as('viewer'))).toBe('*** AT 0');
    const before = { en: { title: '{{ trait.deposit_count_prev_7d }}' } };
    const { previews } = (await call('POST', `${path}/masked/preview`, { body: { user_id: 'anna', content: before } }))
      .body;
    expect(previews[0].content.title).toBe('0');
    expect((await get(`${path}/masked`)).body.version).toBe(1);
  });

  test('of an e-mail has the whole document and its plain part, and a link without effect', async () => {
    const content = { en: { subject: 'Hi {{ player.first_name }}', html: '<p>Ten spins</p>' } };
    await call('PUT', `${path}/letter`, { body: { name: 'Letter', channel: 'email', content } });
    const [{ content: shown }] = (await call('POST', `${path}/letter/preview`, { body: { user_id: 'anna' } })).body
      .previews;
    expect(shown.subject).toBe('Hi Anna');
    expect(shown.html).toContain('<p>Ten spins</p>');
    expect(shown.text).toBe('Ten spins\n\nPlay responsibly\n\nUnsubscribe: https://crm.example/unsubscribe/preview');
  });
});

test('the catalog lists the fields of each channel, and variables that a template may name', async () => {
  await pool.query(
    `insert into segmentation_key (brand_id, key, kind, sample, first_seen_at, last_seen_at)
     values ($1, 'vip_level', 'number', '3', now(), now()), ($1, 'vip since', 'text', '"May"', now(), now())`,
    [brand.brand_id],
  );
  const { status, body } = await get('/brands/malta/template-catalog');
  expect(status).toBe(200);
  const fieldsOf = (wanted: string) =>
    body.channels.find(({ channel }: { channel: string }) => channel === wanted).fields;
  expect(fieldsOf('sms')).toEqual([{ name: 'text', kind: 'plain', values: [] }]);
  expect(fieldsOf('site')[0]).toEqual({ name: 'event', kind: 'choice', values: ['inbox', 'message', 'shoutout'] });
  const names: string[] = body.variables.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['player.first_name', 'player.segmentation["vip since"]', 'trait.deposit_sum_7d']),
  );
  expect(new Set(names).size).toBe(names.length);
  // A template that uses all of them is valid.
  const message = names.map((name) => `{{ ${name} }}`).join('');
  const whole = { ...welcome, code: 'whole', content: { en: { title: 'All', message } } };
  const made = await call('POST', path, { body: whole });
  expect([made.status, made.body.detail]).toEqual([201, undefined]);
});

test('missing values are counted before anything is sent: fields that a text or its block inserts without a default', async () => {
  const block = { name: 'Line', channel: 'block', content: { en: { body: '{{ player.title }}' } } };
  await call('PUT', `${path}/line`, { body: block });
  const title =
    '{{ player.first_name }} {{ player.city | default: "-" }} {{ player.segmentation.vip }} {{ event.amount }}';
  const message = '{% render "line" %}{% if player.email %}x{% endif %}';
  await call('PUT', `${path}/gappy`, { body: { ...welcome, code: 'gappy', content: { en: { title, message } } } });
  await pool.query(`update player_profile set segmentation = '{"vip": 3}' where player_id = $1`, [anna]);
  const bert = await insertPlayer(pool, brand.brand_id, 'bert');
  await makeKnown(pool, brand.brand_id, [bert], timestamptzText(setup.clock.now()));
  await insertPlayer(pool, brand.brand_id, 'never looked up');
  const { status, body } = await get(`${path}/gappy/gaps`);
  expect([status, body.players]).toEqual([200, 3]);
  expect(
    body.gaps.toSorted((a: { variable: string }, b: { variable: string }) => a.variable.localeCompare(b.variable)),
  ).toEqual([
    { variable: 'player.first_name', players: 2 },
    { variable: 'player.segmentation.vip', players: 2 },
    { variable: 'player.title', players: 3 },
  ]);

  const segments = '/brands/malta/segments';
  await call('POST', segments, { body: { code: 'chosen', name: 'Chosen', user_ids: ['anna', 'bert'] } });
  await call('POST', `${segments}/chosen/publish`);
  const rules = new PlatformRules({ pool });
  await new SegmentComputer({ pool, brands: setup.brands, rules, clock: setup.clock.now, log: testLog }).runOnce();
  expect((await get(`${path}/gappy/gaps?segment=chosen`)).body).toMatchObject({
    players: 2,
    gaps: expect.arrayContaining([{ variable: 'player.first_name', players: 1 }]),
  });
  expect((await get(`${path}/gappy/gaps?segment=nothing`)).status).toBe(404);
});

test('a template names the campaigns that send it, and stays while a published one does', async () => {
  const sent = { code: 'sent', name: 'Sent', channel: 'site', content: { en: { title: 'Hi' } } };
  expect((await call('POST', path, { body: sent })).body.campaigns).toEqual([]);
  const campaigns = '/brands/malta/campaigns';
  const steps = [{ id: 'one', send: { channel: 'site', template: 'sent' } }];
  await call('POST', campaigns, { body: { code: 'sender', name: 'Sender', entry: { api: true }, steps } });
  expect((await get(`${path}/sent`)).body.campaigns).toEqual([{ code: 'sender', published: false }]);
  expect((await call('POST', `${campaigns}/sender/publish`, { body: {} })).status).toBe(200);
  expect((await get(`${path}/sent`)).body.campaigns).toEqual([{ code: 'sender', published: true }]);
  const refused = await call('DELETE', `${path}/sent`);
  expect([refused.status, refused.body.detail]).toEqual([409, 'the template sent is sent by these campaigns: sender']);
  expect((await call('POST', `${campaigns}/sender/stop`, { body: {} })).status).toBe(200);
});
