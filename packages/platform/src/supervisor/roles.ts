/** The two kinds of processes (docs/reference/design.md 3): `api` answers calls, `worker` derives, calls operators and sends. */
export const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Set for processes that a supervisor started: it has prepared the database, and waits for the ready message. */
export const supervisedVariable = 'CROUPIER_SUPERVISED';
