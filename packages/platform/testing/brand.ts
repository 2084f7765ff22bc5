import type { Pool } from 'pg';
import { type Brand, BrandRegistry, createKey, readDeclaration, Vault, writeBrand } from '../src/brands/index.ts';
import { testLog } from './log.ts';

/** Seals the credentials of brands created by `createBrand`; pass it to a registry that must read them. */
export const testVault = new Vault('a secret of 32 characters for tests');

const created = new WeakMap<Pool, number>();

/**
 * Creates a brand with all defaults, and one key. Its code is `brand-1` for the first brand of a pool, and so on. Control groups and
 * arms are drawn by the code of the brand, so with a random code a test might find too few players in a group.
 *
 * @param overrides entries of a brand in the configuration file: `{ code: 'malta', time_zone: 'Europe/Malta', operator: {...}
 * }`
 */
export async function createBrand(
  pool: Pool,
  overrides: Record<string, unknown> = {},
): Promise<{ brand: Brand; key: string }> {
  const number = (created.get(pool) ?? 0) + 1;
  created.set(pool, number);
  const code = `brand-${number}`;
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

/** Changes the settings of a brand's operator in the database, as another process does: registries do not know it yet. */
export async function changeOperator(
  pool: Pool,
  { code, name }: Pick<Brand, 'code' | 'name'>,
  operator: Record<string, unknown>,
): Promise<void> {
  const reading = readDeclaration({ code, name, operator }, 'brand');
  if (!reading.ok) throw new Error(reading.errors.map((error) => `${error.path} ${error.message}`).join('; '));
  await writeBrand(pool, testVault, reading.declaration);
}
