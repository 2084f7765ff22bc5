import type { Credit } from '@croupier/sandbox';
import type { Acknowledged, Visitor } from '../load/visits.ts';
import { type Outcome, outcome } from '../outcome.ts';

export interface SiteEvidence {
  visitors: readonly Visitor[];
  acknowledged: Acknowledged;
  /** The operator's records. */
  credits: readonly Credit[];
  /** Marks of the custom events that the platform derived, one entry per event. */
  derived: readonly string[];
  /** MessageIds that the site shows as read. */
  shownAsRead: ReadonlySet<number>;
  /** MessageIds that were recalled in the meantime, read or not. */
  recalled: ReadonlySet<number>;
}

/**
 * P1: every event that was acknowledged to a page is stored once, no matter how often it was sent. Every stored event was sent by
 * a page.
 */
export function judgeTracked({ acknowledged: { sent, tracked }, derived }: SiteEvidence): Outcome {
  const times = Map.groupBy(derived, (mark) => mark);
  const broken = [
    ...[...tracked].filter((mark) => !times.has(mark)).map((mark) => `event ${mark} was acknowledged, but is lost`),
    ...[...times]
      .filter(([, list]) => list.length > 1)
      .map(([mark, list]) => `event ${mark} was derived ${list.length} times`),
    ...[...times.keys()].filter((mark) => !sent.has(mark)).map((mark) => `event ${mark} was never sent`),
  ];
  const counts = { tracked: tracked.size, derived: derived.length };
  return outcome('P1', 'each acknowledged event of a page is derived exactly once', counts, broken);
}

/** P6: a claim is credited once, no matter how often it was requested. A reward that was not claimed is not credited. */
export function judgeClaims({ visitors, acknowledged: { claimed }, credits }: SiteEvidence): Outcome {
  const creditsOf = Map.groupBy(credits, ({ idempotency_key }) => idempotency_key ?? '');
  const broken = visitors.flatMap(({ intent_id, user_id }) => {
    const made = creditsOf.get(intent_id)?.length ?? 0;
    const due = claimed.has(intent_id) ? 1 : 0;
    return made === due ? [] : [`the reward ${intent_id} of ${user_id} was credited ${made} times instead of ${due}`];
  });
  if (credits.length > visitors.length) broken.push(`${credits.length} credits for ${visitors.length} rewards`);
  const counts = { claimed: claimed.size, credits: credits.length };
  return outcome('P6', 'a claimed reward is credited once', counts, broken);
}

/** P1: if marking a message as read was answered 200, the site shows the message as read, unless it was recalled. */
export function judgeReads({ acknowledged: { read }, shownAsRead, recalled }: SiteEvidence): Outcome {
  const lost = [...read].filter(([id]) => !shownAsRead.has(id) && !recalled.has(id));
  const broken = lost.map(([id, { user_id }]) => `message ${id} of ${user_id} was marked as read, but is unread`);
  return outcome('P1', 'a message that was marked as read stays read', { read: read.size }, broken);
}
