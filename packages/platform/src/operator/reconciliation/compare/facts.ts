import type { Micros } from '@croupier/contracts';
import type { FieldSubject } from '../fields.ts';
import type { Fact } from './compare.ts';

/** What is stored about one player and one block type: the row, and the corresponding flag of the details. */
export interface BlockFacts {
  active: boolean | null;
  in_doubt: boolean;
  row_as_of: Micros | null;
  flag: boolean | null;
  flag_in_doubt: boolean;
  /**
   * If the flag was unusable in the last answer: the time of the last answer in which it was usable. Otherwise null.
   */
  flag_older: Micros | null;
  blocks_looked_up: Micros | null;
  details_looked_up: Micros | null;
  /** True for a change that was made in the platform and that the operator has not confirmed. */
  unconfirmed: boolean;
}

/** What is stored about one player and one consent type. */
export interface ConsentFacts {
  opted_in: boolean | null;
  in_doubt: boolean;
  row_as_of: Micros | null;
  consents_looked_up: Micros | null;
  unconfirmed: boolean;
}

/**
 * The player counts as blocked if the row or the flag says so. If either is in doubt, it counts as in force
 * (docs/reference/decisions.md 7). The age is the age of what is in force. If nothing is, it is the age of the row, because a
 * list would change the row.
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

/** A consent in doubt counts as unknown. */
export function consentFact(facts: ConsentFacts): Fact {
  const { opted_in, in_doubt, row_as_of, consents_looked_up, unconfirmed } = facts;
  const since = in_doubt ? row_as_of : latest(row_as_of, consents_looked_up);
  return { we_say: in_doubt ? null : opted_in, since, unconfirmed };
}

/** A player is active if neither blocked nor excluded. If one of them is unknown and the other is not true, the result is unknown. */
export function activeFact(blocked: Fact, excluded: Fact): Fact {
  const since = latest(blocked.since, excluded.since);
  if (blocked.we_say === true || excluded.we_say === true) return { we_say: false, since };
  if (blocked.we_say === null || excluded.we_say === null) return { we_say: null, since };
  return { we_say: true, since };
}

/** The look-ups that provide the facts of the field. They are requested if a list alone may not decide. */
export function lookUpsOf(about: FieldSubject['about']): ('details' | 'consents' | 'blocks')[] {
  return about === 'consent' ? ['consents'] : ['blocks', 'details'];
}

function latest(...times: (Micros | null)[]): Micros | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
}
