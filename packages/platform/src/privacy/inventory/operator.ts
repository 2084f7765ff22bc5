import { cells, ofPlayer, retained, rows, type TableEntry } from './table.ts';

const ownTransitions =
  't.transition_id in (select p.transition_id from public.protection_transition p where p.player_id = s.player_id)';

/** Records from operators, write-backs, and protection of players. */
export const operatorTables: readonly TableEntry[] = [
  rows('public.player_sync'),
  rows('public.player_profile'),
  rows('public.player_consent'),
  rows('public.player_block'),
  rows('public.sync_problem'),
  rows('public.player_protection'),
  rows('public.record_change'),
  // Deliveries are deleted before the transitions that they refer to.
  rows('public.protection_delivery', ownTransitions),
  rows('public.protection_transition'),
  rows('public.write_back'),
  rows('public.write_back_attempt'),
  rows('public.write_back_item'),
  rows('public.unsubscription'),
  cells(
    'public.operator_endpoint',
    'last_failure_detail = null',
    `brand_id endpoint successes failures failures_in_a_row failing_since last_success_at last_failure_at last_failure
     last_failure_detail last_authenticated_at`,
    't.brand_id = s.brand_id and position(s.user_id in t.last_failure_detail) > 0',
  ),
  retained('public.operator_endpoint_minute', 'counts of calls', 'brand_id endpoint minute successes failures latency'),
  retained(
    'public.operator_circuit',
    'states of endpoints',
    'brand_id endpoint process state open_since next_call_at reported_at',
  ),
  rows('public.resync_open'),
  retained(
    'public.resync',
    'counts of runs, and numbers of players',
    `resync_id brand_id state filter player_ids look_ups per_second requested_by requested_at started_at asked_all_at finished_at
     position last_player_id paced_to total asked answered failed`,
  ),
  // The value under which a key was first seen may be this player's.
  cells(
    'public.segmentation_key',
    `sample = 'null'`,
    'brand_id key kind sample first_seen_at last_seen_at',
    `t.brand_id = s.brand_id and t.kind in ('text', 'timestamp', 'other') and t.sample = (
       select p.segmentation -> t.key from public.player_profile p where p.player_id = s.player_id)`,
  ),
  {
    // A failure may quote the operator, whose text may name any player.
    ...cells(
      'public.reconciliation',
      'detail = null',
      `reconciliation_id brand_id field cause state reason detail requested_at started_at applied_at finished_at cancel_requested claim
     claimed_until bytes ids_read ids ids_before result_timestamp as_of step position compared tightened to_look_up looked_up
     reported newer created`,
      `t.brand_id = s.brand_id and t.detail is not null and t.reason in ('operator_error', 'bad_id', 'malformed', 'bad_timestamp')`,
    ),
    shows: null,
  },
  rows('public.reconciliation_drift'),
  retained('public.reconciliation_age', 'ages', 'brand_id field as_of'),
  retained('public.reconciliation_schedule', 'times', 'brand_id field due_at plan failures'),
  rows('public.gate_hold'),
  retained(
    'public.gate_decision',
    'the hash chain covers it; it contains the player_id, flags and times',
    `decision_id brand_id player_id channel purpose outcome reason cause_kind cause_id rule_version inputs inputs_sha256 age_ms
     decided_at expires_at`,
    ofPlayer,
  ),
  retained('public.gate_decision_seal', 'numbers of decisions', 'decision_id brand_id seal_no'),
  retained('public.gate_seal', 'hashes', 'brand_id seal_no decisions decision_ids leaves root previous hash sealed_at'),
];
