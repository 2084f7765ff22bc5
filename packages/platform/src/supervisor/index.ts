export { nodeArguments } from './node-arguments.ts';
export { prepareDatabase } from './prepare-database.ts';
export { runRole } from './role.ts';
export { type Role, roles } from './roles.ts';
export { describeStartFailure } from './start-failure.ts';
export { runSupervisor, type SupervisorOptions } from './supervisor.ts';
