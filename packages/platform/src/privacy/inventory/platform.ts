import { retained, type TableEntry } from './table.ts';

/** The installation itself, its staff, and the erasures. */
export const platformTables: readonly TableEntry[] = [
  retained(
    'public.brand',
    'settings; they may contain a test user, which the configuration of the brand names',
    'brand_id code name declared settings secrets created_at updated_at',
  ),
  retained('public.brand_holdout', 'the size of the control group over time', 'brand_id since percent'),
  retained('public.api_key', 'keys', 'api_key_id brand_id name sha256 declared created_at revoked_at'),
  retained('public.console_account', 'staff', 'account_id email password created_at password_set_at disabled_at'),
  retained('public.console_grant', 'staff', 'account_id brand_id role'),
  retained(
    'public.console_session',
    'staff',
    'sha256 session_id account_id created_at expires_at last_used_at proven_at signed_in_by second_factor device network',
  ),
  retained('public.console_identity', 'staff', 'account_id issuer subject linked_at'),
  retained('public.console_totp', 'staff', 'account_id secret confirmed_at last_step'),
  retained('public.console_recovery_code', 'staff', 'account_id sha256 used_at'),
  retained(
    'public.console_passkey',
    'staff',
    'passkey_id account_id credential_id public_key sign_count transports name created_at last_used_at',
  ),
  retained('public.console_code_failure', 'staff', 'account_id failures window_ends_at'),
  retained('public.console_used_ticket', 'random numbers', 'ticket_id expires_at'),
  retained('public.console_second_factor_rule', 'settings', 'brand_id'),
  retained('public.console_login_failure', 'hashes', 'subject failures window_ends_at turn_at'),
  retained(
    'public.console_audit',
    'identifies players and other records only by their numbers',
    'audit_id at account_id actor brand_id action subject details',
    `t.brand_id = s.brand_id and t.subject = 'player ' || s.player_id`,
  ),
  retained('public.console_audit_mark', 'numbers', 'audit_id seal_no'),
  retained('public.console_audit_seal', 'hashes', 'seal_no entries audit_ids leaves root previous hash sealed_at'),
  // Its user_id is deleted when the erasure is over.
  retained(
    'public.erasure',
    'the fact and time of an erasure, without a name',
    `number erasure_id brand_id player_id user_key user_id forced step held_because tries due_at claim requested_at closed_at finished_at counts`,
  ),
  retained('public.erased_user', 'keyed hashes, for 30 days', 'user_key brand_id bucket erased_at until dropped'),
  retained('public.erasure_epoch', 'a number', 'one epoch'),
  retained('public.erasure_leftover', 'places in the ledger', 'writer_id seq bucket'),
  retained('public.erased_rollup', 'sums over erased players', 'name brand_id day figures'),
  retained('public.process_clock', 'clocks of processes', 'process offset_ms compared_at'),
  retained('public.schema_migration', 'names of files', 'name sha256 applied_at'),
];
