import { cells, ofPlayer, retained, rows, type TableEntry } from './table.ts';

/**
 * Promised and paid money. Sums and outcomes stay, under a player_id that no longer identifies a person. Requests and answers are deleted.
 */
export const actionTables: readonly TableEntry[] = [
  cells(
    'public.bonus_intent',
    `extra = '{}', note = null, request_key = null, request_digest = null`,
    `intent_id brand_id player_id kind bonus_code amount currency extra activity_id action_id action_group_id trigger_hash
     note request_key request_digest offered expires_at created_at created_by state reason resolved_by state_since claimed_at attempts
     open_attempt doubts tries waits_since first_attempt_at last_attempt_at due_at due_for claim
     funds_told funds_revision`,
  ),
  cells(
    'public.bonus_attempt',
    `request = '{}', detail = null, answer_body = null`,
    `intent_id attempt_no player_id decision_id claim process started_at request outcome reason detail took_ms ended_at late
     answer_status answer_body answer_cut`,
  ),
  cells(
    'public.bonus_intent_change',
    `note = null, proof = null`,
    'number change_id intent_id player_id at event state reason actor note proof',
  ),
  rows('public.bonus_resolution_request'),
  rows('public.bonus_intent_grant'),
  retained(
    'public.funds_publication',
    'amounts that are being written to the ledger',
    'intent_id revision brand_id player_id status at amount currency exchange_rate bonus_code noted_at due_at',
    ofPlayer,
  ),
  retained(
    'public.bonus_budget',
    'limits of a brand',
    `budget_id brand_id name scope activity_id window_days limit_amount limit_count bonus_values alarm_percent created_at created_by
     closed_at`,
  ),
  retained(
    'public.bonus_budget_use',
    'sums',
    'budget_id holder reserved_amount reserved_count spent_amount spent_count',
    't.holder = s.player_id',
  ),
  retained(
    'public.bonus_reservation',
    'sums',
    'intent_id budget_id holder player_id state amount exchange_rate at',
    ofPlayer,
  ),
];
