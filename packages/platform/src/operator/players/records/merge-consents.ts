import type { ConsentsRecord } from '../../judging/index.ts';
import { isNewerThan } from './newer.ts';
import type { AnswerTimes, ConsentRow } from './rows.ts';

/**
 * Merges a judged answer into the stored consents. Returns only the rows that change.
 *
 * A type that the answer does not list becomes unknown, which counts as not given (docs/reference/decisions.md 7). A type whose
 * flag was unusable keeps its value and its age, in doubt: it counts as not given until an answer is clear again.
 *
 * @param held type_keys whose change in the platform takes precedence over this answer (own-changes.ts): their rows stay as they are
 */
export function mergeConsents(
  old: readonly ConsentRow[],
  player_id: number,
  record: ConsentsRecord,
  times: AnswerTimes,
  held: ReadonlySet<string> = new Set(),
): ConsentRow[] {
  const byType = new Map(old.map((row) => [row.type_key, row]));
  const fresh = { player_id, source: 'look_up', as_of: times.asked_at, in_doubt: false, unconfirmed: false } as const;
  const said = record.consents.map((item): ConsentRow => {
    const before = byType.get(item.type_key);
    if (item.opted_in !== null) return confirmed(before, { ...fresh, ...item });
    const as_of = before ? Math.max(before.as_of, before.in_doubt ? 0 : (times.before ?? 0)) : times.asked_at;
    return {
      ...fresh,
      ...item,
      source: before?.source ?? 'look_up',
      opted_in: before?.opted_in ?? null,
      in_doubt: true,
      as_of,
    };
  });
  const types = new Set(said.map((row) => row.type_key));
  const lacking = old
    .filter((row) => !types.has(row.type_key))
    .map(({ type_key, type, spelling }): ConsentRow => ({ ...fresh, type_key, type, spelling, opted_in: null }));
  return [...said, ...lacking].filter((row) => {
    const before = byType.get(row.type_key);
    if (held.has(row.type_key) || isTooOldFor(before, row)) return false;
    return (
      before === undefined ||
      before.opted_in !== row.opted_in ||
      before.in_doubt !== row.in_doubt ||
      before.unconfirmed !== row.unconfirmed ||
      before.spelling !== row.spelling
    );
  });
}

/** If the answer confirms a consent that was changed in the platform, the row keeps its source and time. */
function confirmed(before: ConsentRow | undefined, row: ConsentRow): ConsentRow {
  if (!before?.unconfirmed || before.opted_in !== row.opted_in) return row;
  return { ...row, source: before.source, as_of: before.as_of };
}

/** An older answer does not restore a consent that was withdrawn after it was requested. */
function isTooOldFor(before: ConsentRow | undefined, row: ConsentRow): boolean {
  return before !== undefined && isNewerThan(before, row) && row.opted_in === true && !row.in_doubt;
}
