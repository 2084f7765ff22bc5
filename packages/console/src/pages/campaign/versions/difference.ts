import { armsOf, isObject, type Place, read, readList, readText, stepsIn } from '../draft/edits.ts';

/** How one part of a campaign differs between two versions. */
export interface PartDifference {
  /** The id of a step, or a field of the document such as `entry`. */
  step?: string;
  part?: string;
  how: 'added' | 'removed' | 'changed' | 'moved';
  before: unknown;
  after: unknown;
}

/**
 * The parts of a document other than its steps, in display order. Parts that are not listed follow, so no change is
 * left out.
 */
const parts = ['name', 'entry', 'audience', 'reentry', 'purpose', 'priority', 'products', 'goal', 'exit_when', 'halt'];

/**
 * Returns the differences between two documents, part by part and step by step. Steps are compared by their id. The
 * steps in the arms of a branch are compared separately, so a branch has changed only if its own rules or shares have
 * changed. `moved` means that the step is the same, but at another place.
 */
export function differenceOf(before: unknown, after: unknown): PartDifference[] {
  const found: PartDifference[] = [];
  for (const part of partsOf(before, after)) {
    const [one, other] = [read(before, [part]), read(after, [part])];
    if (isEqual(one, other)) continue;
    found.push({
      part,
      how: one === undefined ? 'added' : other === undefined ? 'removed' : 'changed',
      before: one,
      after: other,
    });
  }
  const [old, now] = [stepsOf(before), stepsOf(after)];
  for (const [step, { own, position }] of now) {
    const former = old.get(step);
    if (former === undefined) found.push({ step, how: 'added', before: undefined, after: own });
    else if (!isEqual(former.own, own)) found.push({ step, how: 'changed', before: former.own, after: own });
    else if (former.position !== position) found.push({ step, how: 'moved', before: former.position, after: position });
  }
  for (const [step, { own }] of old)
    if (!now.has(step)) found.push({ step, how: 'removed', before: own, after: undefined });
  return found;
}

function partsOf(...documents: unknown[]): Set<string> {
  const present = documents.flatMap((document) => (isObject(document) ? Object.keys(document) : []));
  return new Set([...parts, ...present.filter((part) => part !== 'code' && part !== 'steps')]);
}

/** Returns every step by its id, with its own content and its position. */
function stepsOf(document: unknown): Map<string, { own: unknown; position: string }> {
  return new Map(
    stepsIn(document).map(({ id, step, list, at }) => [
      id,
      { own: withoutInner(step), position: positionOf(document, list, at) },
    ]),
  );
}

/** Returns the list that contains a step, and the step before it. */
function positionOf(document: unknown, list: Place, at: number): string {
  const before = readText(readList(document, list)[at - 1], ['id']);
  return `${list.length > 1 ? armAt(document, list) : ''} > ${before}`;
}

/**
 * Names the step and the arm that contain a list. The id of the step is used, so the name stays the same after a move.
 */
function armAt(document: unknown, list: Place): string {
  const [kind, arm] = list.slice(-3);
  return `${readText(read(document, list.slice(0, -3)), ['id'])} ${kind} ${arm}`;
}

function withoutInner(step: unknown): unknown {
  if (!isObject(step)) return step;
  const arms = armsOf(step, []);
  if (arms.length === 0) return step;
  const key = 'branch' in step ? 'branch' : 'split';
  return {
    ...step,
    [key]: arms.map(({ arm }) => {
      const { steps: _steps, otherwise, ...own } = arm;
      return otherwise === undefined ? own : { ...own, otherwise: '…' };
    }),
  };
}

/** Returns whether two JSON values are equal. The order of fields does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, at) => isEqual(value, other[at]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(one[name], other[name]));
}
