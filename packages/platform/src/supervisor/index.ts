import type { Role } from './roles.ts';
import type { SupervisorOptions } from './supervisor.ts';

export { nodeArguments } from './node-arguments.ts';
export { prepareDatabase } from './prepare-database.ts';
export { type Role, roles } from './roles.ts';
export { describeStartFailure } from './start-failure.ts';
export type { SupervisorOptions } from './supervisor.ts';

// Loaded by the process that runs them: a role loads all stages, which takes two seconds.

/** Runs one role in this process until it is stopped. Returns the exit code. */
export async function runRole(role: Role): Promise<number> {
  const loaded = await import('./role.ts');
  return loaded.runRole(role);
}

/** Runs all processes of an installation until it is stopped. Returns the exit code. */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  const loaded = await import('./supervisor.ts');
  return loaded.runSupervisor(options);
}
