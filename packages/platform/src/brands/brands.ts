import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import { transaction } from '../database/index.ts';
import { WordedError } from '../language.ts';
import { addKey, declareKeys } from './brand-keys.ts';
import type { Vault } from './credentials.ts';
import type { BrandDeclaration } from './declaration.ts';
import { fromRow, toRow, withoutCredentials } from './sealing.ts';
import type { BrandSettings } from './settings.ts';
import { type BrandRow, hasPlayers, readBrand, saveBrand, undeclareOthers } from './store.ts';

/** Only one process declares brands at a time, because several machines may start with the same file. */
export const declareLock = 0x62_72_61;

/** Settings on which past sums and days depend. They cannot change once there are players (docs/decisions/0503). */
const fixedSettings = ['base_currency', 'time_zone'] as const;

export interface Held {
  code: string;
  setting: (typeof fixedSettings)[number];
  in_force: string;
  declared: string;
}

/**
 * Applies the brands of the configuration file: creates or updates them and their keys. A changed base currency or time
 * zone is not applied if the brand has players; the caller reports that.
 *
 * @throws {KeyRefused} if a declared key belongs to another brand; then nothing is changed
 */
export async function declareBrands(
  pool: Pool,
  vault: Vault,
  declarations: readonly BrandDeclaration[],
): Promise<Held[]> {
  return transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
    const held: Held[] = [];
    for (const declaration of declarations) held.push(...(await declareOne(tx, vault, declaration)));
    await undeclareOthers(
      tx,
      declarations.map((d) => d.code),
    );
    return held;
  });
}

async function declareOne(tx: ClientBase, vault: Vault, declaration: BrandDeclaration): Promise<Held[]> {
  const before = await readBrand(tx, declaration.code);
  const held = await heldBack(tx, before, declaration);
  const settings: BrandSettings = { ...declaration.settings };
  for (const { setting, in_force } of held) settings[setting] = in_force;
  const row = toRow(vault, { ...declaration, declared: true, settings });
  const brandId = before && isSame(vault, before, row) ? before.brand_id : await saveBrand(tx, row);
  await declareKeys(tx, { brand_id: brandId, code: declaration.code }, declaration.api_keys);
  return held;
}

export async function heldBack(
  tx: ClientBase,
  before: BrandRow | undefined,
  { code, settings }: BrandDeclaration,
): Promise<Held[]> {
  if (before === undefined || !(await hasPlayers(tx, before.brand_id))) return [];
  return fixedSettings.flatMap((setting) => {
    const inForce = before.settings[setting];
    if (inForce === undefined || inForce === settings[setting]) return [];
    return [{ code, setting, in_force: inForce, declared: settings[setting] }];
  });
}

/** The operator of the sandbox, whose port can differ with each start. */
const sandboxAddress = /^http:\/\/(127\.0\.0\.1|localhost):\d+(\/operator)?$/;

/**
 * Creates the brand of an installation without a configuration file, or brings it up to date. Its settings can be changed in the
 * console, and later starts keep them. A start sets only its keys, its test user, the addresses of the demo casino and, as long as no
 * other operator was entered, the sandbox's operator.
 */
export async function provideBrand(pool: Pool, vault: Vault, declaration: BrandDeclaration): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
    await undeclareOthers(tx, []);
    const before = await readBrand(tx, declaration.code);
    const after = provided(vault, before, declaration);
    const row = after && toRow(vault, { ...after, declared: false });
    const isChanged = row !== null && !(before && isSame(vault, before, row));
    const brandId = isChanged ? await saveBrand(tx, row) : (before?.brand_id ?? 0);
    await declareKeys(tx, { brand_id: brandId, code: declaration.code }, declaration.api_keys);
  });
}

/**
 * Returns the brand as it is after a start. Returns null if the brand must not change, because credentials that people entered cannot be
 * read.
 */
function provided(vault: Vault, before: BrandRow | undefined, declaration: BrandDeclaration): BrandDeclaration | null {
  if (before === undefined) return declaration;
  const { name } = before;
  const { settings: present } = withoutCredentials(before);
  const local = declaration.settings.site_origins;
  const others = present.site_origins.filter((origin) => !sandboxAddress.test(origin));
  const settings: BrandSettings = { ...present, site_origins: [...new Set([...local, ...others])] };
  const { operator } = before.settings;
  const ofSandbox = operator === undefined || sandboxAddress.test(String(operator.base_url));
  try {
    const entered = fromRow(vault, before);
    const { email, site_jwt } = entered;
    return {
      ...declaration,
      name,
      settings,
      email,
      site_jwt,
      operator: ofSandbox ? declaration.operator : entered.operator,
    };
  } catch {
    const isOwn = ofSandbox && before.settings.email === undefined && before.settings.site_jwt === undefined;
    return isOwn ? { ...declaration, name, settings } : null;
  }
}

/** Encrypting the same credentials twice gives different bytes, so this compares the decrypted ones. */
function isSame(vault: Vault, before: BrandRow, after: Omit<BrandRow, 'brand_id'>): boolean {
  try {
    return isDeepStrictEqual(fromRow(vault, before), fromRow(vault, { ...after, brand_id: before.brand_id }));
  } catch {
    return false;
  }
}

/**
 * Creates or changes one brand manually (console, command line). Its other keys do not change.
 *
 * @throws {BrandHeld} if the brand is in the configuration file, or if a setting cannot change because there are
 *   players
 * @throws {KeyNameTaken} {KeyRefused} if a key cannot be added; then nothing is saved
 */
export async function writeBrand(pool: Pool, vault: Vault, brand: BrandDeclaration): Promise<number> {
  return transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
    const before = await readBrand(tx, brand.code);
    if (before?.declared) throw declaredInFile(brand.code);
    const [held] = await heldBack(tx, before, brand);
    if (held) {
      throw new BrandHeld({
        en: `${held.setting} of brand ${brand.code} stays ${held.in_force}: it cannot be changed, because sums and days of its players were computed with it`,
        de: `${held.setting} der Marke ${brand.code} bleibt ${held.in_force}: Es kann nicht geändert werden, weil Summen und Tage ihrer Spieler damit berechnet wurden`,
      });
    }
    const brandId = await saveBrand(tx, toRow(vault, { ...brand, declared: false }));
    for (const key of brand.api_keys) await addKey(tx, { brand_id: brandId, code: brand.code }, key);
    return brandId;
  });
}

export class BrandHeld extends WordedError {
  override name = 'BrandHeld';
}

export function takenCode(code: string): BrandHeld {
  return new BrandHeld({
    en: `brand ${code} exists already; choose another code`,
    de: `Die Marke ${code} gibt es schon; wählen Sie ein anderes Kürzel`,
  });
}

export function declaredInFile(code: string): BrandHeld {
  return new BrandHeld({
    en: `brand ${code} is declared in the configuration file; change it there`,
    de: `Die Marke ${code} steht in der Konfigurationsdatei; ändern Sie sie dort`,
  });
}
