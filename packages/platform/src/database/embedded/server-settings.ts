import { totalmem } from 'node:os';

export interface ServerSettingsOptions {
  port: number;
  /** False only for tests: a crash of the machine may then lose everything. The server then uses little memory, because several share a machine. */
  durable: boolean;
  /** The memory of this machine or container, in bytes. */
  memory: number;
}

const MiB = 1024 * 1024;
/** An api process opens up to 25 connections, and a worker up to 55. */
const maxConnections = 200;

/** Uses a container's limit instead of the memory of the host. */
export function machineMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * The settings of the embedded server (`-c name=value`). They are on the command line, so that a new version or more
 * memory takes effect at the next start, and postgresql.conf stays as initdb wrote it.
 *
 * Shared buffers get an eighth of the memory instead of the usual quarter of a dedicated machine, because the api, the
 * workers and other programs of a laptop run on it too.
 */
export function serverSettings({ port, durable, memory }: ServerSettingsOptions): Record<string, string> {
  const megabytes = (share: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max((memory * share) / MiB, least), most))}MB`;
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // TCP only, because the path of a socket may have 107 characters at most, and the path of DATA_DIR may be long.
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    shared_buffers: durable ? megabytes(1 / 8, 64, 2048) : '128MB',
    effective_cache_size: megabytes(1 / 2, 256, 32_768),
    maintenance_work_mem: megabytes(1 / 32, 32, 512),
    work_mem: megabytes(1 / 512, 4, 32),
    // Room for the writes of 15 minutes. A checkpoint every few seconds would write each hot page repeatedly.
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    wal_compression: 'on',
    // Statements are short, so compiling them costs more than running them.
    jit: 'off',
    random_page_cost: '1.1',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_line_prefix: '',
    // An error's details and its statement can contain personal data, and our own log has the error already.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
}
