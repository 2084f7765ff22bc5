export { lockAllBuckets, lockBuckets } from './bucket-locks.ts';
export { countWorkers, settledCursors, storedCursors } from './lease-store.ts';
export { BucketLeases, type CursorMove, FencedOff, type Lease } from './leases.ts';
