import { isDeepStrictEqual } from 'node:util';
import { type DetailsRecord, type ProfileFields, profileFields } from '../../judging/index.ts';
import type { AnswerTimes, ProfileRow } from './rows.ts';

/**
 * Merges a judged answer into the stored profile. Usable fields replace the old values. Unusable fields keep the old value and
 * its age.
 *
 * @returns undefined if nothing changed, so that the usual refresh (a login without changes) writes no row here
 */
export function mergeProfile(
  old: ProfileRow | undefined,
  player_id: number,
  record: DetailsRecord,
  times: AnswerTimes,
): ProfileRow | undefined {
  const fields = Object.fromEntries(profileFields.map((field) => [field, newest(field, old, record)]));
  const older: ProfileRow['older'] = {};
  for (const field of record.unusable) {
    const since = old?.older[field] ?? times.before;
    if (old && old[field] !== null && since !== null) older[field] = since;
  }
  const next: ProfileRow = {
    player_id,
    ...(fields as unknown as ProfileFields),
    segmentation: record.segmentation ?? old?.segmentation ?? {},
    extra: record.extra ?? old?.extra ?? {},
    older,
    blocked_in_doubt: record.blocked_in_doubt,
    excluded_in_doubt: record.excluded_in_doubt,
    changed_at: old?.changed_at ?? times.asked_at,
  };
  if (old && isDeepStrictEqual(next, old)) return undefined;
  return { ...next, changed_at: times.asked_at };
}

function newest(field: keyof ProfileFields, old: ProfileRow | undefined, record: DetailsRecord) {
  const value = record.fields[field];
  return value === undefined ? (old?.[field] ?? null) : value;
}
