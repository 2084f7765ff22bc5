import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import { transaction } from '../database/index.ts';
import { addKey, declareKeys } from './brand-keys.ts';
import type { Vault } from './credentials.ts';
import type { BrandDeclaration } from './declaration.ts';
import { fromRow, toRow } from './sealing.ts';
import type { BrandSettings } from './settings.ts';
import { type BrandRow, hasPlayers, readBrand, saveBrand, undeclareOthers } from './store.ts';

/** Only one process declares at a time: several machines may start with the same file. */
export const declareLock = 0x62_72_61;

/** Settings that sums and days of the past were made with: fixed once there are players (docs/decisions/0503). */
const fixedSettings = ['base_currency', 'time_zone'] as const;

export interface Held {
  code: string;
  setting: (typeof fixedSettings)[number];
  in_force: string;
  declared: string;
}

/**
 * Makes the brands of the configuration file true: created or brought up to date, their keys too. Changes of a brand's
 * base currency or time zone are held back once it has players; the caller tells a person.
 *
 * @throws {KeyRefused} when a declared key is another brand's; nothing is changed then.
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

/** Sealing the same credentials twice gives different bytes, so what is compared is what they say. */
function isSame(vault: Vault, before: BrandRow, after: Omit<BrandRow, 'brand_id'>): boolean {
  try {
    return isDeepStrictEqual(fromRow(vault, before), fromRow(vault, { ...after, brand_id: before.brand_id }));
  } catch {
    return false;
  }
}

/**
 * Creates or changes one brand by hand (console, command line). Its other keys stay as they are.
 *
 * @throws {BrandHeld} when the brand stands in the configuration file, or a setting is fixed because it has players.
 * @throws {KeyNameTaken} {KeyRefused} when a key cannot be added; nothing is saved then.
 */
export async function writeBrand(pool: Pool, vault: Vault, brand: BrandDeclaration): Promise<number> {
  return transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
    const before = await readBrand(tx, brand.code);
    if (before?.declared) throw new BrandHeld(`brand ${brand.code} stands in the configuration file: change it there`);
    const [held] = await heldBack(tx, before, brand);
    if (held) {
      throw new BrandHeld(
        `${held.setting} of brand ${brand.code} stays ${held.in_force}: sums and days of its players were made with it, and it cannot be changed yet`,
      );
    }
    const brandId = await saveBrand(tx, toRow(vault, { ...brand, declared: false }));
    for (const key of brand.api_keys) await addKey(tx, { brand_id: brandId, code: brand.code }, key);
    return brandId;
  });
}

export class BrandHeld extends Error {
  override name = 'BrandHeld';
}
