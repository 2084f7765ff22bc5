import type { Micros } from '@croupier/contracts';
import type { References } from '../intents/intent.ts';

/*
 * Assigns the bonuses of one player and bonus_code to intents (docs/reference/decisions.md 5). Pure: a function of the set
 * of intents and the set of bonuses, regardless of the order of their arrival. So it is computed again whenever either
 * changes, and earlier results may be withdrawn.
 *
 *   1. references   A bonus that names an intent always belongs to it.
 *   2. explained    Intents that are credited by other proof (a plain 200, a person), or whose call is open, come before those in
 *                   doubt: one of the bonuses that fit is theirs, and it must not prove another intent. As many of these intents as
 *                   possible get a bonus. In the order of time, each bonus goes to the intent whose window closes first. (To begin
 *                   with the oldest intent would be wrong. An old intent with a long window could take the only bonus that fits a
 *                   newer one. Then the bonus that is left over would wrongly credit an intent in doubt.)
 *   3. matches      The remaining bonuses prove the intents in doubt, oldest first, each by the earliest bonus that fits.
 *
 * A bonus fits an intent if its FIRST event lies from 1 min before the intent's first call to 24 h after its last one. The
 * event must not say Reversed, Expired or Lost, and its references must not differ from those of the intent. The first
 * event counts because the call cannot have made a bonus that existed before it. Such a bonus may still be played, and get
 * new statuses, for weeks (docs/decisions/1020).
 */

/** Before the first call, because the operator's clock may be behind. */
const beforeFirst: Micros = 60_000_000;
/** After the last call. */
const afterLast: Micros = 24 * 3_600_000_000;

/**
 * - credited: it is credited, and not by a match; or a call is open, which may credit it
 * - in_doubt: unknown, with a person, or credited by a match only
 * - closed: certainly not credited, so only a reference can prove otherwise
 */
export type Certainty = 'credited' | 'in_doubt' | 'closed';

export interface AssignedIntent extends References {
  intent_id: string;
  certainty: Certainty;
  /** Null if no call has started. */
  first_attempt_at: Micros | null;
  last_attempt_at: Micros | null;
}

/** One bonus of the player: one grant, with any number of events. */
export interface Grant {
  user_bonus_id: string;
  /** The references as the operator returned them; null if it returned none. */
  references: ({ id?: string } & { [K in keyof References]?: string }) | null;
  /** The time of its earliest event. */
  at: Micros;
  status: string;
}

export const assignedHow = ['reference', 'match', 'explained'] as const;
export type AssignedHow = (typeof assignedHow)[number];
export interface Assigned {
  intent_id: string;
  how: AssignedHow;
}

/** @returns assignments by user_bonus_id; bonuses that belong to no intent are missing */
export function assign(intents: readonly AssignedIntent[], grants: readonly Grant[]): Map<string, Assigned> {
  const assigned = new Map<string, Assigned>();
  const proven = new Set<string>();
  const ids = new Set(intents.map(({ intent_id }) => intent_id));
  const free: Grant[] = [];
  for (const grant of [...grants].sort(inTime)) {
    const id = referenceOf(grant);
    if (id === null) free.push(grant);
    else if (ids.has(id)) {
      assigned.set(grant.user_bonus_id, { intent_id: id, how: 'reference' });
      proven.add(id);
    }
  }
  const without = intents.filter(({ intent_id }) => !proven.has(intent_id)).sort(oldestFirst);
  explain(
    without.filter(({ certainty }) => certainty === 'credited'),
    free,
    assigned,
  );
  match(
    without.filter(({ certainty }) => certainty === 'in_doubt'),
    free,
    assigned,
  );
  return assigned;
}

/** The id of the intent that a bonus names. Ids are UUIDs, and an operator may write them in capitals. */
export function referenceOf({ references }: Pick<Grant, 'references'>): string | null {
  return references?.id?.toLowerCase() ?? null;
}

function explain(intents: readonly AssignedIntent[], free: readonly Grant[], assigned: Map<string, Assigned>): void {
  const waiting = new Set(intents);
  for (const grant of free) {
    const closesFirst = [...waiting]
      .filter((intent) => fits(intent, grant))
      .reduce<AssignedIntent | undefined>(
        (first, intent) => (first && closes(first) <= closes(intent) ? first : intent),
        undefined,
      );
    if (closesFirst === undefined) continue;
    waiting.delete(closesFirst);
    assigned.set(grant.user_bonus_id, { intent_id: closesFirst.intent_id, how: 'explained' });
  }
}

function match(intents: readonly AssignedIntent[], free: readonly Grant[], assigned: Map<string, Assigned>): void {
  for (const intent of intents) {
    const grant = free.find((each) => !assigned.has(each.user_bonus_id) && fits(intent, each));
    if (grant !== undefined) assigned.set(grant.user_bonus_id, { intent_id: intent.intent_id, how: 'match' });
  }
}

const noGrants: ReadonlySet<string> = new Set(['reversed', 'expired', 'lost']);
const partialReferences = ['activity_id', 'action_id', 'action_group_id', 'trigger_hash'] as const;

/** Whether the bonus may have come from the intent's calls. */
export function fits(intent: AssignedIntent, { at, status, references }: Grant): boolean {
  const { first_attempt_at: first, last_attempt_at: last } = intent;
  if (first === null || last === null) return false;
  if (at < first - beforeFirst || at > last + afterLast || noGrants.has(status.toLowerCase())) return false;
  // An operator that returns other references without the id may still show that the bonus was for something else.
  return partialReferences.every((name) => references?.[name] === undefined || references[name] === intent[name]);
}

function closes({ last_attempt_at }: AssignedIntent): Micros {
  return last_attempt_at ?? 0;
}

function inTime(a: Grant, b: Grant): number {
  return a.at - b.at || (a.user_bonus_id < b.user_bonus_id ? -1 : 1);
}

function oldestFirst(a: AssignedIntent, b: AssignedIntent): number {
  return (a.first_attempt_at ?? 0) - (b.first_attempt_at ?? 0) || (a.intent_id < b.intent_id ? -1 : 1);
}
