import { casinoEvents, simulatedMix } from './events.ts';
import { type LoadOptions, runLoad } from './http-load.ts';

/*
 * The load generator runs as a separate process. It reports `ready`, and then answers each order with a result.
 *
 *   { casino: LoadOptions }                        unique casino events, as fast or as steady as the options say
 *   { mix: LoadOptions, events, seed }             the simulator's full mix: this number of events, generated before the
 *                                                  measured time. `events: null` generates them while they are sent
 *   { more: number }                               for a mix: allows this number of further events
 */
export type Order =
  | { casino: LoadOptions; firstNumber: number }
  | { mix: LoadOptions; events: number | null; seed: number }
  | { more: number };

let allowed = 0;
const waiting: (() => void)[] = [];

async function run(order: Order): Promise<unknown> {
  if ('more' in order) {
    const served = waiting.splice(0, order.more);
    allowed += order.more - served.length;
    for (const serve of served) serve();
    return undefined;
  }
  if ('casino' in order) return runLoad(order.casino, casinoEvents(order.firstNumber));
  const mix = simulatedMix(order.seed);
  const messages = order.events === null ? mix : [...mix.take(order.events)].values();
  process.send?.({ generated: true });
  return runLoad(
    order.mix,
    () => {
      const { value, done } = messages.next();
      if (done) throw new Error('the generated mix ran out; generate more events');
      return value;
    },
    permit,
  );
}

/** Undefined while the last `more` is not used up. Otherwise a promise that the next `more` resolves. */
function permit(): Promise<void> | undefined {
  if (allowed > 0) {
    allowed -= 1;
    return undefined;
  }
  return new Promise((resolve) => waiting.push(resolve));
}

process.on('message', (order: Order) => {
  run(order).then(
    (result) => result === undefined || process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.send?.('ready');
