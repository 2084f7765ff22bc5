import type { Call } from '@croupier/sandbox';
import type { BonusOrder } from '../load/bonus-orders.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { ShownIntent } from './bonuses.ts';

/** A message that was ordered for a player after the player's exclusion was acknowledged. */
export interface LateMessage {
  message_id: number;
  user_id: string;
  /** Its state when its order was answered, and its state at the end. */
  states: readonly string[];
}

/** The unread marketing messages that the site listed for a player. */
export interface MarketingList {
  user_id: string;
  /** When the page made the request, in milliseconds since the epoch. */
  asked_at: number;
  message_ids: readonly number[];
}

export interface BehindEvidence {
  /** Bonus calls as the operator received them. */
  calls: readonly Call[];
  orders: readonly BonusOrder[];
  /** When the event about a player's exclusion was acknowledged, in milliseconds since the epoch. */
  excluded: ReadonlyMap<string, number>;
  messages: readonly LateMessage[];
  /** The lists that pages requested before and after the exclusions. */
  lists: readonly MarketingList[];
  intents: readonly ShownIntent[];
  /** The periods in which derive was behind. */
  troubles: readonly { from: number; to: number }[];
  /** Reasons that `contactability` returned for excluded players while derive was behind. */
  shown: readonly (string | null)[];
  imported: number;
  allowance: number;
}

/** A call that was decided before the event was committed arrives within this time. */
const underWayMs = 1_000;

/**
 * P15. If a bonus is ordered after the exclusion was acknowledged, the operator must never be called for it. If a message is ordered then,
 * it must never be live. No delay is allowed. Calls that were ordered before may be in progress. But a page that makes a request after the
 * acknowledgment must not show marketing, no matter when it was ordered.
 */
export function judgeBehind(evidence: BehindEvidence): Outcome {
  const { calls, orders, excluded, messages, lists, allowance } = evidence;
  const orderOf = new Map(orders.map((order) => [order.intent_id, order]));
  const broken: string[] = [];
  let underWay = 0;
  for (const { user_id, at, headers } of calls) {
    const since = excluded.get(user_id ?? '');
    const order = orderOf.get(headers['idempotency-key'] ?? '');
    if (since === undefined || at <= since) continue;
    if (order !== undefined && order.ordered_at > since) {
      broken.push(
        `a bonus of ${user_id} was requested that was ordered ${order.ordered_at - since} ms after the exclusion`,
      );
    } else if (at > since + underWayMs * allowance) {
      broken.push(`a bonus of ${user_id} was requested ${at - since} ms after the exclusion was acknowledged`);
    } else underWay += 1;
  }
  for (const { message_id, user_id, states } of messages) {
    if (states.includes('live')) broken.push(`message ${message_id} was shown to ${user_id} after the exclusion`);
  }
  const listed = { before: 0, after: 0 };
  for (const { user_id, asked_at, message_ids } of lists) {
    const since = excluded.get(user_id);
    if (since === undefined) continue;
    if (asked_at < since) listed.before += message_ids.length;
    else {
      listed.after += 1;
      if (message_ids.length > 0)
        broken.push(`${user_id} was shown ${message_ids.join(', ')} ${asked_at - since} ms after the exclusion`);
    }
  }
  const late = orders.filter(
    ({ user_id, ordered_at }) => ordered_at > (excluded.get(user_id) ?? Number.POSITIVE_INFINITY),
  );
  const counts = {
    excluded: excluded.size,
    ordered_after: late.length,
    messages_after: messages.length,
    shown_before: listed.before,
    lists_after: listed.after,
    calls: calls.length,
    under_way: underWay,
    imported: evidence.imported,
  };
  return outcome('P15', 'no contact and no credit begins after an acknowledged exclusion', counts, broken);
}

/** Other players do not wait: players without an update get credits while derive is behind. */
export function judgeOthersServed({ calls, excluded, troubles }: BehindEvidence): Outcome {
  const others = calls.filter(({ user_id }) => !excluded.has(user_id ?? ''));
  const served = troubles.map(({ from, to }) => others.filter(({ at }) => at > from && at < to).length);
  const broken = served.flatMap((count, n) => (count === 0 ? [`no other player was credited in period ${n + 1}`] : []));
  const counts = { others_credited: served.reduce((sum, count) => sum + count, 0) };
  return outcome('P15', 'players without an update are credited while derive is behind', counts, broken);
}

/** P12: a waiting contact has a reason. At the end, everything that was ordered too late is rejected because of the exclusion. */
export function judgeReasons({ orders, excluded, intents, shown }: BehindEvidence): Outcome {
  const intentOf = new Map(intents.map((intent) => [String(intent.intent_id), intent]));
  const broken: string[] = [];
  for (const { intent_id, user_id, ordered_at } of orders) {
    const since = excluded.get(user_id);
    if (since === undefined || ordered_at <= since) continue;
    const { state, reason } = intentOf.get(intent_id) ?? { state: 'missing', reason: null };
    if (state !== 'rejected' || reason !== 'excluded')
      broken.push(`intent ${intent_id} of ${user_id} is ${state}: ${reason}`);
  }
  const waiting = shown.filter((reason) => reason === 'update_pending').length;
  return outcome(
    'P12',
    'a contact that waits for an update shows this reason, and is rejected because of the exclusion',
    { shown_pending: waiting },
    broken,
  );
}
