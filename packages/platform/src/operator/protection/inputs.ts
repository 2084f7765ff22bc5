import type { blockTypes, Micros } from '@croupier/contracts';
import type { BlockFact, ProtectionFacts } from './facts.ts';
import type { FactSource } from './source.ts';

/*
 * What each source says about a player, and what it counts as (docs/reference/decisions.md 7). Pure.
 *
 * The gate decides by these and shows them; transitions are found by comparing them. One reading for both, so that a queued
 * item is never dropped for something the gate would let pass, or the other way round.
 */

/** One thing that one source says. */
export interface ProtectionInput {
  about: 'excluded' | 'blocked' | 'consent';
  /** details.is_excluded, blocks.Excluded, consents.Email */
  input: string;
  /** As last clearly said. Null: never. */
  value: boolean | null;
  /** The last answer was neither true nor false. */
  in_doubt: boolean;
  /** A change made here that the operator's books have not confirmed. */
  unconfirmed: boolean;
  /** What it counts as: a block in doubt is in force, a consent in doubt or unknown is not given. */
  counts: boolean;
  /** Null: nobody has said anything. */
  source: FactSource | null;
  as_of: Micros | null;
}

const excludedKey = 'excluded';

/** Everything that may exclude the player; one that counts is enough. */
export function exclusionInputs(facts: ProtectionFacts): ProtectionInput[] {
  const { details } = facts;
  const flag = details && { value: details.is_excluded, in_doubt: details.excluded_in_doubt };
  const rows = blockRows(facts, 'Excluded').filter(({ type_key }) => type_key === excludedKey);
  return [detailsInput('excluded', 'is_excluded', flag, facts), ...rows.map((row) => blockInput('excluded', row))];
}

/** Everything that may block the player. A type that the interface does not know is a block, too. */
export function blockInputs(facts: ProtectionFacts): ProtectionInput[] {
  const { details } = facts;
  const flag = details && { value: details.is_blocked, in_doubt: details.blocked_in_doubt };
  const rows = blockRows(facts, 'Blocked').filter(({ type_key }) => type_key !== excludedKey);
  return [detailsInput('blocked', 'is_blocked', flag, facts), ...rows.map((row) => blockInput('blocked', row))];
}

export function consentInput(facts: ProtectionFacts, type: string): ProtectionInput {
  const row = facts.consents.find(({ type_key }) => type_key === type.toLowerCase());
  const as_of = facts.look_ups.consents?.as_of ?? null;
  const about = { about: 'consent', input: `consents.${row?.type ?? type}` } as const;
  // An answer that lacks the type leaves the consent unknown, and unknown is not given.
  if (row === undefined) return { ...about, ...unsaid, source: as_of === null ? null : 'look_up', as_of };
  const { opted_in: value, in_doubt, unconfirmed, source } = row;
  const counts = value === true && !in_doubt;
  return { ...about, value, in_doubt, unconfirmed, counts, source, as_of: ageOf(row, as_of) };
}

export interface Protection {
  excluded: boolean;
  blocked: boolean;
  /** Whether each counts as given, by its type in lower case; those never heard of are missing. */
  consents: Record<string, boolean>;
}

/** What all sources say together. */
export function protectionOf(facts: ProtectionFacts): Protection {
  return {
    excluded: exclusionInputs(facts).some(({ counts }) => counts),
    blocked: blockInputs(facts).some(({ counts }) => counts),
    consents: Object.fromEntries(
      facts.consents.map(({ type_key }) => [type_key, consentInput(facts, type_key).counts]),
    ),
  };
}

const unsaid = { value: null, in_doubt: false, unconfirmed: false, counts: false };

type Flag = { value: boolean | null; in_doubt: boolean };

function detailsInput(
  about: 'excluded' | 'blocked',
  field: string,
  flag: Flag | null,
  { look_ups }: ProtectionFacts,
): ProtectionInput {
  const input = `details.${field}`;
  if (flag === null) return { about, input, ...unsaid, source: null, as_of: null };
  // A flag that is not a boolean counts as true, and one that is not there is not a boolean.
  const counts = flag.in_doubt || flag.value !== false;
  return {
    about,
    input,
    ...flag,
    unconfirmed: false,
    counts,
    source: 'look_up',
    as_of: look_ups.details?.as_of ?? null,
  };
}

type Row = Omit<BlockFact, 'as_of' | 'source'> & Pick<ProtectionInput, 'as_of' | 'source'>;

/** The rows there are, and one for the type itself where nothing was said of it: a good answer without it says no (docs/decisions/0402). */
function blockRows({ blocks, look_ups }: ProtectionFacts, type: (typeof blockTypes)[number]): Row[] {
  const as_of = look_ups.blocks?.as_of ?? null;
  const rows = blocks.map((row) => ({ ...row, as_of: ageOf(row, as_of) }));
  const type_key = type.toLowerCase();
  if (rows.some((row) => row.type_key === type_key)) return rows;
  const none = as_of === null ? { active: null, source: null } : { active: false, source: 'look_up' as const };
  return [{ type_key, type, in_doubt: false, unconfirmed: false, as_of, ...none }, ...rows];
}

function blockInput(
  about: 'excluded' | 'blocked',
  { type, active: value, in_doubt, unconfirmed, source, as_of }: Row,
): ProtectionInput {
  const counts = in_doubt || value === true || (value === null && source !== null);
  return { about, input: `blocks.${type}`, value, in_doubt, unconfirmed, counts, source, as_of };
}

/** The younger of what the row says and the look-up that confirmed it; a row in doubt, or a change on its way, none did. */
function ageOf(row: Pick<BlockFact, 'in_doubt' | 'unconfirmed' | 'as_of'>, lookedUp: Micros | null): Micros {
  return row.in_doubt || row.unconfirmed || lookedUp === null ? row.as_of : Math.max(row.as_of, lookedUp);
}
