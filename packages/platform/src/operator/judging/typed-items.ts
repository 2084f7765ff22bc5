import { storableText } from '../calling/index.ts';
import { isObject, kindOf } from './answer.ts';
import type { FieldProblem, TypedItem } from './judgment.ts';

/** Consents and blocks are both lists of `{type, <a flag>, ...}`. They are read in the same way, except for the flag's name. */
export interface FlaggedItem extends TypedItem {
  /** null if it is not a boolean. */
  flag: boolean | null;
  item: Record<string, unknown>;
}

/** Maximum number of items that are read, which is more than any operator has types. Further items count as unreadable. */
const maxItems = 100;
const maxTypeLength = 100;

/**
 * Reads the items of a list, each independently of the others. `unreadable` is true if an item could not be read at all. Then
 * a missing type proves nothing.
 */
export function readTypedItems(
  items: readonly unknown[],
  options: {
    list: 'consents' | 'blocks';
    flag: 'opted_in' | 'active';
    types: readonly string[];
    inDoubt: string;
    damaged: boolean;
  },
): { read: FlaggedItem[]; unreadable: boolean; problems: FieldProblem[] } {
  const { list, flag, types, inDoubt, damaged } = options;
  const problems: FieldProblem[] = [];
  const read: FlaggedItem[] = [];
  let unreadable = false;
  for (const [place, item] of items.slice(0, maxItems).entries()) {
    const path = `${list}[${place}]`;
    const spelling = isObject(item) && typeof item.type === 'string' ? storableText(item.type.trim()) : '';
    const isReadable = spelling !== '' && spelling.length <= maxTypeLength && !(damaged && spelling.includes('\ufffd'));
    if (!isObject(item) || !isReadable) {
      unreadable = true;
      const message = `${path} must be an object with a readable type; received ${kindOf(item)}; the item is ignored`;
      problems.push({ path, reason: 'wrong_type', message });
      continue;
    }
    const type_key = spelling.toLowerCase();
    const known = types.find((type) => type.toLowerCase() === type_key);
    if (known === undefined)
      problems.push({
        path: `${path}.type`,
        reason: 'unknown_type',
        message: `${path}.type is not one of ${types.join(', ')}; it is kept`,
      });
    const value = item[flag];
    if (typeof value !== 'boolean') {
      const found = value === undefined ? 'it is missing' : `received ${kindOf(value)}`;
      const message = `${path}.${flag} must be true or false; ${found}; ${inDoubt} until corrected`;
      problems.push({ path: `${path}.${flag}`, reason: value === undefined ? 'missing' : 'wrong_type', message });
    }
    read.push({ type_key, type: known ?? spelling, spelling, flag: typeof value === 'boolean' ? value : null, item });
  }
  if (items.length > maxItems) {
    unreadable = true;
    problems.push({
      path: list,
      reason: 'too_large',
      message: `${list} has more than ${maxItems} items; the rest is ignored`,
    });
  }
  return { read, unreadable, problems };
}

/**
 * Returns one item per type. If a type is listed twice, the flag that comes first in `order` wins. The repetition is a problem,
 * listed once per type.
 */
export function oneItemPerType(
  items: readonly FlaggedItem[],
  options: { list: string; order: readonly (boolean | null)[] },
  problems: FieldProblem[],
): FlaggedItem[] {
  const byType = Map.groupBy(items, (item) => item.type_key);
  return [...byType.values()].flatMap((same) => {
    const first = same[0];
    if (first === undefined) return [];
    if (same.length > 1) {
      const message = `${options.list} lists ${first.type} ${same.length} times; the most restrictive one is used`;
      problems.push({ path: `${options.list}.${first.type_key}`, reason: 'repeated_type', message });
    }
    const [careful] = options.order.flatMap((flag) => same.filter((item) => item.flag === flag));
    return [careful ?? first];
  });
}
