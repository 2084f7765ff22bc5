import type { Joins } from './joins.ts';
import type { FieldReading } from './reading.ts';

/**
 * Where the stage stores the members of segments and the tags of players. The caller provides it, because rules
 * determine memberships, and rules depend on this folder.
 */
export interface Memberships {
  /** SQL, true or false: whether the player `p` is a member now. */
  segment(code: string, joins: Joins): string;
  /** SQL, true or false: whether the player `p` has the tag. */
  tag(name: string, joins: Joins): string;
}

/** No player is in any segment or has any tag. */
export const noMemberships: Memberships = { segment: () => 'false', tag: () => 'false' };

export function segmentReading(code: string, memberships: Memberships): FieldReading {
  return {
    field: { name: `segment.${code}`, kind: 'flag', title: `member of the segment ${code}` },
    sql: (joins) => memberships.segment(code, joins),
  };
}

export function tagReading(name: string, memberships: Memberships): FieldReading {
  return {
    field: { name: `tag.${name}`, kind: 'flag', title: `the tag ${name}` },
    sql: (joins) => memberships.tag(name, joins),
  };
}

/** A tag exists as soon as it is set, so a rule may use its name before that. */
export const tagName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
