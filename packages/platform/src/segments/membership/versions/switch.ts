import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { lockVersion } from '../active/store.ts';
import type { Cause } from '../cause.ts';
import { endComputation, startComputation } from '../settle/computation-store.ts';
import {
  activate,
  deactivate,
  forgetList,
  forgetPlayers,
  keepAsIs,
  readVersions,
  type StoredSegment,
  type StoredVersion,
  setVersionState,
} from './store.ts';

/**
 * A computed version comes into force and replaces the previous one, in one transaction. Differences between the
 * members of both become transitions, so that the transitions of each player keep alternating. They are silent, and the
 * first version of a segment makes none, unless the version was published to start campaigns.
 *
 * All transitions are written in this transaction, so a crash neither repeats nor loses one.
 */
export async function comeIntoForce(
  tx: ClientBase,
  {
    version,
    segment,
    kinds,
    at,
  }: { version: StoredVersion; segment: StoredSegment; kinds: readonly string[]; at: Micros },
): Promise<void> {
  const { version_id, segment_id } = version;
  const { brand_id, code } = segment;
  const versions = await readVersions(tx, [segment_id]);
  const before = versions.find(
    ({ state, version_id: id }) => (state === 'in_force' || state === 'failed') && id !== version_id,
  );
  // With a `computed_at`, this version was in force, failed, and is computed again: its members have already entered.
  const isFirst = before === undefined && version.computed_at === null;
  if (before !== undefined) {
    await deactivate(tx, before.version_id);
    await lockVersion(tx, before.version_id);
  }
  if (before !== undefined || (isFirst && version.starts_campaigns)) {
    const cause: Cause = { type: 'rule', version: version.version, at };
    await tx.query(
      `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
       select $1::int, player_id, $2::int, $3::int, case when n.player_id is null then 'left' else 'entered' end, $4::timestamptz, $5::jsonb, $8::boolean
         from (select player_id from segment_member where version_id = $6::int and not protected) o
         full join (select player_id from segment_member where version_id = $7 and not protected) n using (player_id)
        where o.player_id is null or n.player_id is null`,
      [
        brand_id,
        segment_id,
        version.version,
        timestamptzText(at),
        JSON.stringify(cause),
        before?.version_id ?? null,
        version_id,
        !version.starts_campaigns,
      ],
    );
  }
  if (before !== undefined) {
    // A player who stays a member keeps the original date.
    await tx.query(
      `update segment_member n set since = o.since from segment_member o
        where n.version_id = $1 and o.version_id = $2 and o.player_id = n.player_id and o.protected = n.protected`,
      [version_id, before.version_id],
    );
    await setVersionState(tx, before.version_id, 'past');
    await forgetPlayers(tx, before.version_id);
    await forgetList(tx, before.version_id);
  }
  await setVersionState(tx, version_id, 'in_force', { computed_at: at });
  // A segment cannot be paused or resumed while a version of it is computed.
  await activate(tx, { version_id, segment_id, brand_id, code }, 'in_force', kinds);
  if (segment.paused) await keepAsIs(tx, version_id);
  await endComputation(tx, version_id);
}

/**
 * Silently recomputes versions whose rules refer to a segment, because its members may have changed. A computation in
 * progress starts again.
 */
export async function recomputeThose(
  tx: ClientBase,
  versions: readonly { version_id: number; brand_id: number }[],
  at: Micros,
): Promise<void> {
  for (const { version_id, brand_id } of versions)
    await startComputation(tx, { version_id, brand_id, purpose: 'recompute', startsAgain: true }, at);
}
