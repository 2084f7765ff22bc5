import { blockTypes } from '@croupier/contracts';
import type { BlocksRecord } from '../../judging/index.ts';
import { isNewerThan } from './newer.ts';
import type { AnswerTimes, BlockRow } from './rows.ts';

/**
 * Merges a judged answer into the stored blocks. Returns only the rows that change.
 *
 * A type that the answer does not list is not in force, because operators list existing blocks only. But if an item could not
 * be read, it might have been of that type. Then both types of the interface are in doubt, which counts as in force.
 *
 * @param held type_keys whose change in the platform takes precedence over this answer (own-changes.ts): their rows stay as they are
 */
export function mergeBlocks(
  old: readonly BlockRow[],
  player_id: number,
  record: BlocksRecord,
  times: AnswerTimes,
  held: ReadonlySet<string> = new Set(),
): BlockRow[] {
  const byType = new Map(old.map((row) => [row.type_key, row]));
  const fresh = { player_id, source: 'look_up', as_of: times.asked_at, in_doubt: false, unconfirmed: false } as const;
  const said = record.blocks.map((item): BlockRow => {
    if (item.active !== null) return confirmed(byType.get(item.type_key), { ...fresh, ...item });
    return inDoubt(byType.get(item.type_key), { ...fresh, ...item }, times);
  });
  const types = new Set(said.map((row) => row.type_key));
  const lacking = [...byType.values(), ...(record.unreadable_items ? interfaceTypes : [])].filter(
    ({ type_key }) => !types.has(type_key),
  );
  const unsaid = new Map(
    lacking.map(({ type_key, type, spelling }) => {
      const row: BlockRow = { ...fresh, type_key, type, spelling, active: false, note: null };
      return [type_key, record.unreadable_items ? inDoubt(byType.get(type_key), { ...row, active: null }, times) : row];
    }),
  );
  return [...said, ...unsaid.values()].filter((row) => {
    const before = byType.get(row.type_key);
    if (held.has(row.type_key) || isTooOldFor(before, row)) return false;
    return (
      before === undefined ||
      before.active !== row.active ||
      before.in_doubt !== row.in_doubt ||
      before.unconfirmed !== row.unconfirmed ||
      before.note !== row.note ||
      before.spelling !== row.spelling
    );
  });
}

const interfaceTypes = blockTypes.map((type) => ({ type_key: type.toLowerCase(), type, spelling: type }));

/** If the answer confirms a block that was set in the platform, the row keeps its source and time. */
function confirmed(before: BlockRow | undefined, row: BlockRow): BlockRow {
  if (!before?.unconfirmed || before.active !== row.active) return row;
  return { ...row, source: before.source, as_of: before.as_of };
}

/** Keeps the last clear value and its age. */
function inDoubt(before: BlockRow | undefined, row: BlockRow, times: AnswerTimes): BlockRow {
  if (before === undefined) return { ...row, in_doubt: true };
  const as_of = Math.max(before.as_of, before.in_doubt ? 0 : (times.before ?? 0));
  return { ...row, active: before.active, note: before.note, source: before.source, in_doubt: true, as_of };
}

/** An older answer does not lift a block that was set after it was requested. */
function isTooOldFor(before: BlockRow | undefined, row: BlockRow): boolean {
  return before !== undefined && isNewerThan(before, row) && row.active === false && !row.in_doubt;
}
