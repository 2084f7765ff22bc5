import type { BrandSettings } from './settings.ts';

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
