import type { ConsentsRecord } from '../judge/judgement.ts';
import type { AnswerTimes, ConsentRow } from './rows.ts';

/**
 * The consents after a judged answer; only the rows that change.
 *
 * A type that the answer lacks becomes unknown, which is not given (decisions.md 7). One whose flag was unusable keeps
 * its value and its age, in doubt: it counts as not given until it is clear again.
 */
export function mergeConsents(
  old: readonly ConsentRow[],
  player_id: number,
  record: ConsentsRecord,
  times: AnswerTimes,
): ConsentRow[] {
  const byType = new Map(old.map((row) => [row.type_key, row]));
  const fresh = { player_id, source: 'look_up', as_of: times.asked_at, in_doubt: false } as const;
  const said = record.consents.map((item): ConsentRow => {
    if (item.opted_in !== null) return { ...fresh, ...item };
    const before = byType.get(item.type_key);
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
    return (
      before === undefined ||
      before.opted_in !== row.opted_in ||
      before.in_doubt !== row.in_doubt ||
      before.spelling !== row.spelling
    );
  });
}
