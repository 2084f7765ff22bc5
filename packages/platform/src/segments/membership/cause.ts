import type { EventKind, Micros } from '@croupier/contracts';

/** Why somebody entered or left. `at` is when the cause happened, which is never later than the transition. */
export type Cause =
  /** An event of the ledger, named as the journal names it. */
  | { type: 'event'; id: string; kind: EventKind; at: Micros }
  /** The clock alone: a window slid, an hour or a day ended. */
  | { type: 'time'; at: Micros }
  /** What the operator, the player or staff told of details, consents and blocks. */
  | { type: 'record'; source: string; at: Micros }
  /** Protection began or ended. */
  | { type: 'protection'; source: string; at: Micros }
  /** A message of the platform went out, was shown, read, clicked or closed, or came to its end. */
  | { type: 'message'; id: string; at: Micros }
  /** An offer was made to the player, claimed, or came to its end. */
  | { type: 'offer'; id: string; at: Micros }
  | { type: 'tag'; tag: string; by: string; at: Micros }
  /** Another segment that the rule asks for. */
  | { type: 'segment'; code: string; at: Micros }
  /** A new version. */
  | { type: 'rule'; version: number; at: Micros }
  /** A recomputation found a difference, or a rebuild exchanged facts and totals. */
  | { type: 'recomputation'; at: Micros };

/** A cause as news carry it. */
export interface News {
  cause: Cause;
  /** An event older than the brand's trigger age, or what follows from a silent transition: membership changes, nothing else does. */
  silent: boolean;
}

/**
 * Of several causes of one change the one that is named: what somebody did rather than the clock, loud before silent, the latest of them. A
 * silent cause beside the clock alone is named: an import that meets a midnight must not start campaigns.
 */
export function leadingCause(news: readonly News[]): News | undefined {
  return news.reduce<News | undefined>((best, one) => (best === undefined || leads(one, best) ? one : best), undefined);
}

function leads(one: News, other: News): boolean {
  if ((one.cause.type === 'time') !== (other.cause.type === 'time')) return other.cause.type === 'time';
  if (one.silent !== other.silent) return other.silent;
  return one.cause.at > other.cause.at;
}

/** Clocks of operators, and of other machines of ours, may be ahead: a transition is never earlier than its cause. */
export function notLaterThan(at: Micros, { cause, silent }: News): News {
  return { cause: { ...cause, at: Math.min(cause.at, at) }, silent };
}
