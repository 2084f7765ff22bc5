import { retained, rows, type TableEntry } from './table.ts';

/** The outcome of a bulk action for each player is deleted with the player; the counts stay. */
export const bulkTables: readonly TableEntry[] = [
  retained(
    'public.bulk_action',
    'the order for all members of a segment',
    `action_id brand_id segment_id segment_code does per_second request_key request_digest created_at created_by cancelled_at
     cancelled_by`,
  ),
  retained(
    'public.bulk_progress',
    'counts, and a player_id',
    'action_id brand_id segment_id state players after_id next_at waits_for ended_up_to finished_at products',
  ),
  retained('public.bulk_count', 'counts', 'action_id state reason players'),
  rows('public.bulk_player'),
];
