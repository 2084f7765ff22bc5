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

/** The limits of `campaign_approval`. A limit is null if it is not set. */
export function approvalLimits({ campaign_approval: { players, money } }: Pick<BrandSettings, 'campaign_approval'>) {
  return { players: players === 0 ? null : players, money: money === '' ? null : money };
}

export function contactRulesOf(settings: BrandSettings): ContactRules {
  return Object.fromEntries(contactRules.map((name) => [name, settings[name]])) as ContactRules;
}
