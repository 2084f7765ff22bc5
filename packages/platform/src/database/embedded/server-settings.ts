import { totalmem } from 'node:os';

export interface ServerSettingsOptions {
  port: number;
  /** False only for tests: a crash of the machine may then lose everything. Several servers of tests share a machine. */
  durable: boolean;
  /** Bytes of memory that this machine or container has. */
  memory: number;
}

const MiB = 1024 * 1024;
/** Api and worker processes hold about 20 connections each. */
const maxConnections = 200;

/** A container's limit counts, not the memory of the machine below it. */
export function machineMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * What the embedded server is started with (`-c name=value`): on the command line, so that a new version of ours or more
 * memory in the machine takes effect at the next start, and postgresql.conf stays as initdb wrote it.
 *
 * An eighth of the memory goes to shared buffers, not the usual quarter of a machine of its own: the api, the workers and
 * whatever else a laptop does run beside it.
 */
export function serverSettings({ port, durable, memory }: ServerSettingsOptions): Record<string, string> {
  const megabytes = (share: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max((memory * share) / MiB, least), most))}MB`;
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // Only TCP: the path of a socket may have 107 characters, and DATA_DIR may lie deep.
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    shared_buffers: durable ? megabytes(1 / 8, 64, 2048) : '128MB',
    effective_cache_size: megabytes(1 / 2, 256, 32_768),
    maintenance_work_mem: megabytes(1 / 32, 32, 512),
    work_mem: megabytes(1 / 512, 4, 32),
    // Room for the writes of 15 minutes: a checkpoint every few seconds would write each hot page again and again.
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    wal_compression: 'on',
    // Statements are short; compiling them costs more than running them.
    jit: 'off',
    random_page_cost: '1.1',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_line_prefix: '',
    // An error's details and its statement can hold personal data, and our own log has the error already.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
}
