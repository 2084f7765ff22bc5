/** The ledger in PostgreSQL, and what a process runs for it. For wiring.ts: everybody else is given a `Ledger`. */
export { PostgresLedger } from './postgres-ledger.ts';
export { LedgerUpkeep } from './upkeep.ts';
export { LedgerWakeupListener, LedgerWakeupSender } from './wakeups.ts';
