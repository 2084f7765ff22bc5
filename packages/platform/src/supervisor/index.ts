import { flushCompileCache } from 'node:module';
import type { CreateRole } from './role.ts';
import type { Role } from './roles.ts';
import type { SupervisorOptions } from './supervisor.ts';

export { nodeArguments, nodeEnvironment } from './node-arguments.ts';
export { prepareDatabase } from './prepare-database.ts';
export { type Role, roles } from './roles.ts';
export { describeStartFailure, exitCodeOf, explainFailure } from './start-failure.ts';
export type { SupervisorOptions } from './supervisor.ts';

/*
 * Each process loads only what it runs. A role loads its own wiring, and with it the stages that it needs. This takes two
 * seconds.
 *
 * By default, Node writes its compile cache when a process exits. The cache has thousands of files, and writing them takes 2
 * to 5 s if it is empty. A process that is told to stop has only 6 s. So each process writes the cache as soon as it has
 * loaded its modules. Then the exit takes 0.1 s.
 */

const createOf: Record<Role, () => Promise<CreateRole>> = {
  api: async () => (await import('../wiring/api.ts')).createApi,
  worker: async () => (await import('../wiring/worker.ts')).createWorker,
};

/** Runs one role in this process until it is stopped. Returns the exit code. */
export async function runRole(role: Role): Promise<number> {
  const [loaded, create] = await Promise.all([import('./role.ts'), createOf[role]()]);
  flushCompileCache();
  return loaded.runRole(role, create);
}

/** Runs all processes of an installation until it is stopped. Returns the exit code. */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  const loaded = await import('./supervisor.ts');
  flushCompileCache();
  return loaded.runSupervisor(options);
}
