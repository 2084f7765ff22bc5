import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type CloseReason, closes } from './close-codes.ts';

/** The socket metrics of an api process. */
export class LiveMetrics {
  readonly #deliveries: Counter<'event'>;
  readonly #closed: Counter<'reason'>;
  readonly #delay: Histogram;

  constructor(registry: Registry, counts: () => { open: number; subscribed: number }) {
    const registers = [registry];
    new Gauge({
      name: 'croupier_site_sockets',
      help: 'Open sockets of browsers and apps in this process.',
      labelNames: ['state'] as const,
      registers,
      collect() {
        const { open, subscribed } = counts();
        this.set({ state: 'subscribed' }, subscribed);
        this.set({ state: 'unsubscribed' }, open - subscribed);
      },
    });
    this.#deliveries = new Counter({
      name: 'croupier_site_deliveries_total',
      help: 'Events sent to sockets, by event.',
      labelNames: ['event'] as const,
      registers,
    });
    this.#closed = new Counter({
      name: 'croupier_site_sockets_closed_total',
      help: 'Sockets that this process closed or refused, by reason.',
      labelNames: ['reason'] as const,
      registers,
    });
    this.#delay = new Histogram({
      name: 'croupier_site_delivery_seconds',
      help: 'Time from writing a signal to sending it, by the clocks of the database and of this machine.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 30],
      registers,
    });
    // The series start at 0. Prometheus computes no rate for the first count of a new series, so alerts would miss that count.
    for (const reason of Object.keys(closes)) this.#closed.labels(reason).inc(0);
  }

  delivered(event: string, sockets: number): void {
    this.#deliveries.labels(event).inc(sockets);
  }

  delayed(seconds: number): void {
    this.#delay.observe(Math.max(0, seconds));
  }

  closed(reason: CloseReason): void {
    this.#closed.labels(reason).inc();
  }
}
