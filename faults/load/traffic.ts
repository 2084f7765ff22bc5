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
 * The operator's side of a fault run: a simulated casino whose records are the truth, and a publisher that repeats every message
 * until it is answered 200. A checker trusts only the lists of sent and of acknowledged messages.
 */
export interface Traffic extends AsyncDisposable {
  simulation: Simulation;
  publisher: Publisher;
  /** Every message ever passed to the publisher, by its mark. A repeated body is listed once. */
  sent: ReadonlyMap<string, Message>;
  /**
   * Publishes at a rate for this many seconds; resolves when all messages are acknowledged. If fewer than `least` messages are
   * acknowledged by then because the machine is slow, it continues until they are, for at most six times as long.
   */
  play(options: { rate: number; seconds: number; least?: number }): Promise<void>;
  /** Adds the message to `sent`, for a message that another sender will send. Returns the message. */
  note(message: Message): Message;
  /** Publishes one more message; resolves when it is acknowledged. */
  publish(message: Message): Promise<void>;
  /** Publishes everything that the casino has done and not published yet. Afterwards, its truth is complete. */
  finish(): Promise<void>;
}

export interface TrafficOptions {
  url: string;
  key: string;
  simulation: SimulationOptions;
  /** Ends the run; open messages are dropped. */
  signal?: AbortSignal | undefined;
}

/**
 * Retries are quick, because the test checks that nothing is lost or counted twice, and because a recovering platform should find many
 * waiting messages. After ten refusals the platform accepts an invalid message (docs/reference/decisions.md 1), which takes about 3 s.
 */
const backoff = { first: 50, longest: 500 };
const connections = 32;
/** How many times longer the traffic may take to reach `least`. If it takes longer, the cause is not a slow machine. */
const maxStretch = 6;
/** Maximum number of open messages. This many wait while the platform is unavailable. */
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
    const startedAt = performance.now();
    const spent = () => (performance.now() - startedAt) / 1000;
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
