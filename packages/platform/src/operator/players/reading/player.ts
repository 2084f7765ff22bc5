import { blockTypes, consentTypes, type Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { JsonObject } from '../../calling/index.ts';
import {
  type LookUp,
  type LookUpFailure,
  lookUps,
  type ProfileField,
  type ProfileFields,
  profileFields,
} from '../../judging/index.ts';
import type { FactSource } from '../../protection/index.ts';
import { readProfiles } from '../records/record-store.ts';
import type { ProfileRow } from '../records/rows.ts';
import { type PlayerRows, type ProblemRow, readPlayerRows, type SyncRow } from './player-store.ts';

/** What the operator reported about a player, with its age: the shape of docs/reference/design.md 6, times in microseconds. */
export interface SyncedPlayer {
  /** null if no look-up has succeeded. */
  profile: Profile | null;
  /** One entry for each type of the interface, and for others that the operator sends. */
  consents: Consent[];
  blocks: Block[];
  sync: PlayerSync;
}

export interface Profile extends ProfileFields {
  segmentation: JsonObject;
  /** Fields that the interface does not know. */
  extra: JsonObject;
  as_of: Micros | null;
  source: FactSource;
  /** Fields that were unusable in the last answer, each with the time of the last answer in which it was usable. */
  older: Partial<Record<ProfileField, Micros>>;
  /** Flags whose last answer was not a boolean: they count as true (docs/reference/decisions.md 7). */
  in_doubt: ('is_blocked' | 'is_excluded')[];
}

export interface Consent {
  type: string;
  /** null if unknown, which counts as not given. */
  opted_in: boolean | null;
  /** The last answer was neither true nor false. The consent counts as not given, whatever `opted_in` is. */
  in_doubt: boolean;
  as_of: Micros | null;
  source: FactSource | null;
}

export interface Block {
  type: string;
  /** null if unknown, or never clearly answered. */
  active: boolean | null;
  note: string | null;
  /** The last answer was neither true nor false. The block counts as in force, whatever `active` is. */
  in_doubt: boolean;
  as_of: Micros | null;
  source: FactSource | null;
}

/**
 * - never: nothing was ever requested
 * - waiting: the first answer is due or on its way
 * - refreshing: there is an answer, and a newer one is on its way
 * - current
 * - retrying: the last try failed
 * - details_missing: the operator does not know the player
 */
export type SyncState = 'never' | 'waiting' | 'refreshing' | 'current' | 'retrying' | 'details_missing';

export interface SyncError {
  at: Micros;
  look_up: LookUp;
  reason: LookUpFailure;
  detail: string;
}

export interface LookUpState {
  state: SyncState;
  as_of: Micros | null;
  /** Consecutive failures, and when the next try is due (null if none is planned). */
  attempts: number;
  due_at: Micros | null;
  failing_since: Micros | null;
  last_error: SyncError | null;
}

export interface PlayerSync {
  /** The worst state of the three look-ups. */
  state: SyncState;
  /** The oldest of the three: everything is at least this fresh. Null until each has succeeded once. */
  last_success: Micros | null;
  last_error: SyncError | null;
  look_ups: Record<LookUp, LookUpState>;
  /** Parts of the last answers that could not be used. */
  problems: Omit<ProblemRow, 'player_id'>[];
}

export async function readSyncedPlayer(pool: Pool | ClientBase, playerId: number): Promise<SyncedPlayer> {
  return describePlayer(await readPlayerRows(pool, playerId));
}

/** The details that the operator reported, without their age. */
export type ProfileValues = Omit<Profile, 'as_of'>;

/** The details of many players in one statement. Players without details are left out. */
export async function readProfileValues(
  db: Pool | ClientBase,
  players: readonly number[],
): Promise<Map<number, ProfileValues>> {
  const rows = await readProfiles(db, players);
  return new Map(rows.map((row) => [row.player_id, describeProfile(row, null)]));
}

/** Converts rows to the reader's view. Pure. */
export function describePlayer(rows: PlayerRows): SyncedPlayer {
  const byLookUp = new Map(rows.sync.map((row) => [row.look_up, row]));
  const asOf = (lookUp: LookUp) => byLookUp.get(lookUp)?.as_of ?? null;
  return {
    profile: rows.profile ? describeProfile(rows.profile, asOf('details')) : null,
    consents: [
      ...missingTypes(consentTypes, rows.consents).map((type) => ({ ...nothing, type, opted_in: null })),
      ...rows.consents.map((row) => ({
        ...age(row, asOf('consents')),
        type: row.type,
        opted_in: row.opted_in,
        in_doubt: row.in_doubt,
      })),
    ].sort(byType(consentTypes)),
    blocks: [
      ...missingTypes(blockTypes, rows.blocks).map((type) => {
        // A type that a good answer did not list is not in force.
        const as_of = asOf('blocks');
        if (as_of === null) return { ...nothing, type, active: null, note: null };
        return { type, active: false, note: null, in_doubt: false, as_of, source: 'look_up' as const };
      }),
      ...rows.blocks.map((row) => ({
        ...age(row, asOf('blocks')),
        type: row.type,
        active: row.active,
        note: row.note,
        in_doubt: row.in_doubt,
      })),
    ].sort(byType(blockTypes)),
    sync: describeSync(byLookUp, rows.problems),
  };
}

function describeProfile(row: ProfileRow, as_of: Micros | null): Profile {
  const fields = Object.fromEntries(profileFields.map((field) => [field, row[field]])) as unknown as ProfileFields;
  const { segmentation, extra, older } = row;
  const in_doubt = [
    ...(row.blocked_in_doubt ? (['is_blocked'] as const) : []),
    ...(row.excluded_in_doubt ? (['is_excluded'] as const) : []),
  ];
  return { ...fields, segmentation, extra, as_of, source: 'look_up', older, in_doubt };
}

const nothing = { in_doubt: false, as_of: null, source: null };

/**
 * The later of the row's own time and the look-up that confirmed it. A doubtful row, or a change that is being written, has not
 * been confirmed.
 */
function age(
  row: { in_doubt: boolean; unconfirmed: boolean; as_of: Micros; source: FactSource },
  lookedUp: Micros | null,
) {
  if (row.in_doubt || row.unconfirmed || lookedUp === null || lookedUp <= row.as_of)
    return { as_of: row.as_of, source: row.source };
  return { as_of: lookedUp, source: 'look_up' as const };
}

function missingTypes(types: readonly string[], rows: readonly { type: string }[]): string[] {
  return types.filter((type) => !rows.some((row) => row.type === type));
}

/** The interface's order, then the other types by name. */
function byType(types: readonly string[]) {
  const place = (type: string) => (types.indexOf(type) + types.length + 1) % (types.length + 1);
  return (a: { type: string }, b: { type: string }) => place(a.type) - place(b.type) || a.type.localeCompare(b.type);
}

const worstFirst: SyncState[] = ['details_missing', 'retrying', 'waiting', 'refreshing', 'never', 'current'];

function describeSync(rows: ReadonlyMap<LookUp, SyncRow>, problems: readonly ProblemRow[]): PlayerSync {
  const states = Object.fromEntries(lookUps.map((lookUp) => [lookUp, describeLookUp(rows.get(lookUp))])) as Record<
    LookUp,
    LookUpState
  >;
  const all = lookUps.map((lookUp) => states[lookUp]);
  const times = all.map(({ as_of }) => as_of);
  const errors = all.flatMap(({ last_error }) => (last_error ? [last_error] : []));
  return {
    state: worstFirst.find((state) => all.some((one) => one.state === state)) ?? 'never',
    last_success: times.includes(null) ? null : Math.min(...times.map(Number)),
    last_error: errors.toSorted((a, b) => b.at - a.at)[0] ?? null,
    look_ups: states,
    problems: problems.map(({ player_id: _, ...problem }) => problem),
  };
}

function describeLookUp(row: SyncRow | undefined): LookUpState {
  if (row === undefined)
    return { state: 'never', as_of: null, attempts: 0, due_at: null, failing_since: null, last_error: null };
  const { as_of, attempts, due_at, failing_since, failed_at, failure, failure_detail, look_up } = row;
  const last_error =
    failed_at === null || failure === null
      ? null
      : { at: failed_at, look_up, reason: failure, detail: failure_detail ?? '' };
  return { state: stateOf(row), as_of, attempts, due_at, failing_since, last_error };
}

function stateOf(row: SyncRow): SyncState {
  if (row.parked) return 'details_missing';
  if (row.requested === row.done) return 'current';
  if (row.attempts > 0) return 'retrying';
  return row.as_of === null ? 'waiting' : 'refreshing';
}
