import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type Brand, BrandRegistry, createKey, readDeclaration, Vault, writeBrand } from '../src/brands/index.ts';
import { testLog } from './log.ts';

/** Seals the credentials of brands created by `createBrand`; pass it to a registry that must read them. */
export const testVault = new Vault('a secret for tests');

/**
 * Creates a brand with all defaults, and one key.
 *
 * @param overrides entries of a brand in the configuration file: `{ code: 'malta', time_zone: 'Europe/Malta', operator: {...}
 * }`
 */
export async function createBrand(
  pool: Pool,
  overrides: Record<string, unknown> = {},
): Promise<{ brand: Brand; key: string }> {
  const code = `brand-${randomBytes(4).toString('hex')}`;
  const reading = readDeclaration({ code, name: `Test ${code}`, ...overrides }, 'brand');
  if (!reading.ok) throw new Error(reading.errors.map((error) => `${error.path} ${error.message}`).join('; '));
  const brandId = await writeBrand(pool, testVault, reading.declaration);
  const { key } = await createKey(pool, brandId, 'main');
  const registry = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await registry.refresh();
  const brand = registry.byId(brandId);
  if (brand === undefined) throw new Error(`brand ${brandId} was not stored`);
  return { brand, key };
}
