import { setTimeout as pause } from 'node:timers/promises';
import { startSandboxOperator } from '@croupier/sandbox';
import { publishSegmentsAndCampaigns } from './campaigns/publish.ts';
import { startChild } from './child.ts';
import { report } from './figure.ts';
import { type CasinoPage, openCasinoPage } from './load/casino-page.ts';
import { resultOf } from './load/load.ts';
import { publishEvent } from './load/publish-event.ts';
import { signIn, siteJwtSecret, siteSession, siteUser } from './load/site-players.ts';
import { type BenchPlatform, freePort, startPlatform } from './platform.ts';

/** Events per second of the full mix in addition to the measured ones. */
const rate = 1_000;
/** Number of the player with the open page. */
const measured = 1_000_000;
const gapMs = 250;
/** A message that takes longer counts as missing. */
const longestMs = 30_000;

/*
 * Latency from an event to the player's screen: a deposit is acknowledged, a campaign evaluates its rule, starts a run and
 * sends, and the message appears in the open inbox of a real Chromium. Meanwhile 1,000 events/s of the full mix arrive, and 100
 * segments and 20 campaigns are in force.
 */
export async function benchLatencyOfEvents({ smoke }: { smoke: boolean }): Promise<boolean> {
  const deposits = smoke ? 10 : 240;
  const warmUp = smoke ? 2 : 20;
  const seconds = Math.ceil((deposits * gapMs) / 1_000) + warmUp;
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  operator.books.addPlayer(siteUser(measured), {
    blocks: [],
    consents: [{ type: 'SiteNotification', opted_in: true }],
  });
  const pagePort = await freePort();
  const platform = await startPlatform({
    worker: true,
    operatorUrl: operator.url,
    brand: { site_jwt: { secret: siteJwtSecret }, site_origins: [`http://127.0.0.1:${pagePort}`] },
  });
  const generator = await startChild('bench/load/process.ts');
  let page: CasinoPage | undefined;
  try {
    const session = siteSession(measured);
    await signIn(`http://127.0.0.1:${platform.port}/site/bench`, session);
    await publishSegmentsAndCampaigns(platform);
    page = await openCasinoPage({ port: pagePort, platform: platform.port, session });
    const target = { port: platform.port, path: '/', method: 'POST' as const, headers: { 'x-api-key': platform.key } };
    const events = (seconds + 1) * rate;
    const load = resultOf(generator, { mix: { ...target, connections: 64, seconds, rate }, events, seed: 1 });
    generator.process.send({ more: events });
    await pause(warmUp * 1_000);
    const acknowledged = new Map<string, number>();
    for (let i = 0; i < deposits; i++) {
      const title = String(Date.now());
      await deposit(platform, title);
      acknowledged.set(title, Date.now());
      await pause(gapMs);
    }
    const { per_second, statuses } = await load;
    const refused = Object.entries(statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return judge(await delaysOf(page, acknowledged), { per_second, smoke, browser: page.browser });
  } finally {
    await generator.stop();
    await page?.stop();
    await platform.stop();
    await operator.stop();
  }
}

async function deposit(platform: BenchPlatform, paymentId: string): Promise<void> {
  await publishEvent(platform, '/v1/integration/payment', {
    user_id: siteUser(measured),
    payment_id: paymentId,
    type: 'Credit',
    status: 'Approved',
    amount: 25,
    currency: 'EUR',
    exchange_rate: 1,
    timestamp: new Date().toISOString(),
    vendor_id: 'visa',
    origin: 'www.casino.example',
  });
}

/** Milliseconds per deposit, sorted; Infinity if its message was never shown. */
async function delaysOf(page: CasinoPage, acknowledged: ReadonlyMap<string, number>): Promise<number[]> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    const shown = await page.present();
    if (performance.now() < deadline && [...acknowledged.keys()].some((title) => !(title in shown))) {
      await pause(100);
      continue;
    }
    return [...acknowledged]
      .map(([title, at]) => (shown[title] ?? Number.POSITIVE_INFINITY) - at)
      .sort((one, other) => one - other);
  }
}

function judge(
  delays: readonly number[],
  { per_second, smoke, browser }: { per_second: number; smoke: boolean; browser: string },
): boolean {
  const bench = 'latency';
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  const missing = delays.filter((delay) => !Number.isFinite(delay)).length;
  process.stderr.write(`${browser}\n`);
  report({ bench, figure: 'mix beside it', value: per_second, unit: 'events/s' });
  report({ bench, figure: 'never shown', value: missing, unit: 'messages', at_most: 0 });
  const p50 = report({ bench, figure: 'event_to_screen_p50', value: at(0.5), unit: 'ms', at_most: 100 });
  const p99 = report({ bench, figure: 'event_to_screen_p99', value: at(0.99), unit: 'ms', at_most: 500 });
  return missing === 0 && (smoke || (p50 !== false && p99 !== false));
}
