import type { Micros } from '@croupier/contracts';
import type { FieldSubject } from '../fields.ts';
import type { Fact } from './compare.ts';

/** What is stored of one player about one block type: the row, and the flag of the details that says the same. */
export interface BlockFacts {
  active: boolean | null;
  in_doubt: boolean;
  row_as_of: Micros | null;
  flag: boolean | null;
  flag_in_doubt: boolean;
  /** Since when the flag stands although a later answer could not be used; else null. */
  flag_older: Micros | null;
  blocks_looked_up: Micros | null;
  details_looked_up: Micros | null;
  /** The row is a change of ours that the operator's books have not confirmed. */
  unconfirmed: boolean;
}

/** What is stored of one player about one consent type. */
export interface ConsentFacts {
  opted_in: boolean | null;
  in_doubt: boolean;
  row_as_of: Micros | null;
  consents_looked_up: Micros | null;
  unconfirmed: boolean;
}

/**
 * Any source counts, and one in doubt counts as in force (docs/reference/decisions.md 7). The age is that of what speaks: of the block and
 * flag that are in force, or else of the block row, which is what a list would change.
 */
export function blockFact(facts: BlockFacts): Fact {
  const { active, in_doubt, row_as_of, flag, flag_in_doubt, flag_older, blocks_looked_up, details_looked_up } = facts;
  const { unconfirmed } = facts;
  const rowAge = in_doubt ? row_as_of : latest(row_as_of, blocks_looked_up);
  const flagAge = flag_older ?? details_looked_up;
  const inForce = [
    ...(active === true || in_doubt ? [rowAge] : []),
    ...(flag === true || flag_in_doubt ? [flagAge] : []),
  ];
  if (inForce.length > 0) return { we_say: true, since: latest(...inForce), unconfirmed };
  return { we_say: rowAge === null ? null : false, since: rowAge, unconfirmed };
}

/** One in doubt is as good as unknown. */
export function consentFact(facts: ConsentFacts): Fact {
  const { opted_in, in_doubt, row_as_of, consents_looked_up, unconfirmed } = facts;
  const since = in_doubt ? row_as_of : latest(row_as_of, consents_looked_up);
  return { we_say: in_doubt ? null : opted_in, since, unconfirmed };
}

/** Active is who is neither blocked nor excluded; unknown while we know nothing of either. */
export function activeFact(blocked: Fact, excluded: Fact): Fact {
  const since = latest(blocked.since, excluded.since);
  if (blocked.we_say === true || excluded.we_say === true) return { we_say: false, since };
  if (blocked.we_say === null || excluded.we_say === null) return { we_say: null, since };
  return { we_say: true, since };
}

/** Which look-ups bring what we know of the field, and decide where a list may not. */
export function lookUpsOf(about: FieldSubject['about']): ('details' | 'consents' | 'blocks')[] {
  return about === 'consent' ? ['consents'] : ['blocks', 'details'];
}

function latest(...times: (Micros | null)[]): Micros | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
}
