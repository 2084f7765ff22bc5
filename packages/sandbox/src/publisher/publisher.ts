import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Message } from '../simulator/index.ts';
import { createLatencies } from './latencies.ts';
import { type Backoff, verdictOf, waitAfter } from './retry-policy.ts';

/**
 * An operator's at-least-once sender. It retries each message, with growing pauses, until the platform answers 200 or (by default)
 * refuses the message permanently. It lists every acknowledged message. A fault run trusts only that list and the simulation's truth.
 *
 * A message that is being retried occupies one of `inFlight` places. When all places are occupied, `run` takes no new
 * messages. So the queue is bounded while the platform is unavailable, and no message is dropped.
 */
export interface PublisherOptions {
  /** The integration API, e.g. http://127.0.0.1:8080. */
  url: string;
  key: string;
  /** Maximum number of keep-alive connections. Default 64. */
  connections?: number;
  /** What to do with a refusal that a retry will not change. The interface requires `retry`, but the default is `drop`. */
  onRefused?: 'drop' | 'retry';
  backoff?: Partial<Backoff>;
  /** Milliseconds to wait for an answer before the attempt counts as failed. Default 10,000. */
  timeout?: number;
}

export interface Acknowledged {
  number: number;
  kind: Message['kind'];
  label: Message['label'];
  user_id: string;
  /** SHA-256 of path and body, first 16 bytes, hex. The publisher uses it to distinguish messages. */
  fingerprint: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  acknowledged_at: number;
  /** Whether the platform put it into quarantine. */
  quarantined: boolean;
}

export interface Refused {
  message: Message;
  status: number;
  answer: string;
}

export interface RunOptions {
  /**
   * Messages per second, with the gaps of a Poisson process. If undefined, messages are sent as fast as they are
   * acknowledged.
   */
  rate?: number;
  /** Maximum number of unacknowledged messages. Default 256. */
  inFlight?: number;
  /** Ends the run: no new message is taken, and retries stop. */
  signal?: AbortSignal;
}

export type Publisher = ReturnType<typeof createPublisher>;

/** Maximum number of refused messages that are kept for reading. Later ones are only counted. */
const refusedLimit = 1000;

export function createPublisher(options: PublisherOptions) {
  const { origin, pathname } = new URL(options.url);
  const base = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections: options.connections ?? 64, connect: { timeout: 2000 } });
  const backoff: Backoff = { first: 100, longest: 5000, ...options.backoff };
  const onRefused = options.onRefused ?? 'drop';
  const timeout = options.timeout ?? 10_000;
  const headers = { 'content-type': 'application/json', 'x-api-key': options.key };
  const latencies = createLatencies();
  const acknowledged: Acknowledged[] = [];
  const refused: Refused[] = [];
  const counts = { sent: 0, attempts: 0, acknowledged: 0, refused: 0, failed_attempts: 0, given_up: 0 };

  /** Makes one attempt. Returns undefined if there was no complete answer. */
  async function attempt(message: Message): Promise<{ status: number; text: string; retryAfter?: number } | undefined> {
    counts.attempts += 1;
    const started = performance.now();
    try {
      const { method, body } = message;
      const request = {
        method,
        body,
        headers,
        path: base + message.path,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      };
      const response = await pool.request(request);
      const text = await response.body.text();
      if (response.statusCode === 200) latencies.add(performance.now() - started);
      const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
      return { status: response.statusCode, text, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) };
    } catch {
      return undefined;
    }
  }

  /**
   * Sends a message until it is acknowledged or permanently refused, or until the signal ends it.
   *
   * @param onAnswer is called with each complete answer
   */
  async function publish(
    message: Message,
    signal?: AbortSignal,
    onAnswer?: (status: number, text: string) => void,
  ): Promise<'acknowledged' | 'refused' | 'given_up'> {
    counts.sent += 1;
    for (let attempts = 1; signal?.aborted !== true; attempts++) {
      const answer = await attempt(message);
      if (answer !== undefined) onAnswer?.(answer.status, answer.text);
      const verdict = answer === undefined ? 'again' : verdictOf(answer.status, onRefused);
      if (answer !== undefined && verdict === 'acknowledged') {
        counts.acknowledged += 1;
        acknowledged.push(noted(message, attempts, answer.text));
        return 'acknowledged';
      }
      if (answer !== undefined && verdict === 'refused') {
        counts.refused += 1;
        if (refused.length < refusedLimit) refused.push({ message, status: answer.status, answer: answer.text });
        return 'refused';
      }
      counts.failed_attempts += 1;
      const pause = waitAfter(attempts, backoff, answer?.retryAfter, Math.random());
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
    counts.given_up += 1;
    return 'given_up';
  }

  /** Publishes the messages of the source until it ends or the signal aborts. Resolves when no message is being sent or retried. */
  async function run(source: Iterable<Message>, { rate, inFlight = 256, signal }: RunOptions = {}): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    let due = performance.now();
    for (const message of source) {
      if (signal?.aborted === true) break;
      const sending: Promise<unknown> = publish(message, signal).finally(() => underWay.delete(sending));
      underWay.add(sending);
      if (underWay.size >= inFlight) await Promise.race(underWay);
      if (rate === undefined) continue;
      due += (-Math.log(1 - Math.random()) * 1000) / rate;
      const ahead = due - performance.now();
      // After a delay of more than a second, the schedule starts again from now. So a restarting platform does not
      // receive all delayed messages at once.
      if (ahead < -1000) due = performance.now();
      if (ahead >= 1) await wait(ahead, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(underWay);
  }

  return {
    publish,
    run,
    acknowledged: acknowledged as readonly Acknowledged[],
    refused: refused as readonly Refused[],
    counts: counts as Readonly<typeof counts>,
    /** Returns percentiles of the latencies of acknowledged calls since the last call of this function, in milliseconds. */
    takeLatencies: latencies.take,
    close: () => pool.destroy(),
  };
}

function noted(message: Message, attempts: number, answer: string): Acknowledged {
  const { number, kind, label, user_id, path, body } = message;
  const fingerprint = createHash('sha256').update(path).update('\n').update(body).digest('hex').slice(0, 32);
  const quarantined = answer.includes('"quarantined"');
  return { number, kind, label, user_id, fingerprint, attempts, acknowledged_at: Date.now(), quarantined };
}
