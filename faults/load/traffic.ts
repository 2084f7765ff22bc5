import {
  createPublisher,
  createSimulation,
  type Message,
  type Publisher,
  type Simulation,
  type SimulationOptions,
} from '@croupier/sandbox';
import { markOf } from './mark.ts';

/*
 * The operator's side of a fault run: a simulated casino whose books are the truth, and a publisher that repeats every
 * message until it is answered 200. What was sent and what was acknowledged is all that a checker believes.
 */
export interface Traffic extends AsyncDisposable {
  simulation: Simulation;
  publisher: Publisher;
  /** Every message ever handed to the publisher, by its mark. A repeated body stands once. */
  sent: ReadonlyMap<string, Message>;
  /**
   * Publishes at a rate for so many seconds; resolves when all of it is acknowledged. Where the machine is so slow that `least`
   * messages are not acknowledged by then, it goes on until they are, six times as long at most.
   */
  play(options: { rate: number; seconds: number; least?: number }): Promise<void>;
  /** Counts as sent from now on, whoever sends it. Returns the message. */
  note(message: Message): Message;
  /** Publishes one more message; resolves when it is acknowledged. */
  publish(message: Message): Promise<void>;
  /** Publishes everything that the casino has done and not told yet: from then on its truth is complete. */
  finish(): Promise<void>;
}

export interface TrafficOptions {
  url: string;
  key: string;
  simulation: SimulationOptions;
  /** Ends the run; what is under way is given up. */
  signal?: AbortSignal | undefined;
}

/**
 * Quick retries: what is tested is that nothing is lost or counted twice, and a platform that comes back should find the
 * whole crowd waiting. Ten refusals make the platform let an invalid message go (docs/reference/decisions.md 1), after about 3 s.
 */
const backoff = { first: 50, longest: 500 };
const connections = 32;
/** A machine on which `least` is not reached in so many times the seconds has another trouble than its speed. */
const maxStretch = 6;
/** Messages under way at most: with the platform away, so many wait. */
const inFlight = 256;

export function startTraffic({ url, key, simulation: options, signal }: TrafficOptions): Traffic {
  const simulation = createSimulation(options);
  const publisher = createPublisher({ url, key, connections, backoff, onRefused: 'retry' });
  const sent = new Map<string, Message>();
  const note = (message: Message): Message => {
    sent.set(markOf(message.path, message.body), message);
    return message;
  };
  function* during(seconds: number, least: number): Generator<Message> {
    const begun = performance.now();
    const spent = () => (performance.now() - begun) / 1000;
    const few = () => publisher.counts.acknowledged < least && spent() < seconds * maxStretch;
    while (spent() < seconds || few()) yield note(simulation.next());
  }
  const limits = { inFlight, ...(signal && { signal }) };
  return {
    simulation,
    publisher,
    sent,
    note,
    play: ({ rate, seconds, least = 0 }) => publisher.run(during(seconds, least), { ...limits, rate }),
    async publish(message) {
      await publisher.publish(note(message), signal);
    },
    finish: () => publisher.run(simulation.finish().map(note), limits),
    async [Symbol.asyncDispose]() {
      simulation.close();
      await publisher.close();
    },
  };
}
