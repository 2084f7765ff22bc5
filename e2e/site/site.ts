import { startSandboxOperator } from '@croupier/sandbox';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, type TestContext } from 'vitest';
import { consoleOf } from '../../faults/installation/console.ts';
import { startInstallation } from '../../faults/installation/installation.ts';
import { until } from '../../faults/installation/until.ts';
import { setupBrowser } from '../../packages/platform/testing/browser/browser.ts';
import { setupDatabase } from '../../packages/platform/testing/database.ts';
import { publish } from '../publish.ts';
import { type CasinoPage, startCasinoPages } from './casino-pages.ts';

/*
 * Everything between an operator and a player's screen, for one test file: a whole installation, the sandbox operator with its
 * sessions, a casino's pages, and one browser in which each test has its own windows. All players are created and published to
 * the platform at the start, so that no test waits for a look-up.
 */
export interface Player {
  user_id: string;
  sid: string;
}

/** The fields of a message, as the console API accepts them. A test passes only some of them. */
export type Message = Record<string, unknown>;

/** Animations are off: without a graphics card, the processor paints each of their frames, and two tests share the processor. */
export const calm: BrowserContextOptions = { viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' };

const testSid = 'the-fixed-sid-of-the-test-user';

export async function setupSite(playerCount: number) {
  const { url: databaseUrl, pool } = await setupDatabase();
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
  afterAll(() => operator.stop());
  const pages = await startCasinoPages();
  afterAll(() => pages.stop());
  const [installation, browser] = await Promise.all([
    startInstallation({
      databaseUrl,
      operator: { url: operator.url, key: 'key-of-the-operator' },
      brand: { site_origins: [pages.origin], test_user: { sid: testSid, user_id: 'test-1' } },
    }),
    setupBrowser(),
  ]);
  afterAll(() => installation.stop());
  pages.openTo(installation.url);
  const crm = consoleOf(installation);
  const names = ['test-1', ...Array.from({ length: playerCount }, (_, place) => `player-${place + 1}`)];
  for (const name of names) {
    const { consents } = operator.books.addPlayer(name);
    operator.books.change(name, { consents: consents.map(({ type }) => ({ type, opted_in: true })) });
  }
  const now = () => new Date().toISOString();
  await Promise.all(
    names.map((user_id) => publish(installation, '/v2/integration/login', { user_id, timestamp: now() })),
  );
  const isKnown = async (name: string) => {
    const found = await crm.get<{ consents: { type: string; opted_in: boolean }[] }>(`players/${name}`);
    return found?.consents.some(({ type, opted_in }) => type === 'SiteNotification' && opted_in) ?? false;
  };
  await until('the players to be known', async () => (await Promise.all(names.map(isKnown))).every(Boolean), {
    limitMs: 20_000,
  });
  let next = 0;

  /** Signs in the next player, and returns this player. */
  function player(): Player {
    next += 1;
    const user_id = names[next];
    if (user_id === undefined) throw new Error(`setupSite(${playerCount}) made too few players`);
    const sid = `sid-of-${user_id}`;
    operator.books.signIn(user_id, sid);
    return { user_id, sid };
  }

  /** Writes a message that the player can see. */
  async function send({ user_id }: Pick<Player, 'user_id'>, message: Message): Promise<number> {
    const written = await crm.post<{ message_id: number; state: string }>(`players/${user_id}/messages`, message);
    expect(written.state).toBe('live');
    return written.message_id;
  }

  /**
   * Copies a message this many times, in one statement. Writing the messages one by one would take longer than the rest of
   * the test.
   */
  async function copy(messageId: number, times: number): Promise<void> {
    const { rows } = await pool.query<{ names: string }>(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = 'notification'::regclass and attnum > 0 and not attisdropped and attname <> 'message_id' and attgenerated = ''`,
    );
    const names = rows[0]?.names;
    await pool.query(
      `insert into notification (message_id, ${names})
       select id_in_bucket(nextval('notification_number'), player_id), ${names} from notification, generate_series(1, $2) where message_id = $1`,
      [messageId, times],
    );
  }

  /** Opens a page of the casino in a new window, signed in as the given player, if any. */
  async function open(
    context: TestContext,
    page: CasinoPage & { player?: Player },
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const { player: who, ...given } = page;
    const window = await browser.page(context, { ...calm, ...options });
    // A missing element is reported with its own name, not as a test that timed out.
    window.setDefaultTimeout(20_000);
    await window.goto(pages.add({ brand: installation.brandCode, ...(who && { sid: who.sid }), ...given }));
    return window;
  }

  return {
    installation,
    operator,
    pages,
    crm,
    player,
    send,
    copy,
    open,
    testSid,
    publish: publish.bind(null, installation),
  };
}

/** Returns the details of all events with this name that the page received from `Crm.on`. */
export async function heard(page: Page, event: string): Promise<Record<string, unknown>[]> {
  const all = (await page.evaluate('window.heard')) as [string, Record<string, unknown>][];
  return all.filter(([name]) => name === event).map(([, detail]) => detail);
}

/** Returns the content of the page's own badge. It is empty if the badge is hidden. */
export async function badge(page: Page): Promise<string> {
  const found = page.locator('#badge');
  return (await found.isVisible()) ? ((await found.textContent()) ?? '') : '';
}

/** Waits until an expression is true on the page. Playwright's own function needs `unsafe-eval`, which the policy refuses. */
export async function outcome(page: Page, expression: string): Promise<void> {
  await until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`), { limitMs: 20_000 });
}

/** Waits until the script is loaded and the page may call it. */
export const loaded = (page: Page) => outcome(page, 'window.Crm');

/** Returns what the browser refused because of the page's policy. */
export function violations(page: Page): Promise<string[]> {
  return page.evaluate('window.violations');
}

/** Returns the configuration of version 1.1 with the inbox on, as most pages have it. */
export function inbox(more: Record<string, unknown> = {}, others: Record<string, unknown> = {}) {
  return { integrationVersion: '1.1', autoInit: true, inbox: { enable: true, badgeId: 'badge', ...more }, ...others };
}
