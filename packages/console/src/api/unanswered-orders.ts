import { ApiProblem } from './client.ts';

/**
 * Orders of bonuses, and of messages to many players, that were sent and whose outcome this page does not know: no answer arrived yet, or it was lost. Such
 * an order may have been placed. It keeps its Idempotency-Key and its content, so that sending it again never
 * does it twice, even if the dialog was closed meanwhile. The orders are kept until the page is reloaded, because nothing of
 * the console is stored in the browser. After that, the dialogs list the latest orders.
 */
export interface Order<Typed> {
  typed: Typed;
  key: string;
}

const orders = new Map<string, Order<unknown>>();

/** Returns the order at this place, such as a player, without a known outcome, if there is one. */
export const unansweredOrder = <Typed>(place: string): Order<Typed> | undefined =>
  orders.get(place) as Order<Typed> | undefined;

/** Forgets the order, because the person decided to enter another one. */
export function forgetOrder(place: string): void {
  orders.delete(place);
}

/**
 * Sends an order, and keeps it while its outcome is unknown. A refusal proves that nothing was placed only if it is the
 * answer to the first attempt: later ones may be refused, for example because the session expired, although the first
 * one was accepted.
 */
export async function sendOrder<Answer>(
  place: string,
  order: Order<unknown>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const isFirst = orders.get(place)?.key !== order.key;
  orders.set(place, order);
  const forget = () => {
    if (orders.get(place)?.key === order.key) orders.delete(place);
  };
  try {
    const answer = await send();
    forget();
    return answer;
  } catch (error) {
    if (isFirst && error instanceof ApiProblem && error.status < 500) forget();
    throw error;
  }
}
