/**
 * The one contract of everything that lives long: pools of work, loops, servers, child processes.
 *
 * `start` resolves when the service does its work, and throws when it cannot. `stop` finishes what is in hand, takes no
 * more, and resolves when nothing of it is left running; a second `stop` is harmless.
 */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Services that build on one another: each is started when those below it run, and all are stopped from the top down.
 *
 * Once `stop` was called nothing more is started, so that a signal in the middle of a start is heeded at once. When one
 * fails to stop, the others are still asked to.
 */
export class ServiceStack {
  readonly #running: Service[] = [];
  #stopping = false;

  /** Starts the service; one that fails to start is stopped with the rest, in case half of it runs. */
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

/** Several services as one, each started when those before it run. When one fails to start, those before it are stopped. */
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
    /** Waits for all of them, also when one fails. */
    async stop() {
      const ended = await Promise.allSettled(services.map((service) => service.stop()));
      const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      if (failures.length > 0) throw new AggregateError(failures, 'some services did not stop cleanly');
    },
  };
}
