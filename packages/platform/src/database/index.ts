export { type DatabaseFacts, type DatabaseVerdict, judgeDatabase, readDatabaseFacts } from './checks.ts';
export { type Columns, type ColumnType, columnsOf } from './columns.ts';
export { EmbeddedPostgres, FolderInUse } from './embedded/embedded.ts';
export { findRunningPostgres } from './embedded/find-running.ts';
export { HintListener, HintSender } from './hints.ts';
export { type Migrated, MigrationFailed, migrate, migrationsFolder, SchemaTooOld } from './migrate.ts';
export { isDatabaseAway, isUnfitValue } from './outage.ts';
export { connectionConfig, openPool, type PoolOptions, transaction } from './pool.ts';
export { parseTimestamptz, timestamptzText } from './types.ts';
