import { afterAll, describe, expect, test } from 'vitest';
import { createBrand, testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import {
  BrandRegistry,
  createKey,
  declareBrands,
  KeyNameTaken,
  listKeys,
  provideBrand,
  readDeclaration,
  revokeKey,
  Vault,
  writeBrand,
} from './index.ts';

const { pool } = await setupDatabase();

function declaration(value: Record<string, unknown>) {
  const reading = readDeclaration(value, 'brands[0]');
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return reading.declaration;
}

function registry(vault = testVault): BrandRegistry {
  return new BrandRegistry({ pool, vault, log: testLog });
}

const operator = {
  base_url: 'http://localhost:8090/operator/',
  auth: { type: 'api_key', value: 'the operator key' },
};

describe('keys', () => {
  test('a key finds its brand until it is revoked, and is not stored anywhere in the database', async () => {
    const { brand, key } = await createBrand(pool);
    const brands = registry();
    await brands.refresh();
    expect(brands.byKey(key)).toEqual(brand);
    expect(brands.byKey(`${key}x`)).toBeUndefined();

    const { rows } = await pool.query('select api_key::text as row from api_key');
    expect(JSON.stringify(rows)).not.toContain(key);

    const [stored] = await listKeys(pool, brand.brand_id);
    expect(await revokeKey(pool, brand.brand_id, stored?.api_key_id ?? 0)).toBe(true);
    expect(await revokeKey(pool, brand.brand_id, stored?.api_key_id ?? 0)).toBe(false);
    expect(await brands.refresh()).toBe(true);
    expect(brands.byKey(key)).toBeUndefined();
  });

  test('a brand may have several keys, each with its own name', async () => {
    const { brand, key } = await createBrand(pool);
    const second = await createKey(pool, brand.brand_id, 'rotation');
    const brands = registry();
    await brands.refresh();
    expect([brands.byKey(key)?.code, brands.byKey(second.key)?.code]).toEqual([brand.code, brand.code]);
    await expect(createKey(pool, brand.brand_id, 'rotation')).rejects.toThrow(KeyNameTaken);
  });
});

describe('declared brands', () => {
  test('are created, updated when the file changes, and kept when they are removed from it', async () => {
    const brands = registry();
    const first = {
      code: 'declared',
      name: 'First',
      operator,
      api_keys: [{ name: 'main', key: 'a key of 16 characters' }],
    };
    await declareBrands(pool, testVault, [declaration(first)]);
    await brands.refresh();
    expect(brands.byKey('a key of 16 characters')).toMatchObject({
      code: 'declared',
      name: 'First',
      declared: true,
      operator: {
        base_url: 'http://localhost:8090/operator',
        auth: { type: 'api_key', header: 'X-API-Key', value: 'the operator key' },
      },
    });

    await declareBrands(pool, testVault, [declaration(first)]);
    expect(await brands.refresh()).toBe(false);

    const renamed = { ...first, name: 'Second', api_keys: [{ name: 'other', key: 'another key of 16 c.' }] };
    await declareBrands(pool, testVault, [declaration(renamed)]);
    await brands.refresh();
    expect(brands.byCode('declared')?.name).toBe('Second');
    expect(brands.byKey('a key of 16 characters')).toBeUndefined();
    expect(brands.byKey('another key of 16 c.')?.code).toBe('declared');

    await declareBrands(pool, testVault, []);
    await brands.refresh();
    expect(brands.byCode('declared')).toMatchObject({ name: 'Second', declared: false });
  });

  test('cannot change base currency and time zone once there are players', async () => {
    const malta = { code: 'malta', name: 'Malta', time_zone: 'Europe/Malta' };
    await declareBrands(pool, testVault, [declaration(malta)]);
    await pool.query(
      `insert into player (brand_id, user_id, bucket) select brand_id, 'u1', 0 from brand where code = 'malta'`,
    );
    const changed = { ...malta, time_zone: 'UTC', name: 'Gozo' };
    expect(await declareBrands(pool, testVault, [declaration(changed)])).toEqual([
      { code: 'malta', setting: 'time_zone', in_force: 'Europe/Malta', declared: 'UTC' },
    ]);
    const brands = registry();
    await brands.refresh();
    expect(brands.byCode('malta')).toMatchObject({ name: 'Gozo', settings: { time_zone: 'Europe/Malta' } });
  });
});

test('credentials are encrypted, and with a wrong secret only the operator calls stop, not the events', async () => {
  const site_jwt = { secret: 'a secret for JWTs of 32 characters', max_age_minutes: 60 };
  const test_user = { sid: 'a secret sid', user_id: 'test-1' };
  const { brand, key } = await createBrand(pool, { operator, test_user, site_jwt });
  expect(brand.test_user).toEqual({ ...test_user, in_production: false });
  expect(brand.site_jwt).toEqual(site_jwt);
  const { rows } = await pool.query("select brand::text || encode(secrets, 'escape') as row from brand");
  expect(JSON.stringify(rows)).not.toMatch(/the operator key|a secret sid|a secret for JWTs/);

  const brands = registry(new Vault('another secret'));
  await brands.refresh();
  expect(brands.byKey(key)).toMatchObject({ code: brand.code, operator: null, test_user: null, site_jwt: null });
});

describe('the registry', () => {
  const brands = registry();
  afterAll(() => brands.stop());

  test('picks up changes made by other processes', async () => {
    await brands.start();
    const { brand, key } = await createBrand(pool);
    await expect.poll(() => brands.byKey(key)?.code).toBe(brand.code);
  });
});

describe('the brand of an installation without a configuration file', () => {
  const started = (port: number, settings = {}) =>
    declaration({
      code: 'provided',
      name: 'Demo Casino',
      api_keys: [{ name: 'main', key: 'the key of the provided brand' }],
      site_origins: [`http://127.0.0.1:${port}`],
      operator: { ...operator, base_url: `http://127.0.0.1:${port}/operator` },
      ...settings,
    });
  const stored = async () => {
    const brands = registry();
    await brands.refresh();
    return brands.byCode('provided');
  };

  test('is created once; later starts change only what belongs to the sandbox', async () => {
    await provideBrand(pool, testVault, started(8090));
    expect(await stored()).toMatchObject({ declared: false, settings: { quarantine_days: 90 } });
    const edited = declaration({
      code: 'provided',
      name: 'Renamed',
      quarantine_days: 30,
      site_origins: ['http://127.0.0.1:8090', 'https://casino.example'],
      operator: { ...operator, base_url: 'http://127.0.0.1:8090/operator' },
      email: { host: 'smtp.example', from_address: 'casino@malta.example', password: 'a password' },
    });
    await writeBrand(pool, testVault, edited);
    await provideBrand(pool, testVault, started(9090));
    expect(await stored()).toMatchObject({
      name: 'Renamed',
      settings: { quarantine_days: 30, site_origins: ['http://127.0.0.1:9090', 'https://casino.example'] },
      operator: { base_url: 'http://127.0.0.1:9090/operator', auth: operator.auth },
      email: { host: 'smtp.example', password: 'a password' },
    });
  });

  test('keeps the operator settings that staff entered, even if it cannot decrypt their credentials', async () => {
    const entered = { ...operator, base_url: 'https://operator.example' };
    await writeBrand(pool, testVault, { ...started(8090, { operator: entered }), api_keys: [] });
    await provideBrand(pool, testVault, started(9090));
    const kept = await stored();
    expect(kept?.operator).toMatchObject({ base_url: 'https://operator.example', auth: operator.auth });
    await provideBrand(pool, new Vault('another secret of the installation'), started(9091));
    expect(await stored()).toEqual(kept);
  });
});
