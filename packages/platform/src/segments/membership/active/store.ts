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

/** First key of the advisory locks; the second is the version. */
const versionLocks = 0x73_65_76;

/**
 * Returns the versions that are not being settled at the moment. Evaluating single players locks a version shared;
 * settling many at once locks it exclusively. So a settlement sees everything that was written before it, and no evaluation
 * writes at the same time.
 */
export async function shareVersions(tx: ClientBase, versions: readonly number[]): Promise<Map<number, Phase>> {
  const { rows: locked } = await tx.query<{ version_id: number }>({
    name: 'share_segment_versions',
    text: `select version_id from unnest($1::int[]) version_id where pg_try_advisory_xact_lock_shared(${versionLocks}, version_id)`,
    values: [versions],
  });
  // A separate statement, because the phase may have changed before the lock was acquired.
  const { rows } = await tx.query<ActiveRow>({
    name: 'read_segment_phases',
    text: `select version_id, brand_id, phase from segment_active where version_id = any($1::int[]) and phase <> 'kept'`,
    values: [locked.map(({ version_id }) => version_id)],
  });
  // A version that is no longer active is left out, so this round treats it as busy. The next round does not find it.
  return new Map(rows.map(({ version_id, phase }) => [version_id, phase]));
}

/** Waits until no transaction evaluates players of the version. */
export async function lockVersion(tx: ClientBase, version_id: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, $2)', [versionLocks, version_id]);
}

/** @returns undefined if the version is not active */
export async function readPhase(tx: ClientBase, version_id: number): Promise<Phase | undefined> {
  const { rows } = await tx.query<{ phase: Phase }>(
    `select phase from segment_active where version_id = $1 and phase <> 'kept'`,
    [version_id],
  );
  return rows[0]?.phase;
}
