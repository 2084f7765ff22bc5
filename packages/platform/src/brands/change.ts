import type { ClientBase } from 'pg';
import { BrandHeld, declaredInFile, declareLock, heldBack, takenCode } from './brands.ts';
import type { Vault } from './credentials.ts';
import { readDeclaration } from './declaration.ts';
import { fromRow, toRow, withoutCredentials } from './sealing.ts';
import type { SettingError } from './setting-error.ts';
import { type Brand, type BrandSettings, brandSettingsSchema, type EmailSettings } from './settings.ts';
import { mergeSettings, readBrand, saveBrand } from './store.ts';

/** A part of a brand in a change. Omitted fields keep their values; null removes a field. */
export type PartChange = Readonly<Record<string, unknown>> | null;

/** Omitted parts stay unchanged. A given setting is replaced as a whole. */
export interface BrandChange {
  name?: string | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
  operator?: PartChange | undefined;
  email?: PartChange | undefined;
  test_user?: PartChange | undefined;
}

export class WrongSettings extends Error {
  override name = 'WrongSettings';
  readonly errors: readonly SettingError[];

  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.errors = errors;
  }
}

const parts = ['operator', 'email', 'test_user'] as const;

/**
 * Changes a brand. Every process applies the change within a second. Omitted secrets keep their values.
 *
 * @throws {BrandHeld} if the brand is in the configuration file, or a setting is fixed because the brand has players
 * @throws {WrongSettings} with all invalid settings
 * @throws {Unreadable} if kept credentials were encrypted with another CROUPIER_SECRET
 */
export async function changeBrand(
  tx: ClientBase,
  vault: Pick<Vault, 'open' | 'seal'>,
  code: string,
  change: BrandChange,
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
  const before = await readBrand(tx, code);
  if (before === undefined) throw new Error(`there is no brand ${code}`);
  if (before.declared) throw declaredInFile(code);
  requireKnown(change.settings);

  const keepsCredentials = parts.every((part) => change[part] === undefined);
  const brand = keepsCredentials ? withoutCredentials(before) : fromRow(vault as Vault, before);
  const read = readDeclaration(changed(brand, change), '');
  if (!read.ok) throw new WrongSettings(read.errors.map(placed));
  const { declaration } = read;
  const [held] = await heldBack(tx, before, declaration);
  if (held)
    throw new BrandHeld({
      en: `${held.setting} stays ${held.in_force}: sums and days of the players were computed with it, so it can no longer be changed`,
      de: `${held.setting} bleibt ${held.in_force}: Summen und Tage der Spieler wurden damit berechnet, deshalb kann es nicht mehr geändert werden`,
    });
  if (!keepsCredentials) {
    await saveBrand(tx, toRow(vault as Vault, { ...declaration, declared: false }));
    return;
  }
  const names = Object.keys(change.settings ?? {}) as (keyof BrandSettings)[];
  const settings = Object.fromEntries(names.map((name) => [name, declaration.settings[name]]));
  await mergeSettings(tx, code, { name: declaration.name, settings });
}

/**
 * Creates a brand, with the defaults of all settings that are not given. Every process knows the brand within a second.
 *
 * @throws {BrandHeld} if another brand has the code
 * @throws {WrongSettings} with all invalid settings
 */
export async function createBrand(
  tx: ClientBase,
  vault: Pick<Vault, 'open' | 'seal'>,
  {
    code,
    name,
    settings = {},
  }: { code: string; name: string; settings?: Readonly<Record<string, unknown>> | undefined },
): Promise<number> {
  requireKnown(settings);
  const read = readDeclaration({ code, name, ...settings }, '');
  if (!read.ok) throw new WrongSettings(read.errors.map(placed));
  await tx.query('select pg_advisory_xact_lock($1)', [declareLock]);
  if ((await readBrand(tx, code)) !== undefined) throw takenCode(code);
  return saveBrand(tx, toRow(vault as Vault, { ...read.declaration, declared: false }));
}

/** @throws {WrongSettings} */
function requireKnown(settings: Readonly<Record<string, unknown>> = {}): void {
  const unknown = Object.keys(settings).filter((name) => !(name in brandSettingsSchema.properties));
  if (unknown.length > 0)
    throw new WrongSettings(unknown.map((name) => ({ path: `settings.${name}`, message: 'is not a setting' })));
}

/** Returns the mail server as it would be after a change, for a test of unsaved settings. Changes nothing. @throws {WrongSettings} */
export function changedEmail(brand: Brand, change: Readonly<Record<string, unknown>>): EmailSettings {
  const read = readDeclaration(changed(brand, { email: change }), '');
  if (!read.ok) throw new WrongSettings(read.errors.map(placed));
  if (read.declaration.email === null) throw new Error('the e-mail of a declaration was lost');
  return read.declaration.email;
}

/** The brand as a file would declare it after the change. Pure. */
function changed(brand: Brand, { name, settings, operator, email, test_user }: BrandChange): Record<string, unknown> {
  const present = { operator: brand.operator, email: brand.email, test_user: brand.test_user };
  const after = {
    operator: part(present.operator, operator, ['auth']),
    email: part(present.email, email, ['dkim', 'reports']),
    test_user: part(present.test_user, test_user, []),
  };
  const whole = { code: brand.code, name: name ?? brand.name, ...brand.settings, ...settings };
  // Null marks a removed part. A declaration omits such parts.
  return { ...whole, ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)) };
}

/** @param nested names of inner objects. Their omitted fields also keep their values, as long as the `type` is the same */
function part(before: object | null, change: PartChange | undefined, nested: readonly string[]): object | null {
  if (change === undefined) return before;
  if (change === null) return null;
  const merged: Record<string, unknown> = { ...before, ...change };
  for (const name of nested) {
    const [former, latter] = [(before as Record<string, unknown> | null)?.[name], change[name]];
    if (latter === null) delete merged[name];
    if (!isObject(former) || !isObject(latter)) continue;
    const isSame = latter.type === undefined || latter.type === former.type;
    merged[name] = isSame ? { ...former, ...latter } : latter;
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The path in a change: `quiet_hours.from` is below `settings`. */
function placed({ path, message }: SettingError): SettingError {
  const plain = path.replace(/^\./, '');
  const [first = ''] = plain.split(/[.[]/, 1);
  return { path: first in brandSettingsSchema.properties ? `settings.${plain}` : plain, message };
}
