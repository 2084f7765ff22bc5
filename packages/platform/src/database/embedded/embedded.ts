import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Service } from '../../service.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { type Cluster, clusterFolder, databaseName, databaseUrl, ensureCluster } from './cluster.ts';
import { chooseOsUser, type OsUser } from './os-user.ts';
import {
  isPostmasterOf,
  type PostmasterFile,
  readPostmasterFile,
  stopPostmaster,
  waitUntilGone,
} from './postmaster.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { machineMemory, serverSettings } from './server-settings.ts';
import { type Watchdog, watch } from './watchdog.ts';

/*
 * A real PostgreSQL 18 that the platform starts, for trials and small brands. In production set DATABASE_URL
 * (docs/reference/design.md 3).
 *
 *            start()                       ready
 *   stopped ---------> starting ------------------------> running
 *      ^                  ^   a leftover server is stopped   |
 *      |                  |   first                          | the process exited unexpectedly
 *      |                  +----------------------------------+ (restart after a growing delay, same port)
 *      +------------------------------------------------------ stop()
 *
 * Each folder has one owner: while it runs, the owner holds an advisory lock in the server. A start that finds a
 * running server requests that lock. If it gets the lock, the owner was killed: the server is stopped, and started
 * again with the current settings. If it does not get the lock, another process owns the folder, and the start is refused.
 *
 * The server runs in its own session and does not see the Ctrl-C of the terminal, so that the api and the workers can
 * finish first. As a consequence it outlives a killed owner. A small shell waits for the owner's end and then stops the
 * server. If that shell was killed too, the next start stops the server.
 *
 * It does not do backups, upgrades between major versions, or Windows.
 */
export interface EmbeddedOptions {
  /** Created at the first start with mode 0700. Contains the cluster and its password. */
  folder: string;
  log: Logger;
  /** False only for tests. Default true. */
  durable?: boolean;
}

/** How long a leftover server of an earlier start may take to answer or to stop. After that, it is killed. */
const leftServerLimitMs = 60_000;
const slowStartMs = 10_000;
const stopFastMs = 3_000;
const restartDelaysMs = [0, 100, 500, 1_000, 2_000, 5_000];
const ownerLock = 0x6f_77_6e;

/** Backends of a killed server finish their statement before they notice that it was killed. Until then, no new server may start. */
const stillInUse = /shared memory block .* is still in use/;

export class EmbeddedPostgres implements Service {
  readonly #options: EmbeddedOptions;
  #programs: { binaries: Binaries; user: OsUser | null; cluster: Cluster } | undefined;
  #port = 0;
  #server: ServerProcess | undefined;
  #watchdog: Watchdog | undefined;
  #owner: pg.Client | undefined;
  #stopping = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
  }

  /**
   * URL of the database, with the password. Valid after `start`; it does not change until `stop`, even if the server
   * crashes.
   */
  get url(): string {
    return this.#url(databaseName);
  }

  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** @throws {FolderInUse} if another process owns the folder's server */
  async start(): Promise<void> {
    const { folder, durable = true } = this.#options;
    this.#stopping = false;
    const user = await chooseOsUser(clusterFolder(folder));
    const binaries = await findBinaries(user);
    const cluster = await ensureCluster(folder, binaries, user, durable);
    this.#programs = { binaries, user, cluster };
    await this.#endLeftServer();
    this.#port = await freePort();
    await this.#launchWhenFree();
    await this.#createDatabase();
  }

  /** May be called during a start, which then fails. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // Not awaited, because an unresponsive server would never confirm, and signals end it anyway.
    void this.#owner?.end().catch(() => {});
    this.#owner = undefined;
    await this.#server?.stop(stopFastMs);
    this.#server = undefined;
    await this.#watchdog?.stop();
    this.#watchdog = undefined;
  }

  async #launchWhenFree(): Promise<void> {
    const deadline = performance.now() + leftServerLimitMs;
    for (;;) {
      try {
        return await this.#launch();
      } catch (error) {
        if (!stillInUse.test((error as Error).message) || performance.now() > deadline) throw error;
        await delay(200);
      }
    }
  }

  /** Starts the process and waits until it answers. */
  async #launch(): Promise<void> {
    const { durable = true, log } = this.#options;
    const settings = serverSettings({ port: this.#port, durable, memory: machineMemory() });
    const server = await startServerProcess({ ...this.#started(), settings, log });
    this.#server = server;
    if (this.#stopping) {
      await server.stop(stopFastMs);
      throw new Error('stopped during its start');
    }
    await this.#watchdog?.stop();
    this.#watchdog = watch(server.pid);
    const gone = new AbortController();
    void server.ended.then(() => gone.abort());
    const outcome = await Promise.race([this.#connectOwner(gone.signal), server.ended]);
    if (outcome !== 'connected') throw new Error(`PostgreSQL did not start: ${outcome}; ${server.logTail()}`);
    void server.ended.then((how) => this.#restart(how));
  }

  async #restart(how: string): Promise<void> {
    for (let attempt = 0; !this.#stopping; attempt++) {
      const delayMs = restartDelaysMs[Math.min(attempt, restartDelaysMs.length - 1)] ?? 0;
      this.#options.log.error(
        { how, attempt, delay_ms: delayMs },
        'the embedded PostgreSQL exited unexpectedly; restarting',
      );
      await delay(delayMs);
      if (this.#stopping) return;
      try {
        await this.#launch();
        return;
      } catch (error) {
        how = (error as Error).message;
      }
    }
  }

  /**
   * Resolves when the server answers and we own it. There is no timeout: after a crash the server first recovers, which
   * takes as long as the pending writes require.
   */
  async #connectOwner(gone: AbortSignal): Promise<'connected' | 'gone'> {
    for (let sinceMs = performance.now(); !gone.aborted; await delay(20)) {
      const client = await this.#connect(this.#port).catch((error: Error) => error);
      if (client instanceof pg.Client) {
        await client.query('select pg_advisory_lock($1)', [ownerLock]);
        this.#owner = client;
        return 'connected';
      }
      if (performance.now() - sinceMs < slowStartMs) continue;
      this.#options.log.warn({ err: client }, 'the embedded PostgreSQL is still starting');
      sinceMs = performance.now();
    }
    return 'gone';
  }

  async #endLeftServer(): Promise<void> {
    const { cluster } = this.#started();
    const deadline = performance.now() + leftServerLimitMs;
    for (let left = await this.#leftServer(); left !== null; left = await this.#leftServer()) {
      const client = await this.#connect(left.port).catch(() => null);
      if (client) await this.#takeOwnership(client, left);
      else if (performance.now() < deadline && !(await waitUntilGone(left.pid, cluster.folder, 200))) continue;
      this.#options.log.warn({ pid: left.pid }, 'stopping a PostgreSQL left running by an earlier start');
      await client?.end().catch(() => {});
      await stopPostmaster(left.pid, cluster.folder, leftServerLimitMs);
    }
  }

  async #leftServer(): Promise<PostmasterFile | null> {
    const { folder } = this.#started().cluster;
    const file = await readPostmasterFile(folder);
    return file !== null && (await isPostmasterOf(file.pid, folder)) ? file : null;
  }

  /** The lock of a killed owner is free as soon as the server notices that its connection is closed. */
  async #takeOwnership(client: pg.Client, left: PostmasterFile): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [ownerLock]);
      if (rows[0]?.ours) return;
      await delay(100);
    }
    await client.end();
    throw new FolderInUse(this.#options.folder, left.pid);
  }

  async #createDatabase(): Promise<void> {
    const { rows } = (await this.#owner?.query('select from pg_database where datname = $1', [databaseName])) ?? {
      rows: [],
    };
    if (rows.length === 0) await this.#owner?.query(`create database ${databaseName}`);
  }

  async #connect(port: number): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url('postgres', port),
      application_name: 'croupier owner',
      connectionTimeoutMillis: 2_000,
    });
    // The connection breaks whenever the server ends. The process's exit event reports that.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  #url(name: string, port = this.#port): string {
    return databaseUrl(this.#started().cluster.password, port, name);
  }

  #started() {
    if (this.#programs === undefined) throw new Error('the embedded PostgreSQL was not started');
    return this.#programs;
  }
}

/**
 * The port is free at this moment. If another process takes it before the server does, the start fails with a message.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

export class FolderInUse extends Error {
  override name = 'FolderInUse';
  constructor(folder: string, pid: number) {
    super(`another Croupier uses ${folder} (its PostgreSQL has pid ${pid}): stop it, or set another DATA_DIR`);
  }
}
