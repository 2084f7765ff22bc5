import type { blockTypes, Micros } from '@croupier/contracts';
import type { BlockFact, ProtectionFacts } from './facts.ts';
import type { FactSource } from './source.ts';

/*
 * What each source says about a player, and how it counts (docs/reference/decisions.md 7). Pure.
 *
 * The gate decides by these inputs and shows them; transitions are found by comparing them. Both use the same code. So a
 * queued item is dropped for exactly those reasons for which the gate would withhold it.
 */

/** The statement of one source. */
export interface ProtectionInput {
  about: 'excluded' | 'blocked' | 'consent';
  /** Its name: details.is_excluded, blocks.Excluded, consents.Email. */
  input: string;
  /** The last clear value. Null if there was none. */
  value: boolean | null;
  /** The last answer was neither true nor false. */
  in_doubt: boolean;
  /** True for a change that was made in the platform and that the operator has not confirmed. */
  unconfirmed: boolean;
  /** How it counts: a block in doubt is in force; a consent in doubt or unknown is not given. */
  counts: boolean;
  /** Null if no source has given a value. */
  source: FactSource | null;
  as_of: Micros | null;
}

const excludedKey = 'excluded';

/** Everything that may exclude the player. One input that counts is enough. */
export function exclusionInputs(facts: ProtectionFacts): ProtectionInput[] {
  const { details } = facts;
  const flag = details && { value: details.is_excluded, in_doubt: details.excluded_in_doubt };
  const rows = blockRows(facts, 'Excluded').filter(({ type_key }) => type_key === excludedKey);
  return [detailsInput('excluded', 'is_excluded', flag, facts), ...rows.map((row) => blockInput('excluded', row))];
}

/** Everything that may block the player. A block of an unknown type counts, too. */
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
  // If an answer does not list the type, the consent is unknown, which counts as not given.
  if (row === undefined) return { ...about, ...unsaid, source: as_of === null ? null : 'look_up', as_of };
  const { opted_in: value, in_doubt, unconfirmed, source } = row;
  const counts = value === true && !in_doubt;
  return { ...about, value, in_doubt, unconfirmed, counts, source, as_of: ageOf(row, as_of) };
}

export interface Protection {
  excluded: boolean;
  blocked: boolean;
  /** Whether each consent counts as given, by its type in lower case. Types without any information are missing. */
  consents: Record<string, boolean>;
}

/** The result of all sources together. */
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
  // A flag that is not a boolean counts as true; so does a missing flag.
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

/**
 * Returns the stored rows. If the type has no row, one is added: a good answer without the type means "not in force" (docs/decisions/0402).
 */
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

/**
 * The later of the row's own time and the look-up that confirmed it. A row in doubt, or a change that is being written, has not
 * been confirmed.
 */
function ageOf(row: Pick<BlockFact, 'in_doubt' | 'unconfirmed' | 'as_of'>, lookedUp: Micros | null): Micros {
  return row.in_doubt || row.unconfirmed || lookedUp === null ? row.as_of : Math.max(row.as_of, lookedUp);
}
