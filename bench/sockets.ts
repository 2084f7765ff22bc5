import { pino } from 'pino';
import { SignalSender } from '../packages/platform/src/channels/index.ts';
import { connectionConfig } from '../packages/platform/src/database/index.ts';
import { report } from './figure.ts';
import { announceLive } from './load/announce-live.ts';
import { connectSockets } from './load/connected.ts';
import { siteJwtSecret } from './load/site-players.ts';
import { startPlatform } from './platform.ts';
import { residentMegabytes } from './resident.ts';

const wanted = 10_000;
/** Files that a process has open in addition to its sockets, with a margin. */
const otherFiles = 500;
/** Time for the garbage collection after ten thousand handshakes. */
const settleMs = 3_000;

/*
 * Measures sockets. It connects and subscribes ten thousand players at one api process, or fewer if the limit of open
 * files is lower. It measures the memory of each socket, and checks that each player receives one message exactly once.
 */
export async function benchSockets(options: { smoke: boolean }): Promise<boolean> {
  const limit = openFileLimit();
  const count = options.smoke ? 200 : Math.min(wanted, limit - otherFiles);
  report({ bench: 'sockets', figure: 'open_file_limit', value: limit, unit: 'files' });
  if (count < wanted && !options.smoke)
    process.stderr.write(`ulimit -n is ${limit}: ${count} sockets instead of ${wanted}\n`);
  const platform = await startPlatform({
    worker: false,
    brand: { site_jwt: { secret: siteJwtSecret } },
    settings: { sockets: { max: count, max_per_address: count } },
  });
  const connection = connectionConfig(platform.databaseUrl, { name: 'bench' });
  const sender = new SignalSender({ connection, process: 'bench', log: pino({ level: 'warn' }) });
  try {
    const [api = 0] = platform.pids;
    await (await connectSockets(platform.port, 100)).stop();
    const before = await residentMegabytes(api);
    const sockets = await connectSockets(platform.port, count);
    await pause(settleMs);
    const after = await residentMegabytes(api);
    report({ bench: 'sockets', figure: 'connected_and_subscribed', value: sockets.players.length, unit: 'sockets' });
    report({ bench: 'sockets', figure: 'connecting', value: count / sockets.seconds, unit: 'sockets/s' });
    report({ bench: 'sockets', figure: 'memory_per_socket', value: ((after - before) * 1_000) / count, unit: 'KB' });
    report({ bench: 'sockets', figure: 'api_resident', value: after, unit: 'MB' });

    const brandId = await brandOf(platform.pool);
    const startedAt = performance.now();
    await announceLive({ pool: platform.pool, sender, brandId }, sockets.players);
    const written = performance.now() - startedAt;
    // If a hint is lost, polls deliver within two seconds.
    await pause(options.smoke ? 2_000 : 4_000);
    const { once, more, none, delays, open } = await sockets.arrivals();
    const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
    report({
      bench: 'sockets',
      figure: 'writing_one_message_each',
      value: count / (written / 1_000),
      unit: 'messages/s',
    });
    report({ bench: 'sockets', figure: 'delivered_once', value: once, unit: 'sockets' });
    report({ bench: 'sockets', figure: 'written_to_received_p50', value: at(0.5), unit: 'ms' });
    report({ bench: 'sockets', figure: 'written_to_received_p99', value: at(0.99), unit: 'ms' });
    await sockets.stop();
    const holds = once === count && more === 0 && none === 0 && open === count;
    if (!holds) process.stderr.write(`of ${count}: once ${once}, more ${more}, never ${none}, still open ${open}\n`);
    return holds;
  } finally {
    await sender.stop();
    await platform.stop();
  }
}

function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits: { open_files: { soft: number | string } };
  };
  const soft = Number(userLimits.open_files.soft);
  return Number.isFinite(soft) ? soft : Number.MAX_SAFE_INTEGER;
}

async function brandOf(pool: { query: (sql: string) => Promise<{ rows: { brand_id: number }[] }> }): Promise<number> {
  const { rows } = await pool.query(`select brand_id from brand where code = 'bench'`);
  return rows[0]?.brand_id ?? 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
