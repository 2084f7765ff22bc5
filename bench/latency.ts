import { setTimeout as pause } from 'node:timers/promises';
import { startSandboxOperator } from '@croupier/sandbox';
import { pino } from 'pino';
import { SignalSender } from '../packages/platform/src/channels/index.ts';
import { connectionConfig } from '../packages/platform/src/database/index.ts';
import { consoleCall } from './console-call.ts';
import { report } from './figure.ts';
import { announceLive } from './load/announce-live.ts';
import { type CasinoPage, openCasinoPage } from './load/casino-page.ts';
import { connectSockets } from './load/connected.ts';
import { signIn, siteJwtSecret, siteSession, siteUser } from './load/site-players.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';

/** Players connected in addition to the measured one; each gets a message every ten seconds. */
const connected = 1_000;
const backgroundPerTick = 10;
const tickMs = 100;
/** Number of the player with the open page, which is not one of the connected players. */
const measured = 1_000_000;
/** The pause between two messages of the player, so that each is drawn before the next one arrives. */
const gapMs = 150;
/** Messages expire soon, so that the open inbox contains a few dozen, as a real inbox does, and not all messages of the run. */
const expiresMs = 4_000;

/*
 * Latency: the time from writing a message through the console API, gate included, until the message appears in the open
 * inbox of a real Chromium with the real script. Meanwhile, a thousand other players are connected and get messages too.
 * The clock starts before the call.
 */
export async function benchLatency(options: { smoke: boolean }): Promise<boolean> {
  const messages = options.smoke ? 20 : 300;
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  operator.books.addPlayer(siteUser(measured));
  operator.books.change(siteUser(measured), { consents: [{ type: 'SiteNotification', opted_in: true }] });
  const pagePort = await freePort();
  const platform = await startPlatform({
    worker: true,
    operatorUrl: operator.url,
    brand: { site_jwt: { secret: siteJwtSecret }, site_origins: [`http://127.0.0.1:${pagePort}`] },
    settings: { sockets: { max_per_address: connected + 100 } },
  });
  const connection = connectionConfig(platform.databaseUrl, { name: 'bench' });
  const sender = new SignalSender({ connection, process: 'bench', log: pino({ level: 'warn' }) });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const session = siteSession(measured);
    const { BrandId } = await signIn(`http://127.0.0.1:${platform.port}/site/bench`, session);
    await untilKnown(platform);
    const others = await connectSockets(platform.port, options.smoke ? 100 : connected);
    stops.push(others.stop);
    const page = await openCasinoPage({ port: pagePort, platform: platform.port, session });
    stops.push(page.stop);
    // Warms up query plans and compiled code.
    for (let i = 0; i < 10; i++) await write(platform).then(() => pause(gapMs));

    let running = true;
    const background = (async () => {
      for (let at = 0; running; at += backgroundPerTick) {
        const players = Array.from(
          { length: backgroundPerTick },
          (_, n) => others.players[(at + n) % others.players.length] ?? 0,
        );
        await announceLive({ pool: platform.pool, sender, brandId: BrandId }, players);
        await pause(tickMs);
      }
    })();
    const titles: string[] = [];
    for (let i = 0; i < messages; i++) {
      titles.push(await write(platform));
      await pause(gapMs);
    }
    running = false;
    await background;
    return judge(await delaysOf(page, titles), await others.arrivals(), { ...options, browser: page.browser });
  } finally {
    for (const stop of stops.reverse()) await stop();
    await sender.stop();
    await platform.stop();
    await operator.stop();
  }
}

/** Writes a message with the time as title, as staff do. @returns the title. */
async function write(platform: BenchPlatform): Promise<string> {
  const title = String(Date.now());
  const expires = new Date(Date.now() + expiresMs).toISOString();
  const { state } = await consoleCall<{ state: string }>(platform, 'POST', `players/${siteUser(measured)}/messages`, {
    event: 'inbox',
    purpose: 'service',
    title,
    expires,
  });
  if (state !== 'live') throw new Error(`a message is ${state}`);
  return title;
}

/** The gate holds messages of a player whose records are still being fetched. */
async function untilKnown(platform: BenchPlatform): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { state } = await consoleCall<{ state: string }>(platform, 'POST', `players/${siteUser(measured)}/messages`, {
      event: 'inbox',
      purpose: 'service',
      title: 'The first one',
    });
    if (state === 'live') return;
    await pause(200);
  }
  throw new Error('the first message of the player did not become live');
}

/** Milliseconds per message, sorted; Infinity if it was never shown. */
async function delaysOf(page: CasinoPage, titles: readonly string[]): Promise<number[]> {
  for (let tries = 0; tries < 30; tries++) {
    const shown = await page.present();
    if (titles.every((title) => title in shown)) break;
    await pause(100);
  }
  const shown = await page.present();
  return titles.map((title) => (shown[title] ?? Number.POSITIVE_INFINITY) - Number(title)).sort((a, b) => a - b);
}

function judge(
  shown: readonly number[],
  others: { delays: number[]; open: number },
  { smoke, browser }: { smoke: boolean; browser: string },
): boolean {
  const bench = 'latency';
  process.stderr.write(`${browser}; ${others.open} other sockets connected\n`);
  const verdicts = [
    report({ bench, figure: 'written_to_shown_p50', value: percentile(shown, 0.5), unit: 'ms' }),
    report({ bench, figure: 'written_to_shown_p99', value: percentile(shown, 0.99), unit: 'ms', at_most: 150 }),
    report({ bench, figure: 'others_written_to_received_p50', value: percentile(others.delays, 0.5), unit: 'ms' }),
    report({ bench, figure: 'others_written_to_received_p99', value: percentile(others.delays, 0.99), unit: 'ms' }),
  ];
  const lost = shown.filter((delay) => !Number.isFinite(delay)).length;
  if (lost > 0) process.stderr.write(`${lost} of ${shown.length} messages were never shown\n`);
  return smoke || (lost === 0 && !verdicts.includes(false));
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
