import type { Pool, PoolClient } from 'pg';
import { BrandHeld } from './brands.ts';
import { contactErrors } from './contact-settings.ts';
import type { SettingError } from './setting-error.ts';
import type { BrandSettings } from './settings.ts';
import { mergeSettings, readBrand } from './store.ts';

/** The settings that determine how often, when and which players the campaigns of a brand contact. */
export const contactRules = [
  'quiet_hours',
  'frequency_caps',
  'holdout',
  'country_time_zones',
  'product_consents',
  'campaign_approval',
] as const;
export type ContactRules = Pick<BrandSettings, (typeof contactRules)[number]>;

export function contactRulesOf(settings: BrandSettings): ContactRules {
  return Object.fromEntries(contactRules.map((name) => [name, settings[name]])) as ContactRules;
}

export class WrongRules extends Error {
  override name = 'WrongRules';
  readonly errors: readonly SettingError[];

  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.errors = errors;
  }
}

/**
 * Changes rules of contact that have passed their schema. Omitted rules do not change. In effect everywhere within one
 * second.
 *
 * @throws {BrandHeld} if the brand is in the configuration file
 * @throws {WrongRules} if they have errors that the schema cannot find
 */
export async function writeContactRules(
  tx: PoolClient | Pool,
  { code, settings }: { code: string; settings: BrandSettings },
  rules: Partial<ContactRules>,
): Promise<ContactRules> {
  const changed = { ...settings, ...rules };
  const errors = contactErrors(changed, '');
  if (errors.length > 0) throw new WrongRules(errors.map((one) => ({ ...one, path: one.path.replace(/^\./, '') })));
  const before = await readBrand(tx, code);
  if (before?.declared) throw new BrandHeld(`brand ${code} is declared in the configuration file; change it there`);
  await mergeSettings(tx, code, rules);
  return contactRulesOf(changed);
}
