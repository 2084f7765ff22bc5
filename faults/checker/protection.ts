import type { Call } from '@croupier/sandbox';
import { type Outcome, outcome } from '../outcome.ts';
import type { ShownIntent } from './bonuses.ts';

export interface ProtectionEvidence {
  /** Bonus calls as the operator received them. */
  calls: readonly Call[];
  /** When the operator's event about a player's exclusion was acknowledged, in milliseconds since the epoch. */
  excluded: ReadonlyMap<string, number>;
  /** Players whose blocks the platform never knew. */
  hidden: readonly string[];
  intents: readonly ShownIntent[];
  /** Intents that the console lists as held. */
  held: ReadonlySet<string>;
  /** How long each offer was shown after the exclusion of its player, in milliseconds; Infinity if it was not dropped. */
  dropped: readonly number[];
  allowance: number;
}

/** Exclusions take effect within a second of the event. */
const effectMs = 1_000;

/** P5: a player gets no bonus if, at decision time, the exclusion of the player was known, or the blocks were unknown. */
export function judgeProtection(evidence: ProtectionEvidence): Outcome {
  const { calls, excluded, hidden, dropped, allowance } = evidence;
  const limit = effectMs * allowance;
  const broken = calls.flatMap((call) => {
    const since = excluded.get(call.user_id ?? '');
    if (since !== undefined && call.at > since + limit) {
      return [`a bonus of ${call.user_id} was requested ${call.at - since} ms after the exclusion was acknowledged`];
    }
    return hidden.includes(call.user_id ?? '') ? [`a bonus of ${call.user_id} was requested with unknown blocks`] : [];
  });
  const slow = dropped.filter((ms) => ms > limit);
  if (slow.length > 0)
    broken.push(`offers to ${slow.length} excluded players were shown for up to ${Math.max(...slow)} ms`);
  const slowest = Math.round(Math.max(0, ...dropped));
  const counts = { calls: calls.length, excluded: excluded.size, unknown: hidden.length, slowest_drop_ms: slowest };
  return outcome('P5', 'no bonus to a player who is excluded, or whose blocks are unknown', counts, broken);
}

/** P12: each failed, held or dropped item is visible with its reason. */
export function judgeVisible({ intents, hidden, held }: ProtectionEvidence): Outcome {
  const broken: string[] = [];
  const counts: Record<string, number> = { held: held.size };
  for (const { intent_id, user_id, state, reason } of intents) {
    if (state === 'credited') continue;
    counts[`${state}:${reason}`] = (counts[`${state}:${reason}`] ?? 0) + 1;
    if (!reason && state !== 'offered') broken.push(`intent ${intent_id} of ${user_id} is ${state} without a reason`);
    if (hidden.includes(user_id) && state === 'pending' && !held.has(intent_id)) {
      broken.push(`intent ${intent_id} of ${user_id} waits for the gate, but is not listed as held`);
    }
  }
  return outcome('P12', 'each failed, held or dropped item is visible with its reason', counts, broken);
}
