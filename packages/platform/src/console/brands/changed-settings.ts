import type { BrandSettings } from '../../brands/index.ts';
import type { AuditDetails } from '../audit/detail-names.ts';

/** The changed settings with their former and their new values, for the audit. Pure. */
export function changedSettings(
  settings: BrandSettings,
  after: Readonly<Record<string, unknown>>,
): Pick<AuditDetails, 'before' | 'after'> {
  const names = Object.keys(after) as (keyof BrandSettings)[];
  return { before: Object.fromEntries(names.map((name) => [name, settings[name]])), after };
}
