/** The two kinds of processes (docs/reference/design.md 3): `api` answers calls, `worker` derives, calls operators and sends. */
export const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Set for processes that a supervisor started. The supervisor has prepared the database, and waits for the ready message. */
export const supervisedVariable = 'CROUPIER_SUPERVISED';
/** Set for the worker that creates the content of the demo brand before it is ready. */
export const demoVariable = 'CROUPIER_FURNISH_DEMO';
