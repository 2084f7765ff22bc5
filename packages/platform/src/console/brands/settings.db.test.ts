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
