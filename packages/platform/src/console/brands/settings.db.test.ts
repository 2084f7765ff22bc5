import { describe, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { fromRow } from '../../brands/sealing.ts';
import { readBrand } from '../../brands/store.ts';

const setup = await setupConsole();
const { pool, brand, call, get } = setup;
const path = '/brands/malta/settings';
const put = (body: object, token?: string) => call('PUT', path, { body, ...(token !== undefined && { token }) });

/** The stored brand, with its credentials. */
async function stored() {
  const row = await readBrand(pool, 'malta');
  if (row === undefined) throw new Error('the brand is gone');
  return fromRow(testVault, row);
}

const email = { host: 'smtp.example', from_address: 'casino@malta.example', username: 'u', password: 'a password' };

describe('settings of a brand', () => {
  test('are changed by name; omitted ones stay; the audit contains the old and the new values', async () => {
    const before = (await get('/brands/malta')).body;
    const changed = await put({ name: 'Malta Casino', settings: { quarantine_days: 30, test_players: ['ann'] } });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...before, name: 'Malta Casino', settings: { ...before.settings, quarantine_days: 30, test_players: ['ann'] } },
    ]);
    expect((await get('/brands/malta')).body).toEqual(changed.body);
    const { rows } = await pool.query(`select subject, details from console_audit where action = 'brand.changed'`);
    expect(rows).toEqual([
      {
        subject: 'settings quarantine_days, test_players, name',
        details: {
          before: { quarantine_days: 90, test_players: [] },
          after: { quarantine_days: 30, test_players: ['ann'] },
        },
      },
    ]);
  });

  test('with errors are refused with a list of all errors, and nothing is changed', async () => {
    const before = (await get('/brands/malta')).body;
    const settings = {
      quarantine_days: 0,
      quiet_hours: { from: '22:00', to: '' },
      country_time_zones: { SE: 'Stockholm' },
    };
    const auth = { type: 'api_key', header: 'X-Key', value: 'a secret' };
    const refused = await put({
      settings,
      email: { ...email, from_address: 'none' },
      operator: { base_url: 'x', auth },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'email.from_address',
      'operator.base_url',
      'settings.country_time_zones.SE',
      'settings.quarantine_days',
      'settings.quiet_hours',
    ]);
    expect((await put({ settings: { quarantine_day: 3, operator: {} } })).body.errors).toMatchObject([
      { path: 'settings.quarantine_day' },
      { path: 'settings.operator' },
    ]);
    expect((await put({})).status).toBe(400);
    expect((await get('/brands/malta')).body).toEqual(before);
  });

  test('are listed with their description, default and schema, so that forms can be built', async () => {
    const { items } = (await get('/brand-settings')).body;
    const of = (wanted: string) => items.find(({ name }: { name: string }) => name === wanted);
    expect(of('quarantine_days')).toEqual({
      name: 'quarantine_days',
      description: expect.stringContaining('Days'),
      default: 90,
      schema: expect.objectContaining({ type: 'integer', minimum: 1 }),
    });
    expect(of('quiet_hours.from')).toMatchObject({ default: '' });
  });

  test('on which sums and days depend are fixed once there are players', async () => {
    expect((await put({ settings: { time_zone: 'Europe/Malta' } })).body.settings.time_zone).toBe('Europe/Malta');
    await insertPlayer(pool, brand.brand_id, 'ann');
    expect((await get('/brands/malta')).body.has_players).toBe(true);
    expect((await put({ settings: { time_zone: 'UTC' } })).status).toBe(409);
    expect((await put({ settings: { time_zone: 'Europe/Malta', quarantine_days: 31 } })).status).toBe(200);
  });
});

test('a list of brands says whether the installation is in production', async () => {
  expect((await get('/brands')).body.items).toMatchObject([{ code: 'malta', production: true }]);
});

describe('a new brand', () => {
  const create = (body: object, token?: string) =>
    call('POST', '/brands', { body, ...(token !== undefined && { token }) });
  const sweden = { code: 'sweden', name: 'Sweden', settings: { base_currency: 'sek', time_zone: 'Europe/Stockholm' } };

  test('has the given settings and the defaults of the others; it is audited, and its settings can be changed', async () => {
    const made = await create(sweden);
    expect([made.status, made.body]).toMatchObject([
      201,
      { code: 'sweden', name: 'Sweden', declared: false, has_players: false, operator: null },
    ]);
    const settings = { base_currency: 'SEK', time_zone: 'Europe/Stockholm', quarantine_days: 90 };
    expect(made.body.settings).toMatchObject(settings);
    expect((await get('/brands/sweden')).body).toEqual(made.body);
    expect((await call('POST', '/brands/sweden/keys', { body: { name: 'first' } })).status).toBe(201);
    expect((await call('PUT', '/brands/sweden/settings', { body: { name: 'Swedish Casino' } })).status).toBe(200);
    const { body } = await get('/brands/sweden/audit?action=brand.created');
    expect(body.items).toMatchObject([
      { actor: 'admin token', subject: 'brand sweden', details: { name: 'Sweden', after: sweden.settings } },
    ]);
  });

  test('is refused if its code is taken, also by a declared brand, and nothing is changed', async () => {
    await pool.query(`insert into brand (code, name, declared, settings) values ('filed', 'Filed', true, '{}')`);
    const before = await pool.query('select code, name, declared, settings from brand order by code');
    for (const code of ['malta', 'filed']) {
      const refused = await create({ ...sweden, code });
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`brand ${code} exists`)]);
    }
    expect((await pool.query('select code, name, declared, settings from brand order by code')).rows).toEqual(
      before.rows,
    );
    await setup.brands.refresh();
    const changed = await call('PUT', '/brands/filed/settings', { body: { name: 'Other' } });
    expect([changed.status, changed.body.detail]).toEqual([409, expect.stringContaining('configuration file')]);
  });

  test('with errors is refused with a list of all errors', async () => {
    const settings = { base_currency: '?', time_zone: 'Stockholm', quarantine_day: 1 };
    const paths = async (body: object) => {
      const { status, body: answer } = await create(body);
      return [status, answer.errors.map((error: { path: string }) => error.path).sort()];
    };
    expect(await paths({ ...sweden, settings })).toEqual([400, ['settings.quarantine_day']]);
    const { quarantine_day: _, ...known } = settings;
    expect(await paths({ code: 'Not a code', name: 'x', settings: known })).toEqual([
      400,
      ['code', 'settings.base_currency', 'settings.time_zone'],
    ]);
    expect(await paths({ code: 'a\u0000', name: 'x' })).toEqual([400, ['code']]);
    expect(await paths({ code: 'norway' })).toEqual([400, ['name']]);
  });

  test('requires an administrator of every brand; the administrator of one brand is refused', async () => {
    const norway = { ...sweden, code: 'norway' };
    expect((await create(norway, await setup.as('admin'))).status).toBe(403);
    const everywhere = await setup.signedIn({ brand_id: null, role: 'admin' });
    expect((await create(norway, everywhere)).status).toBe(201);
    expect((await get('/brands', everywhere)).body.items).toContainEqual(expect.objectContaining({ code: 'norway' }));
  });
});

describe('credentials', () => {
  test('are written and never shown, and stay if they are omitted', async () => {
    const dkim = { domain: 'malta.example', selector: 'crm', private_key: 'a key' };
    const auth = { type: 'api_key', header: 'X-Key', value: 'a secret' };
    const made = await put({ email: { ...email, dkim }, operator: { base_url: 'https://op.example/', auth } });
    expect(made.status).toBe(200);
    expect(JSON.stringify(made.body)).not.toMatch(/a password|a key|a secret/);
    expect(made.body.email).toMatchObject({ host: 'smtp.example', has_password: true, dkim: { selector: 'crm' } });
    expect(made.body.operator).toMatchObject({
      base_url: 'https://op.example',
      auth: 'api_key',
      auth_settings: { header: 'X-Key' },
    });
    await put({ email: { port: 465, dkim: { selector: 'new' } }, operator: { auth: { header: 'X-Other' } } });
    const kept = await stored();
    expect(kept.email).toMatchObject({ ...email, port: 465, dkim: { ...dkim, selector: 'new' } });
    expect(kept.operator).toMatchObject({ base_url: 'https://op.example', auth: { ...auth, header: 'X-Other' } });
    // A change of scheme keeps no credentials of the former scheme.
    expect((await put({ operator: { auth: { type: 'basic', username: 'u' } } })).body.errors).toMatchObject([
      { path: 'operator.auth.password' },
    ]);
    await put({ settings: { quarantine_days: 40 } });
    expect((await stored()).email).toEqual(kept.email);
    expect((await put({ email: { dkim: null } })).body.email.dkim).toBeNull();
    expect((await put({ email: null })).body.email).toBeNull();
    expect((await stored()).operator).toEqual(kept.operator);
  });
});

test('only administrators can change settings, and those of a declared brand can be changed only in its file', async () => {
  for (const role of ['crm', 'integrator', 'viewer'] as const)
    expect((await put({ name: 'X' }, await setup.as(role))).status).toBe(403);
  await pool.query('update brand set declared = true');
  await setup.brands.refresh();
  const refused = await put({ name: 'X' });
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('configuration file')]);
});
