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
 * Several services as one: started in the given order, stopped in the opposite one. When one fails to start, those
 * already started are stopped before the error is passed on. When several fail to stop, all are still asked to.
 */
export function inOrder(services: readonly Service[]): Service {
  let started: Service[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const service of started.reverse()) {
      await service.stop().catch((error) => failures.push(error));
    }
    started = [];
    if (failures.length > 0) throw new AggregateError(failures, 'some services did not stop cleanly');
  };
  return {
    async start() {
      for (const service of services) {
        try {
          await service.start();
          started.push(service);
        } catch (error) {
          await stop().catch(() => {});
          throw error;
        }
      }
    },
    stop,
  };
}
