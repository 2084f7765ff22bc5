import type { Credit } from '@croupier/sandbox';
import type { BonusOrder } from '../load/bonus-orders.ts';
import { type Outcome, outcome } from '../outcome.ts';

/** A bonus intent as the console API lists it, with the fields that the promise needs. */
export interface ShownIntent {
  intent_id: string;
  user_id: string;
  bonus_code: string;
  state: string;
  /** Why it is in this state; null only if the state needs no reason. */
  reason: string | null;
}

export interface BonusEvidence {
  orders: readonly BonusOrder[];
  intents: readonly ShownIntent[];
  /** The operator's records. */
  credits: readonly Credit[];
}

const ends = ['credited', 'rejected', 'unknown', 'needs_person'];

/**
 * P6: the operator's records contain at most one credit per bonus intent, and every intent ends credited, rejected or waiting for a
 * person. An event resolves an unknown intent, or a person has to resolve it after 24 hours. So an unknown intent
 * counts as waiting for a person.
 *
 * It also checks more than the promise: rejected intents were never credited, every credit belongs to an order, and
 * players got no more of a bonus than was ordered for them.
 */
export function judgeBonuses({ orders, intents, credits }: BonusEvidence): Outcome {
  const creditsOf = Map.groupBy(credits, (credit) => credit.idempotency_key ?? '');
  const shown = new Map(intents.map((intent) => [intent.intent_id, intent]));
  const ordered = new Set(orders.map(({ intent_id }) => intent_id));
  const states: Record<string, number> = {};
  const broken: string[] = [];
  for (const { intent_id, user_id, key } of orders) {
    const intent = shown.get(intent_id);
    const credited = creditsOf.get(intent_id)?.length ?? 0;
    const name = `intent ${intent_id} (${key}) of ${user_id}`;
    if (credited > 1) broken.push(`${name} was credited ${credited} times`);
    if (intent === undefined) {
      broken.push(`${name} is not listed`);
      continue;
    }
    states[intent.state] = (states[intent.state] ?? 0) + 1;
    if (!ends.includes(intent.state)) broken.push(`${name} has not ended: ${intent.state} (${intent.reason})`);
    if (intent.state === 'rejected' && credited > 0) broken.push(`${name} is shown as rejected, but was credited`);
    if (intent.state !== 'credited' && !intent.reason) broken.push(`${name} is ${intent.state} without a reason`);
  }
  if (ordered.size !== orders.length) broken.push(`${orders.length} orders became ${ordered.size} intents`);
  for (const [key, list] of creditsOf) {
    if (!ordered.has(key)) broken.push(`${list.length} credits with the key ${key}, which was never ordered`);
  }
  broken.push(...tooManyCredited(intents, credits));
  const counts = { intents: orders.length, credits: credits.length, ...states };
  return outcome('P6', 'the operator credits each intent at most once, and every intent ends', counts, broken);
}

/** Matching determines how many of a player's equal intents were credited, but not which one of two equal ones. */
function tooManyCredited(intents: readonly ShownIntent[], credits: readonly Credit[]): string[] {
  const like = (one: { user_id: string; bonus_code: string }) => `${one.bonus_code} of ${one.user_id}`;
  const given = Map.groupBy(credits, like);
  const said = Map.groupBy(
    intents.filter(({ state }) => state === 'credited'),
    like,
  );
  return [...said].flatMap(([what, list]) => {
    const really = given.get(what)?.length ?? 0;
    return list.length > really
      ? [`${list.length} intents for ${what} are shown as credited, but the operator credited ${really}`]
      : [];
  });
}
