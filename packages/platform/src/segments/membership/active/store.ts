import type { ClientBase, Pool } from 'pg';
import type { Phase } from './active-version.ts';

export interface ActiveRow {
  version_id: number;
  brand_id: number;
  phase: Phase;
}

export async function readActive(tx: ClientBase | Pool): Promise<ActiveRow[]> {
  const { rows } = await tx.query<ActiveRow>({
    name: 'read_segment_active',
    text: 'select version_id, brand_id, phase from segment_active order by version_id',
  });
  return rows;
}

/** Name of the advisory locks, one per version (below). */
const versionLocks = 0x73_65_76;

/**
 * Those of the versions that nobody settles at the moment: who evaluates single players shares a version, who settles many at once has it
 * alone. So a settlement sees all that was written before it, and nothing that it has overlooked is written beside it.
 */
export async function shareVersions(tx: ClientBase, versions: readonly number[]): Promise<Map<number, Phase>> {
  const { rows: locked } = await tx.query<{ version_id: number }>({
    name: 'share_segment_versions',
    text: `select version_id from unnest($1::int[]) version_id where pg_try_advisory_xact_lock_shared(${versionLocks}, version_id)`,
    values: [versions],
  });
  // A statement of its own: the phase may have changed while the lock was not held yet.
  const { rows } = await tx.query<ActiveRow>({
    name: 'read_segment_phases',
    text: `select version_id, brand_id, phase from segment_active where version_id = any($1::int[]) and phase <> 'kept'`,
    values: [locked.map(({ version_id }) => version_id)],
  });
  // One that is not active any more is left out, and so is treated as one that is busy: the next look finds it gone.
  return new Map(rows.map(({ version_id, phase }) => [version_id, phase]));
}

/** Waits until nobody evaluates players of the version. */
export async function lockVersion(tx: ClientBase, version_id: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, $2)', [versionLocks, version_id]);
}

/** @returns undefined if nobody enters or leaves it */
export async function readPhase(tx: ClientBase, version_id: number): Promise<Phase | undefined> {
  const { rows } = await tx.query<{ phase: Phase }>(
    `select phase from segment_active where version_id = $1 and phase <> 'kept'`,
    [version_id],
  );
  return rows[0]?.phase;
}
