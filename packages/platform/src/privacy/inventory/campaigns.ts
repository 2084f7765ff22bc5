import { retained, rows, type TableEntry } from './table.ts';

/** Campaigns are retained. Runs of players through campaigns, and their outcomes, are deleted with the player. */
export const campaignTables: readonly TableEntry[] = [
  retained(
    'public.campaign',
    'names of campaigns',
    'campaign_id brand_id code name state reason share watched_since day_counted_since halted_at unchecked_since unchecked_reason created_at created_by',
  ),
  retained(
    'public.campaign_version',
    'documents, which are about all players',
    'version_id campaign_id version state document created_at created_by published_at published_by approval rejection approved_by moves_runs',
  ),
  retained(
    'public.campaign_active',
    'active campaigns',
    'campaign_id brand_id code version_id phase share kinds goal_kinds stopped_at deleted_at moves_from products segment_code transition',
  ),
  retained('public.campaign_schedule', 'schedules of campaigns', 'campaign_id schedule planned_until'),
  retained(
    'public.campaign_start',
    'number of players of a scheduled start',
    'campaign_id local due_at brand_id state reason after_id looked total entered started_at finished_at',
  ),
  retained(
    'public.campaign_backtest',
    'the request, and counts',
    `backtest_id campaign_id brand_id version document from_at until_at most_players state reason buckets of_bucket place tried skipped
     created_at created_by finished_at`,
  ),
  rows('public.campaign_backtest_entry'),
  rows('public.campaign_news'),
  rows('public.campaign_withdrawal'),
  rows('public.campaign_run'),
  rows('public.campaign_run_step'),
];
