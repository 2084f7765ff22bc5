import type { Joins } from './joins.ts';
import type { FieldReading } from './reading.ts';

/**
 * Where the stage keeps who is in a segment and who has a tag. It is handed in, because memberships are made by rules and this room is below
 * them.
 */
export interface Memberships {
  /** SQL, true or false: whether the player `p` is a member now. */
  segment(code: string, joins: Joins): string;
  /** SQL, true or false: whether the player `p` has the tag. */
  tag(name: string, joins: Joins): string;
}

/** Nobody is in any segment or has any tag. */
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

/** Tags exist as soon as somebody sets them, so a rule may name one before. */
export const tagName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
