import { type Dependencies, dependenciesOf, type Rule } from '@croupier/rules';
import type { News } from '../cause.ts';

/** A version whose members are maintained. */
export interface ActiveVersion {
  readonly version_id: number;
  readonly segment_id: number;
  readonly brand_id: number;
  readonly code: string;
  readonly version: number;
  /** null for a list. */
  readonly rule: Rule | null;
  readonly include_protected: boolean;
  readonly needs: Dependencies;
  readonly kinds: ReadonlySet<string>;
  /** True if details, consents or blocks can change the answer. */
  readonly readsRecords: boolean;
}

/** kept: the members no longer change, but other rules still read them. */
export type Phase = 'computing' | 'in_force' | 'kept';

const nothing: Dependencies = { fields: new Set(), facts: new Set(), segments: new Set(), tags: new Set() };

export function needsOf(rule: Rule | null): Dependencies {
  return rule === null ? nothing : dependenciesOf(rule);
}

/** True if the rule of the version reads what the cause changed. For a cause that may change anything, it is always true. */
export function readsCauseOf({ kinds, needs, readsRecords }: ActiveVersion, { cause }: News): boolean {
  switch (cause.type) {
    case 'event':
      return kinds.has(cause.kind);
    case 'message':
    case 'offer':
      return kinds.has(cause.type);
    case 'tag':
      return needs.tags.has(cause.tag);
    case 'segment':
      return needs.segments.has(cause.code);
    case 'record':
      return readsRecords;
    default:
      return true;
  }
}

/**
 * Orders versions so that each comes after those that its rule refers to. There are no cycles, because publishing
 * refuses them.
 */
export function inOrderOfNeed(versions: readonly ActiveVersion[]): ActiveVersion[] {
  const byCode = new Map<string, ActiveVersion[]>();
  for (const one of versions) byCode.set(one.code, [...(byCode.get(one.code) ?? []), one]);
  const ordered = new Set<ActiveVersion>();
  const visiting = new Set<ActiveVersion>();
  const visit = (one: ActiveVersion) => {
    if (ordered.has(one) || visiting.has(one)) return;
    visiting.add(one);
    for (const code of one.needs.segments) for (const other of byCode.get(code) ?? []) visit(other);
    ordered.add(one);
  };
  for (const one of versions) visit(one);
  return [...ordered];
}
