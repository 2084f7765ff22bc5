/*
 * Edits a rule by JSON path, such as /rules/0/value/rules/1. The platform uses the same paths for errors and for the
 * players that a condition removes. An edit never modifies the rule in place. The types are wide, because a rule that
 * is being edited may have errors anywhere.
 */
export interface Condition {
  field: string;
  operator?: string;
  match?: { mode: string; threshold: unknown };
  within?: string;
  value?: unknown;
}

export interface Branch {
  combinator: 'and' | 'or';
  not?: boolean;
  rules: Node[];
}

export type Node = Condition | Branch;

export const isBranch = (node: Node): node is Branch => 'rules' in node;

/** Returns whether the builder can show a rule as a tree. Such a rule may still have errors. */
export function isDrawable(rule: unknown): rule is Branch {
  return isObject(rule) && 'rules' in rule && isDrawableNode(rule);
}

function isDrawableNode(node: unknown): boolean {
  if (!isObject(node)) return false;
  if ('rules' in node)
    return (
      (node.combinator === 'and' || node.combinator === 'or') &&
      (node.not === undefined || typeof node.not === 'boolean') &&
      Array.isArray(node.rules) &&
      node.rules.every(isDrawableNode)
    );
  if (typeof node.field !== 'string') return false;
  if (!node.field.startsWith('did.')) return true;
  return isObject(node.match) && (node.value === undefined || isDrawable(node.value));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keysOf = (path: string) => path.split('/').slice(1);

export function nodeAt(rule: Branch, path: string): Node {
  let node: unknown = rule;
  for (const key of keysOf(path)) node = (node as Record<string, unknown>)[key];
  return node as Node;
}

export function withNodeAt(rule: Branch, path: string, node: Node): Branch {
  return changed(rule, keysOf(path), () => node) as Branch;
}

export function withoutNodeAt(rule: Branch, path: string): Branch {
  const { group, index } = placeOf(path);
  return changeRules(rule, group, (rules) => rules.toSpliced(index, 1));
}

export function withNodeIn(rule: Branch, group: string, node: Node, index?: number): Branch {
  return changeRules(rule, group, (rules) => rules.toSpliced(index ?? rules.length, 0, node));
}

export interface Moved {
  rule: Branch;
  /** The new path of the moved node. */
  path: string;
}

/**
 * Moves a node to a place in a group. Returns undefined if it cannot go there, because fields of a fact have no meaning
 * outside of its conditions.
 */
export function moved(rule: Branch, from: string, group: string, index: number): Moved | undefined {
  if (scopeOf(from) !== scopeOf(`${group}/rules/0`) || `${group}/`.startsWith(`${from}/`)) return undefined;
  const node = { ...nodeAt(rule, from) };
  const hole: Node = { field: '' };
  const inserted = withNodeIn(withNodeAt(rule, from, hole), group, node, index);
  const holeAt = pathOf(inserted, hole);
  const result = holeAt === undefined ? inserted : withoutNodeAt(inserted, holeAt);
  return { rule: result, path: pathOf(result, node) ?? from };
}

/** Moves a node one place up or down, into and out of groups. Returns undefined if there is no further place. */
export function stepped(rule: Branch, path: string, direction: 'up' | 'down'): Moved | undefined {
  const { group, index } = placeOf(path);
  const { rules } = nodeAt(rule, group) as Branch;
  const next = rules[direction === 'up' ? index - 1 : index + 1];
  if (next === undefined) {
    if (!group.includes('/') || group.endsWith('/value')) return undefined;
    const outer = placeOf(group);
    return moved(rule, path, outer.group, direction === 'up' ? outer.index : outer.index + 1);
  }
  if (isBranch(next)) {
    const nextPath = `${group}/rules/${direction === 'up' ? index - 1 : index + 1}`;
    return moved(rule, path, nextPath, direction === 'up' ? next.rules.length : 0);
  }
  return moved(rule, path, group, direction === 'up' ? index - 1 : index + 2);
}

/** Returns the group that contains a node, and the index of the node. */
export function placeOf(path: string): { group: string; index: number } {
  const at = path.lastIndexOf('/rules/');
  return { group: path.slice(0, at), index: Number(path.slice(at + '/rules/'.length)) };
}

/**
 * Returns the path of the count of facts whose fields a node uses. For a node that uses fields of the player, it
 * returns ''.
 */
const scopeOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/value/')));

function changeRules(rule: Branch, group: string, change: (rules: Node[]) => Node[]): Branch {
  return changed(rule, [...keysOf(group), 'rules'], (rules) => change(rules as Node[])) as Branch;
}

function changed(value: unknown, [key, ...rest]: string[], change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(key), changed(value[Number(key)], rest, change));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: changed(object[key], rest, change) };
}

function pathOf(node: Node, sought: Node, path = ''): string | undefined {
  if (node === sought) return path;
  if (!isBranch(node))
    return isObject(node.value) && isDrawable(node.value) ? pathOf(node.value, sought, `${path}/value`) : undefined;
  for (const [index, child] of node.rules.entries()) {
    const found = pathOf(child, sought, `${path}/rules/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
