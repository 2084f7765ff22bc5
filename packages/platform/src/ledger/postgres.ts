/**
 * The ledger in PostgreSQL, and the services that a process runs for it. Only the wiring imports this; other code gets a
 * `Ledger`.
 */
export { PostgresLedger } from './postgres-ledger.ts';
export { LedgerUpkeep } from './upkeep.ts';
export { LedgerWakeupListener, LedgerWakeupSender } from './wakeups.ts';
