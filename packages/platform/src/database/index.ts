export { awaitAll } from './await-all.ts';
export { type DatabaseFacts, type DatabaseVerdict, judgeDatabase, readDatabaseFacts } from './checks.ts';
export { cutConnection } from './client.ts';
export { type Columns, type ColumnType, columnsOf } from './columns.ts';
export { EmbeddedPostgres, FolderInUse } from './embedded/embedded.ts';
export { findRunningPostgres } from './embedded/find-running.ts';
export { HintListener, HintSender } from './hints.ts';
export { type Migrated, MigrationFailed, migrate, migrationsFolder, SchemaTooOld } from './migrate.ts';
export { type NamedPage, namedPageSql, namedPageValues } from './named-page.ts';
export { isAbortedForAnother, isContentFailure, isDatabaseAway, isStatementTimeout, isUnfitValue } from './outage.ts';
export { planForMany } from './plan-for-many.ts';
export { connectionConfig, onOneConnection, openPool, type PoolOptions, transaction } from './pool.ts';
export { type Scope, scoped, scopeOf } from './scope.ts';
export { storableDetail, storableStart, storableText } from './storable.ts';
export { databaseTime } from './time.ts';
export { type TimePage, timePageSql, timePageValues } from './time-page.ts';
export { parseTimestamptz, timestamptzText } from './types.ts';
export {
  loggable,
  messageOf,
  refusedValue,
  unprocessableReason,
  unprocessableWords,
} from './unprocessable.ts';
export { vacuumTables } from './vacuum.ts';
export { WakeupListener, WakeupSender } from './wakeups.ts';
