import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { readDeclaration } from '../brands/index.ts';
import { ConfigError } from '../config/index.ts';
import { createLog } from '../log.ts';
import { prepareDatabase } from './prepare-database.ts';

const { pool, url } = await setupDatabase();

/** Prepares with these brands; returns the log lines of level `warn` and above. */
function prepare(...brands: object[]): Promise<Record<string, unknown>[]> {
  return prepareWith({ secret: 'the secret of this test', previousSecrets: [] }, ...brands);
}

async function prepareWith(
  secrets: { secret: string; previousSecrets: readonly string[] },
  ...brands: object[]
): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  const declarations = brands.map((brand) => {
    const reading = readDeclaration(brand, 'brands[0]');
    if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
    return reading.declaration;
  });
  const log = createLog({ level: 'warn', role: 'test', to });
  await prepareDatabase(url, { brands: declarations, ...secrets, log });
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => !/fsync|synchronous_commit|full_page/.test(msg));
}

test('a base currency that can no longer be changed is reported at each start, without promising that a rebuild would change it', async () => {
  const malta = { code: 'malta', name: 'Malta' };
  expect(await prepare(malta)).toEqual([]);
  await pool.query(`insert into player (brand_id, user_id, bucket) select brand_id, 'u1', 0 from brand`);
  for (let start = 0; start < 2; start++) {
    const [warning, ...others] = await prepare({ ...malta, base_currency: 'SEK' });
    expect(warning).toMatchObject({ code: 'malta', setting: 'base_currency', in_force: 'EUR', declared: 'SEK' });
    expect(warning?.msg).toContain('it cannot be changed, because past sums and days');
    expect(warning?.msg).not.toContain('rebuild');
    expect(others).toEqual([]);
  }
  expect(await prepare(malta)).toEqual([]);
});

test('a key of another brand is reported as an error in the configuration', async () => {
  const api_keys = [{ name: 'main', key: 'a key of 16 characters' }];
  await prepare({ code: 'holder', name: 'Holder', api_keys });
  const starting = prepare({ code: 'gozo', name: 'Gozo', api_keys });
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow('main of brand gozo is a key of brand holder');
});

test('after a rotation of the secret, a start leaves unchanged credentials readable for processes that still have only the old one', async () => {
  const site_jwt = { secret: 'a secret of 32 characters or more' };
  const brand = { code: 'rotated', name: 'Rotated', site_jwt };
  const stored = async () => {
    const { rows } = await pool.query<{ secrets: Buffer }>(`select secrets from brand where code = 'rotated'`);
    return rows[0]?.secrets.toString('hex');
  };
  await prepareWith({ secret: 'the old secret', previousSecrets: [] }, brand);
  const before = await stored();
  expect(before).toMatch(/^01/);
  await prepareWith({ secret: 'the new secret', previousSecrets: ['the old secret'] }, brand);
  expect(await stored()).toBe(before);
  // A start that does not get the previous secrets encrypts them again.
  await prepareWith({ secret: 'the new secret', previousSecrets: [] }, brand);
  expect(await stored()).not.toBe(before);
});
