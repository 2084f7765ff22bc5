import { retained, rows, type TableEntry } from './table.ts';

/** Segments are retained. Memberships in segments, with time and reason, are deleted with the player. */
export const segmentTables: readonly TableEntry[] = [
  retained('public.segment', 'names of segments', 'segment_id brand_id code name paused created_at created_by'),
  retained(
    'public.segment_version',
    'rules, which are about all players',
    `version_id segment_id version kind rule hash sentence include_protected state starts_campaigns reason created_at created_by published_at computed_at`,
  ),
  retained(
    'public.segment_active',
    'the versions whose members are stored',
    'version_id segment_id brand_id code phase kinds checked_on',
  ),
  retained(
    'public.segment_computation',
    'the progress of computations',
    'version_id purpose after_id done total corrected failures slowed started_at',
  ),
  retained(
    'public.segment_bucket_failure',
    'buckets that fail; the reason is the message of an error, without values of a row',
    'bucket since failed_at failures reason',
  ),
  retained(
    'public.demo_gift',
    'segments, templates and campaigns that were created for the demo brand',
    'brand_id kind code made_at',
  ),
  rows('public.new_player'),
  rows('public.segment_member'),
  rows('public.segment_listed'),
  rows('public.segment_due'),
  rows('public.segment_transition'),
  rows('public.segment_news'),
  rows('public.segment_difference'),
  rows('public.segment_player_failure'),
  rows('public.player_tag'),
  rows('public.player_tag_change'),
];
