import { operatorEventKinds } from '@croupier/contracts';
import type { FastifyPluginAsync } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an api process counts. One registry per process, made here and passed on: no global state of the library. */
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
    help: 'Events that shared one commit.',
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
    for (const kind of operatorEventKinds) this.#answerCounter.labels(kind, '200');
  }

  /** Children of the counter are looked up once: finding one by its labels costs more than counting. */
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

/** `GET /metrics` in the Prometheus text format. */
export function metricsRoutes(deps: { text: () => Promise<string> }): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.text()),
    );
  };
}
