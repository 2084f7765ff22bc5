import { cells, elsewhere, ofPlayer, retained, rows, type TableEntry } from './table.ts';

/** A user_id in quarantine is stored as it was sent, possibly with blanks around it. These are all characters that JavaScript trims. */
const blanks =
  "E' \\t\\n\\x0b\\f\\r\\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'";

/** The hash of `s` in the form of a table that stores it as a signed number. */
const signedHash =
  '(case when s.player_hash < 2 ^ 63::numeric then s.player_hash else s.player_hash - 2 ^ 64::numeric end)::bigint';

/** Received events: ingest, ledger, and derive's records of their arrival. */
export const eventTables: readonly TableEntry[] = [
  elsewhere('public.player', 'tombstone', ofPlayer),
  elsewhere('public.ledger_block', 'ledger'),
  elsewhere('public.ledger_pack', 'ledger'),
  elsewhere('public.ledger_set_aside', 'ledger'),
  retained('public.ledger_writer', 'connections', 'writer_id process opened_at closed_seq packed_seq packed_day'),
  retained('public.ledger_slice', 'days', 'slice_id day from_at to_at event_count bytes set_aside'),
  retained('public.ledger_slice_writer', 'days', 'slice_id writer_id first_seq last_seq'),
  retained(
    'public.ledger_damage',
    'reasons, which contain no text of events',
    'writer_id seq event_count reason noticed_at',
  ),
  retained('public.worker', 'processes', 'worker_id process started_at beat seen'),
  retained('public.bucket', 'leases', 'bucket worker_id fence cursor'),
  retained(
    'public.refused_call',
    'counts of calls by key, which contain no text of the calls',
    'refused_call_id brand_id reason kind api_key_id key_start calls first_at last_at',
  ),
  // Bodies without a user_id are first assigned to their player (quarantine-mentions.ts).
  rows(
    'public.quarantine',
    `t.brand_id = s.brand_id
       and (btrim(t.user_id, ${blanks}) = btrim(s.user_id, ${blanks}) or t.corrected_user_id = s.user_id)`,
  ),
  rows('public.parked_event', 't.brand_id = s.brand_id and (t.player_hash = s.player_hash or t.user_id = s.user_id)'),
  rows('public.pending_protection', `t.player_hash = ${signedHash}`),
  elsewhere('public.journal', 'derived', ofPlayer),
  elsewhere('public.late_event', 'derived'),
  elsewhere('public.rebuild_difference', 'derived'),
  cells(
    'public.rebuild',
    `failures = (select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(t.failures) f where f ->> 'user_id' <> s.user_id)`,
    `rebuild_id brand_id player_id swap started_at finished_at outcome events players differences requested_at phase buckets_done
     buckets_of swapped longest_pause_ms cancel_requested failures rollup_differences`,
    `t.failures @> jsonb_build_array(jsonb_build_object('user_id', s.user_id))`,
  ),
  retained(
    'public.feed_minute',
    'counts over all players of a brand',
    `brand_id kind minute source events repeats conflicts orphans orphans_resolved unreadable flagged zoneless without_id
     last_received_at delays zoneless_hours`,
  ),
  retained('public.game', 'games', 'brand_id vendor_id game_id name name_day type type_day'),
  retained('public.vendor', 'vendors', 'brand_id vendor_id name name_day'),
  retained(
    'public.draw',
    'draws',
    `brand_id version lottery_id draw_id lottery_name lottery_name_at lottery_type lottery_type_at draw_date draw_date_at
     numbers numbers_at`,
  ),
  retained('public.sealed_day', 'days', 'day state reason events since dropped_at'),
  retained('public.pruned_fact', 'the progress of removing old facts', 'brand_id pruned_to done_to step'),
];
