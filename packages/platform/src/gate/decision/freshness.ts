import type { Micros, ReconciliationField } from '@croupier/contracts';
import { type LookUp, lookUps } from '../../operator/judging/index.ts';
import type { ProtectionFacts, ProtectionInput } from '../../operator/protection/index.ts';
import type { HeldReason } from '../request.ts';

/** When each field of the brand was last reconciled in full. */
export type Reconciled = Partial<Record<ReconciliationField, Micros>>;

/** One look-up that a decision is based on: the age of its facts, and whether they are fresh enough. */
export interface Freshness {
  look_up: LookUp;
  /** Null if nothing is known. */
  as_of: Micros | null;
  /** Null if it is fresh. */
  lack: HeldReason | null;
}

/**
 * After a clock was set back, facts may have times in the future. They count as too old, because otherwise they would stay
 * fresh for too long.
 */
const toleratedAhead: Micros = 5 * 60_000_000;
const hour: Micros = 3_600_000_000;

/**
 * How fresh the look-up part of a fact is. Its age is the age of the look-up or of the reconciliation, whichever is newer
 * (docs/reference/decisions.md 7), but a reconciliation does not make a fact known that was never looked up.
 *
 * @param field the reconciliation of the same fact
 */
export function freshnessOf(
  facts: ProtectionFacts,
  part: { look_up: LookUp; field: ReconciliationField; input?: ProtectionInput },
  reconciled: Reconciled,
  limits: { now: Micros; fact_age_hours: number; update_pending: boolean },
): Freshness {
  const { look_up, field, input } = part;
  const knowledge = facts.look_ups[look_up];
  const known = knownSince(facts, look_up, input);
  const as_of = known === null ? null : Math.max(known, reconciled[field] ?? known);
  const isTooOld = as_of !== null && !isYoung(as_of, limits);
  const lack = as_of === null ? 'unknown' : knowledge?.outdated ? 'outdated' : isTooOld ? 'too_old' : null;
  return { look_up, as_of, lack: limits.update_pending ? 'update_pending' : lack };
}

/**
 * Look-ups that the contact does not need, but that an update of the player requested. Until they are answered, the player's state is
 * uncertain, because the update may have changed anything (docs/reference/decisions.md 7).
 */
export function otherOutdated(facts: ProtectionFacts, parts: readonly Freshness[]): Freshness[] {
  return lookUps.flatMap((look_up): Freshness[] => {
    const knowledge = facts.look_ups[look_up];
    if (!knowledge?.outdated || parts.some((part) => part.look_up === look_up)) return [];
    return [{ look_up, as_of: knowledge.as_of, lack: 'outdated' }];
  });
}

function knownSince(facts: ProtectionFacts, look_up: LookUp, input: ProtectionInput | undefined): Micros | null {
  // If the profile was deleted, the age of its look-up no longer counts.
  if (look_up === 'details' && facts.details === null) return null;
  const lookedUp = facts.look_ups[look_up]?.as_of ?? null;
  // A look-up does not renew a change that is not confirmed yet.
  if (input?.unconfirmed) return input.as_of;
  // A choice that the player made in the platform is known, even if no look-up was ever answered.
  if (input === undefined || input.in_doubt || input.value === null || input.as_of === null) return lookedUp;
  return Math.max(input.as_of, lookedUp ?? input.as_of);
}

function isYoung(as_of: Micros, { now, fact_age_hours }: { now: Micros; fact_age_hours: number }): boolean {
  return now - as_of <= fact_age_hours * hour && as_of - now <= toleratedAhead;
}
