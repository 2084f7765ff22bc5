import type { FieldSpec } from '../../settings-form/index.ts';

export type BrandSection =
  | 'identity'
  | 'zones'
  | 'messages'
  | 'contact'
  | 'ages'
  | 'events'
  | 'reconciliation'
  | 'site'
  | 'names';

const channels = ['site', 'push', 'email', 'sms', 'telephone', 'post_mail', 'webhook', 'operator'];

/** The settings on the page of a brand, in display order. Contact rules have their own page. */
export const brandFields: Readonly<Record<BrandSection, readonly FieldSpec[]>> = {
  identity: [
    { path: 'name', kind: 'text', required: true },
    { path: 'display_name', kind: 'text' },
    { path: 'logo_url', kind: 'text' },
    { path: 'brand_color', kind: 'color' },
    { path: 'support_contact', kind: 'text' },
    { path: 'default_language', kind: 'text', required: true },
  ],
  zones: [
    { path: 'base_currency', kind: 'text', required: true },
    { path: 'time_zone', kind: 'zone', required: true },
    { path: 'zoneless_timestamps', kind: 'zone', required: true },
    { path: 'country_time_zones', kind: 'zones' },
  ],
  messages: [
    { path: 'test_players', kind: 'lines' },
    {
      path: 'responsible_gambling',
      kind: 'rows',
      columns: [
        { path: 'market', kind: 'text' },
        { path: 'language', kind: 'text' },
        { path: 'text', kind: 'area' },
      ],
    },
    { path: 'message_tracking.email_clicks', kind: 'switch' },
    { path: 'message_tracking.email_opens', kind: 'switch' },
    { path: 'message_tracking.sms_clicks', kind: 'switch' },
    { path: 'message_tracking.forbidden_in', kind: 'lines' },
    { path: 'webhook_allowed', kind: 'lines' },
    { path: 'media.most_files', kind: 'number', min: 0 },
    { path: 'media.most_megabytes', kind: 'number', min: 0 },
    { path: 'push.enabled', kind: 'switch' },
    { path: 'push.contact', kind: 'text' },
    { path: 'push.ends_with_logout_event', kind: 'switch' },
    { path: 'push.private_origins', kind: 'lines' },
  ],
  contact: [
    {
      path: 'product_consents',
      kind: 'rows',
      columns: [
        { path: 'product', kind: 'text' },
        { path: 'channel', kind: 'choice', values: channels },
        { path: 'consent', kind: 'text' },
      ],
    },
  ],
  ages: [
    { path: 'fact_age_hours', kind: 'number', min: 1, required: true },
    { path: 'trigger_age_minutes', kind: 'number', min: 1, required: true },
    { path: 'history_days', kind: 'number', min: 2, required: true },
    { path: 'quarantine_days', kind: 'number', min: 1, required: true },
  ],
  events: [
    { path: 'on_invalid', kind: 'choice', values: ['reject', 'accept'], required: true },
    { path: 'rounds_from', kind: 'choice', values: ['auto', 'casino', 'gameround'], required: true },
    { path: 'session_gap_minutes', kind: 'number', min: 1, required: true },
    { path: 'rollback_by_round', kind: 'switch' },
    { path: 'casino_activity_key', kind: 'lines' },
    { path: 'segmentation_traits', kind: 'json' },
  ],
  reconciliation: [
    { path: 'reconciliation.schedule', kind: 'choice', values: ['nightly', 'off'], required: true },
    { path: 'reconciliation.fields', kind: 'lines' },
    { path: 'reconciliation.from_hour', kind: 'number', min: 0, max: 23 },
    { path: 'reconciliation.until_hour', kind: 'number', min: 0, max: 24 },
  ],
  site: [
    { path: 'site_origins', kind: 'lines' },
    { path: 'site_functions.tracking', kind: 'switch' },
    { path: 'site_functions.rewards', kind: 'switch' },
    { path: 'site_functions.profile', kind: 'switch' },
    { path: 'site_functions.tracked_per_second', kind: 'number', min: 1 },
    { path: 'channel_prefix', kind: 'text', required: true },
    { path: 'staging_url', kind: 'text' },
  ],
  names: [
    { path: 'site_script.config_name', kind: 'text' },
    { path: 'site_script.api_name', kind: 'text' },
    { path: 'site_script.loader_name', kind: 'text' },
    { path: 'site_script.brand_name', kind: 'text' },
    { path: 'site_script.sid_name', kind: 'text' },
    { path: 'site_script.file_name', kind: 'text' },
    { path: 'reference_prefix', kind: 'text' },
  ],
};

/** The settings that are on the page of contact rules. */
export const onContactRules: readonly string[] = ['quiet_hours', 'frequency_caps', 'holdout', 'campaign_approval'];
