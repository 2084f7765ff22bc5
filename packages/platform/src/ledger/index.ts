export { CorruptBlock } from './block.ts';
export { countWorkers, storedCursors } from './lease-store.ts';
export { BucketLeases, type CursorMove, FencedOff, type Lease } from './leases.ts';
export * from './ledger.ts';
export { bucketOf, playerHash } from './player-hash.ts';
export { PostgresLedger } from './postgres-ledger.ts';
export { LedgerUpkeep } from './upkeep.ts';
export { LedgerWakeupListener, LedgerWakeupSender } from './wakeups.ts';
export { LedgerUnavailable } from './writer.ts';
