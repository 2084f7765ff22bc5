import { blockTypes } from '@croupier/contracts';
import { type CallResult, storableStart } from '../calling/index.ts';
import { isObject, kindOf, readAnswer, withoutRecord } from './answer.ts';
import type { Asked, BlocksRecord, FieldProblem, Judgment } from './judgment.ts';
import { oneItemPerType, readTypedItems } from './typed-items.ts';
import { whyUnusable } from './why-unusable.ts';

/**
 * Judges GET /userblocks: the answer counts if `blocks` is a list (docs/reference/decisions.md 4). An unclear value counts as "in force". A
 * block counts as not in force only if its flag is a plain `false`. If a type is listed twice, every entry must say so.
 */
export function judgeBlocks(result: CallResult, asked: Asked): Judgment<BlocksRecord> {
  const answer = readAnswer(result);
  if (answer.verdict !== 'readable') return answer;
  const { body } = answer;
  if (!isObject(body) || !Array.isArray(body.blocks)) return withoutRecord(body, 'a list of blocks');
  const unusable = whyUnusable(body, asked, 'the blocks');
  if (unusable !== undefined) return unusable;
  const list = 'blocks';
  const { read, unreadable, problems } = readTypedItems(body.blocks, {
    list,
    flag: 'active',
    types: blockTypes,
    inDoubt: 'it counts as in force',
    damaged: answer.damaged,
  });
  const blocks = oneItemPerType(read, { list, order: [true, null, false] }, problems).map(
    ({ type_key, type, spelling, flag, item }) => ({
      type_key,
      type,
      spelling,
      active: flag,
      note: readNote(item.note, `${list}.${type_key}.note`, problems),
    }),
  );
  return { verdict: 'record', record: { blocks, unreadable_items: unreadable }, problems };
}

const maxNote = 2_000;

/**
 * A missing note is fine (docs/reference/decisions.md 4). Nothing depends on a note, so a long one is cut rather than refused.
 */
function readNote(value: unknown, path: string, problems: FieldProblem[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return storableStart(value, maxNote);
  problems.push({
    path,
    reason: 'wrong_type',
    message: `${path} must be a string; received ${kindOf(value)}; the item is ignored`,
  });
  return null;
}
