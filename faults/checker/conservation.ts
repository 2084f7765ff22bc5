import type { EventKind } from '@croupier/contracts';
import type { Acknowledged, Message } from '@croupier/sandbox';
import { type Outcome, outcome } from '../outcome.ts';

/** One event in the ledger. */
export interface StoredEvent {
  /** Its position in the ledger. */
  position: string;
  kind: EventKind;
  /** Identifies what was sent (load/mark.ts). */
  mark: string;
  /** Its content: equal for two bodies that differ only in form (docs/reference/decisions.md 2.2). */
  meaning: string;
}

export interface Evidence {
  /** `sent` has all messages that were passed to the publisher, by mark. `acknowledged` has those that were answered 200. */
  sent: ReadonlyMap<string, Message>;
  acknowledged: readonly Acknowledged[];
  stored: readonly StoredEvent[];
  /** The number of events according to the blocks of the ledger; `stored` was read from them one by one. */
  stored_claimed: number;
  /** Marks of the bodies in quarantine, one entry per row. */
  quarantined: readonly string[];
  /** The outcome of each event: one verdict per row of the journal, by position. */
  journal: ReadonlyMap<string, readonly string[]>;
}

/**
 * Kinds whose repeats derive recognizes. Balances and updates are missing here, because "exactly once" cannot be checked for them.
 * derive stores only the last balance, so an older one always counts as new, and it stores no updates.
 */
const derivedKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  ...(['registration', 'login', 'logout', 'payment', 'casino', 'gameround', 'sports'] as const),
  ...(['lottery_purchase', 'lottery', 'bonus', 'cart', 'custom'] as const),
]);

/**
 * P1: every acknowledged event is stored, every stored event was sent, and each distinct stored event is derived exactly once.
 * Pure.
 *
 * "Exactly once" has three parts here. Each event of the ledger has one row in the journal. Of all events with the same
 * content, at most one is not a repeat. No event is left parked. The players' totals prove that it had its effect, once
 * (player-truth.ts).
 */
export function judgeConservation(evidence: Evidence): Outcome[] {
  return [acknowledgedIsStored(evidence), storedIsSent(evidence), judgeDerived(evidence)];
}

function acknowledgedIsStored({ acknowledged, stored, stored_claimed, quarantined, sent }: Evidence): Outcome {
  const held = new Set(stored.map(({ mark }) => mark));
  const aside = new Set(quarantined);
  const broken: string[] = [];
  for (const { fingerprint, kind, label, user_id, quarantined } of acknowledged) {
    const where = `${label} ${kind} of ${user_id}`;
    if (quarantined && !aside.has(fingerprint)) broken.push(`${where}: acknowledged, but not in quarantine`);
    if (!quarantined && !held.has(fingerprint)) broken.push(`${where}: acknowledged, but not in the ledger`);
    if (!quarantined && label === 'invalid') broken.push(`${where}: an invalid message was accepted`);
    if (quarantined && label !== 'invalid') broken.push(`${where}: a valid message was put into quarantine`);
  }
  if (aside.size < quarantined.length) broken.push('a body is in quarantine twice');
  if (stored.length !== stored_claimed) {
    broken.push(`the blocks of the ledger state ${stored_claimed} events, but contain ${stored.length}`);
  }
  const counts = { sent: sent.size, acknowledged: acknowledged.length, quarantined: quarantined.length };
  return outcome('P1', 'every acknowledged event is stored', counts, broken);
}

function storedIsSent({ stored, sent }: Evidence): Outcome {
  const broken = stored
    .filter(({ mark }) => !sent.has(mark))
    .map(({ position, kind }) => `${kind} at ${position}: in the ledger, but never sent`);
  const distinct = new Set(stored.map(({ mark }) => mark)).size;
  return outcome('P1', 'every stored event was sent', { stored: stored.length, distinct }, broken);
}

/** The last part of P1, which does not need a list of sent messages. */
export function judgeDerived({ stored, journal }: Pick<Evidence, 'stored' | 'journal'>): Outcome {
  const broken: string[] = [];
  const effects = new Map<string, number>();
  const positions = new Set<string>();
  let repeats = 0;
  for (const { position, kind, meaning } of stored) {
    positions.add(position);
    const verdicts = journal.get(position) ?? [];
    const [verdict] = verdicts;
    if (verdicts.length !== 1) broken.push(`${kind} at ${position}: ${verdicts.length} rows in the journal`);
    if (verdict === 'parked' || verdict === 'unreadable') broken.push(`${kind} at ${position}: left ${verdict}`);
    if (verdict === 'repeat') repeats += 1;
    else if (derivedKinds.has(kind)) effects.set(meaning, (effects.get(meaning) ?? 0) + 1);
  }
  for (const [meaning, times] of effects) {
    if (times > 1) broken.push(`${meaning}: ${times} equal events were applied as new`);
  }
  for (const position of journal.keys()) {
    if (!positions.has(position))
      broken.push(`the journal has an entry for ${position}, where the ledger has no event`);
  }
  const counts = { journal_rows: journal.size, repeats, derived_meanings: effects.size };
  return outcome('P1', 'each distinct stored event is derived exactly once', counts, broken);
}
