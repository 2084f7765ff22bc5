import { operatorEventKinds, problem } from '@croupier/contracts';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { metricsRefusal, type Scraper } from './metrics-access.ts';

/** The metrics of an api process. Each process creates one registry and passes it on, without the library's global state. */
export class ApiMetrics {
  readonly registry = new Registry();
  readonly #answers = new Map<string, { inc: () => void }>();
  readonly #answerCounter = new Counter({
    name: 'croupier_ingest_answers_total',
    help: 'Answers of the event endpoints, by kind of event and HTTP status.',
    labelNames: ['kind', 'status'] as const,
    registers: [this.registry],
  });
  readonly #batch = new Histogram({
    name: 'croupier_ingest_commit_events',
    help: 'Events per commit.',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2000],
    registers: [this.registry],
  });

  constructor(options: { depth: () => number; storeOpen: () => boolean }) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'croupier_ingest_pending_events',
      help: 'Events that wait for their commit.',
      registers: [this.registry],
      collect() {
        this.set(options.depth());
      },
    });
    new Gauge({
      name: 'croupier_ingest_store_open',
      help: '1 while events can be stored, 0 while they are answered 503.',
      registers: [this.registry],
      collect() {
        this.set(options.storeOpen() ? 1 : 0);
      },
    });
    // The series start at 0. Prometheus computes no rate for the first count of a series that did not exist before.
    for (const kind of operatorEventKinds)
      for (const status of ['200', '400', '503']) this.#answerCounter.labels(kind, status).inc(0);
  }

  /** Caches the children of the counter: finding one by its labels costs more than counting. */
  answered(kind: string, status: number): void {
    const key = `${kind} ${status}`;
    let child = this.#answers.get(key);
    if (child === undefined) {
      child = this.#answerCounter.labels(kind, String(status));
      this.#answers.set(key, child);
    }
    child.inc();
  }

  committed(events: number): void {
    this.#batch.observe(events);
  }
}

/** `GET /metrics` in the Prometheus text format, for callers allowed by metrics-access.ts. */
export function metricsRoutes(deps: {
  text: () => Promise<string>;
  /** Setting `metrics.token`. */
  token: string | undefined;
}): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', async (request, reply) => {
      const refusal = metricsRefusal(scraperOf(request), deps.token);
      if (refusal === null) return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.text());
      const body = problem(refusal, { detail: refusals[refusal] });
      if (refusal === 'unauthorized') reply.header('www-authenticate', 'Bearer');
      return reply.code(body.status).type('application/problem+json').send(body);
    });
  };
}

const refusals = {
  unauthorized: 'The metrics require the token from the setting metrics.token. Send it as Authorization: Bearer.',
  forbidden:
    'The metrics are available only to callers in private networks. For other callers, set metrics.token. If you use a proxy, also list it in trusted_proxies.',
} as const;

/** Headers that only proxies add. Many proxies are configured to add only one of them. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via'];

function scraperOf({ ip, headers, socket }: FastifyRequest): Scraper {
  const isForwarded = proxyHeaders.some((name) => headers[name] !== undefined);
  return {
    address: ip,
    behindUnknownProxy: isForwarded && ip === socket.remoteAddress,
    authorization: headers.authorization,
  };
}
