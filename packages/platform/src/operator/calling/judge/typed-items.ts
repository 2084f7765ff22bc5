import { storableText } from '../storable.ts';
import { isObject, kindOf } from './answer.ts';
import type { FieldProblem, TypedItem } from './judgement.ts';

/** Consents and blocks are both lists of `{type, <a flag>, ...}`; what is read is the same but for the flag's name. */
export interface FlaggedItem extends TypedItem {
  /** null: not a boolean. */
  flag: boolean | null;
  item: Record<string, unknown>;
}

/** More items than any operator has types; the rest counts as unreadable. */
const maxItems = 100;
const maxTypeLength = 100;

/**
 * Reads the items of a list, each on its own. `unreadable` tells that one of them could not be read at all, so that
 * nothing may be concluded from a type that is absent.
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
      const message = `${path} must be an object with a readable type, ${kindOf(item)} was sent; it is left out`;
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
      const found = value === undefined ? 'it is missing' : `${kindOf(value)} was sent`;
      const message = `${path}.${flag} must be true or false, ${found}; ${inDoubt} until it is`;
      problems.push({ path: `${path}.${flag}`, reason: value === undefined ? 'missing' : 'wrong_type', message });
    }
    read.push({ type_key, type: known ?? spelling, spelling, flag: typeof value === 'boolean' ? value : null, item });
  }
  if (items.length > maxItems) {
    unreadable = true;
    problems.push({
      path: list,
      reason: 'too_large',
      message: `${list} has more than ${maxItems} items; the rest is left out`,
    });
  }
  return { read, unreadable, problems };
}

/**
 * One item a type: where a type is listed twice, the first of `order` that any of them says is taken.
 * The repetition is a problem, listed once a type.
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
      const message = `${options.list} lists ${first.type} ${same.length} times; the most careful one is taken`;
      problems.push({ path: `${options.list}.${first.type_key}`, reason: 'repeated_type', message });
    }
    const [careful] = options.order.flatMap((flag) => same.filter((item) => item.flag === flag));
    return [careful ?? first];
  });
}
