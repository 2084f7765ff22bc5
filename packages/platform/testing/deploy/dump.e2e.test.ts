import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { chooseOsUser } from '../../src/database/embedded/os-user.ts';
import { migrate, openPool } from '../../src/database/index.ts';
import { inOrder, type Service } from '../../src/service.ts';
import { createApi } from '../../src/wiring/api.ts';
import { createWorker } from '../../src/wiring/worker.ts';
import { createBrand } from '../brand.ts';
import { freePort } from '../free-port.ts';
import { testLog } from '../log.ts';
import { countDeposits, deposit, type Publisher } from './deposits.ts';

/*
 * A dump as docs/guides/deploy.md describes it. The embedded PostgreSQL has no pg_dump, so this test needs the programs of Debian's
 * package `postgresql`, version 15 to 18, which `.ci/run` installs. Without them it is skipped.
 */
const programs = (await readdir('/usr/lib/postgresql').catch(() => []))
  .filter((version) => Number(version) >= 15 && Number(version) <= 18)
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((bin) => ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].every((name) => existsSync(path.join(bin, name))));

if (programs === undefined) {
  test.skip("a dump continues in another database: Debian's package postgresql is not installed", () => {});
} else {
  const folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const user = await chooseOsUser(folder);
  if (user !== null) await chown(folder, user.uid, user.gid);
  const port = await freePort();
  const url = `postgres://croupier@127.0.0.1:${port}/croupier`;
  /** The programs run as the user who may start a server, in that user's folder. */
  const program = (name: string, ...args: string[]) =>
    promisify(execFile)(path.join(programs, name), args, {
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      ...user,
    });
  const connection = ['--host=127.0.0.1', `--port=${port}`, '--username=croupier'];

  const createDatabase = () =>
    program('createdb', ...connection, '--owner=croupier', '--encoding=UTF8', '--template=template0', 'croupier');

  const config = await loadConfig({
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    CROUPIER_SECRET: 'a secret of 32 characters for tests',
  });
  const context = { config, databaseUrl: url, log: testLog };
  /** The processes of an installation. */
  const createPlatform = () =>
    inOrder([createApi({ ...context, name: 'api-dump' }), createWorker({ ...context, name: 'worker-dump' })]);

  const pool = openPool(url, { name: 'test', max: 2 });
  let platform: Service | undefined;
  afterAll(async () => {
    await platform?.stop();
    await pool.end();
    await program('pg_ctl', '--pgdata=data', '--mode=immediate', 'stop');
    await rm(folder, { recursive: true });
  });

  test('a dump of a running installation has everything that was acknowledged before it, and continues in another database', async () => {
    await program('initdb', '--pgdata=data', '--username=croupier', '--auth=trust', '--no-sync');
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    await program('pg_ctl', '--pgdata=data', '--log=log', `--options=${settings}`, 'start');
    await createDatabase();
    await migrate(url);
    const publisher: Publisher = { url: `http://127.0.0.1:${config.port}`, key: (await createBrand(pool)).key };
    platform = createPlatform();
    await platform.start();
    await deposit(publisher, 0, 20);
    await Promise.all([
      program('pg_dump', ...connection, '--format=custom', '--file=croupier.dump', 'croupier'),
      deposit(publisher, 20, 40),
    ]);
    await platform.stop();

    await program('dropdb', ...connection, '--force', 'croupier');
    await createDatabase();
    await program('pg_restore', ...connection, '--dbname=croupier', '--exit-on-error', 'croupier.dump');
    const restored = (await countDeposits(pool)).stored;
    expect(restored).toBeGreaterThanOrEqual(20);
    platform = createPlatform();
    await platform.start();
    await expect.poll(() => countDeposits(pool)).toEqual({ stored: restored, applied: restored });
    // The operator publishes everything since the dump again.
    await deposit(publisher, 20, 50);
    await expect.poll(async () => (await countDeposits(pool)).applied).toBe(50);
  });
}
