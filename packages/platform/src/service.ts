/**
 * The common contract of all long-lived objects: pools of work, loops, servers, child processes.
 *
 * `start` resolves when the service works, and throws if it cannot work. `stop` accepts no new work, finishes current
 * work, and resolves when nothing of the service is running any more. A second `stop` has no effect.
 */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Services that depend on each other. Each one starts after the services that it depends on. They stop in the opposite
 * order.
 *
 * After `stop` was called, no further service starts, so a signal during the start takes effect immediately. If one
 * service fails to stop, the others are stopped anyway.
 */
export class ServiceStack {
  readonly #running: Service[] = [];
  #stopping = false;

  /** Starts the service. If it fails to start, it is stopped with the others, because a part of it may be running. */
  async start(service: Service): Promise<void> {
    if (this.#stopping) throw new Error('stopping: no further service is started');
    this.#running.push(service);
    await service.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const failures: unknown[] = [];
    for (let service = this.#running.pop(); service; service = this.#running.pop()) {
      await service.stop().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some services did not stop cleanly');
  }
}

/** Several services as one. Each starts after the previous ones run. If one fails to start, the previous ones are stopped. */
export function inOrder(services: readonly Service[]): Service {
  const stack = new ServiceStack();
  return {
    async start() {
      try {
        for (const service of services) await stack.start(service);
      } catch (error) {
        await stack.stop().catch(() => {});
        throw error;
      }
    },
    stop: () => stack.stop(),
  };
}

/** Several services as one, started and stopped at the same time. */
export function together(services: readonly Service[]): Service {
  return {
    async start() {
      await Promise.all(services.map((service) => service.start()));
    },
    /** Waits for all of them, even if one fails. */
    async stop() {
      const ended = await Promise.allSettled(services.map((service) => service.stop()));
      const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      if (failures.length > 0) throw new AggregateError(failures, 'some services did not stop cleanly');
    },
  };
}

/** A pool of connections as a service. The first query opens it. It ends after all services that were started later. */
export function endingWith(pool: { end(): Promise<void> }): Service {
  return { start: async () => {}, stop: () => pool.end() };
}

/** Something that needs no start, as a service. */
export function stopping(service: { stop(): Promise<void> }): Service {
  return { start: async () => {}, stop: () => service.stop() };
}
