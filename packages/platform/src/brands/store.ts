import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { BrandSettings } from './settings.ts';

type Db = Pool | ClientBase;

export interface BrandRow {
  brand_id: number;
  code: string;
  name: string;
  declared: boolean;
  /** BrandSettings, and under `operator`, `test_user`, `site_jwt` and `email` their parts that are not secret. */
  settings: Partial<BrandSettings> & StoredParts;
  secrets: Buffer | null;
}

/** The public parts of the operator's data. The secret parts are in `secrets`. */
export interface StoredParts {
  operator?: Record<string, unknown> & { auth: Record<string, unknown> };
  test_user?: Record<string, unknown>;
  site_jwt?: Record<string, unknown>;
  email?: Record<string, unknown>;
}

/**
 * Returns a text that changes with every committed change of a brand or a key. It uses the system column xmin, the id
 * of the transaction that wrote the row.
 */
export async function readVersion(db: Db): Promise<string> {
  const { rows } = await db.query<{ version: string }>(
    `select coalesce((select string_agg(brand_id || ':' || xmin, ',' order by brand_id) from brand), '')
         || '/' || coalesce((select string_agg(api_key_id || ':' || xmin, ',' order by api_key_id) from api_key), '') as version`,
  );
  return rows[0]?.version ?? '';
}

export async function readBrands(db: Db): Promise<BrandRow[]> {
  const { rows } = await db.query<BrandRow>(
    'select brand_id, code, name, declared, settings, secrets from brand order by brand_id',
  );
  return rows;
}

export async function readBrand(db: Db, code: string): Promise<BrandRow | undefined> {
  const { rows } = await db.query<BrandRow>(
    'select brand_id, code, name, declared, settings, secrets from brand where code = $1',
    [code],
  );
  return rows[0];
}

export async function saveBrand(db: Db, brand: Omit<BrandRow, 'brand_id'>): Promise<number> {
  const { rows } = await db.query<{ brand_id: number }>(
    `insert into brand (code, name, declared, settings, secrets) values ($1, $2, $3, $4::jsonb, $5)
     on conflict (code) do update
     set name = excluded.name, declared = excluded.declared, settings = excluded.settings,
         secrets = excluded.secrets, updated_at = now()
     returning brand_id`,
    [brand.code, brand.name, brand.declared, JSON.stringify(brand.settings), brand.secrets],
  );
  return rows[0]?.brand_id ?? 0;
}

/** Changes the name and some settings of a brand; the others do not change. */
export async function mergeSettings(
  db: Db,
  code: string,
  { name, settings }: { name: string; settings: Partial<BrandSettings> },
): Promise<void> {
  await db.query('update brand set name = $2, settings = settings || $3::jsonb, updated_at = now() where code = $1', [
    code,
    name,
    JSON.stringify(settings),
  ]);
}

/** Brands that were removed from the configuration file are kept, and are edited in the console from then on. */
export async function undeclareOthers(db: Db, codes: readonly string[]): Promise<void> {
  await db.query('update brand set declared = false, updated_at = now() where declared and code <> all ($1::text[])', [
    codes,
  ]);
}

export async function readCreatedAt(db: Db, brandId: number): Promise<Micros> {
  const { rows } = await db.query<{ created_at: Micros }>('select created_at from brand where brand_id = $1', [
    brandId,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error(`the brand ${brandId} does not exist`);
  return row.created_at;
}

/** True if the brand has a player, so that sums in its base currency and days of its zone exist. */
export async function hasPlayers(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    'select exists (select from player where brand_id = $1) as found',
    [brandId],
  );
  return rows[0]?.found ?? false;
}
