import type { Cookie, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Installation } from '../../packages/platform/testing/installation.ts';

interface Login {
  email: string;
  password: string;
}

/** Returns the login of the account that a new installation prints when it starts. */
export function firstLogin(installation: Installation): Login {
  const [, email = '', password = ''] = /Console login +(\S+) {2}(\S+)/.exec(installation.output()) ?? [];
  return { email, password };
}

/** The cookies of the first account's session, per installation. */
const firstSessions = new WeakMap<Installation, Cookie[]>();

/**
 * Opens the console on a page, signed in. It fills in the form. Further pages of the first account reuse the session of its first
 * page while that is valid, because the hash of the password alone costs 0.3 s of CPU per sign-in.
 */
export async function signIn(page: Page, installation: Installation, login?: Login): Promise<void> {
  const known = login === undefined ? firstSessions.get(installation) : undefined;
  if (known !== undefined) await page.context().addCookies(known);
  await page.goto(`${installation.url}/console`);
  const signedIn = page.getByRole('heading', { level: 2, name: /^(Now|Jetzt)$/ });
  const email = page.locator('input[type=email]');
  if (known !== undefined) await signedIn.or(email).first().waitFor();
  if (known === undefined || (await email.isVisible())) {
    const { email: address, password } = login ?? firstLogin(installation);
    await email.fill(address);
    await page.locator('input[type=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await signedIn.waitFor();
  }
  if (login === undefined) firstSessions.set(installation, await page.context().cookies());
}

/**
 * Opens another page of the console on a signed-in page, as a link does, without a reload. A reload takes a second under load. Waits
 * for its heading, and until nothing of it is loading.
 */
export async function visit(page: Page, installation: Installation, place: string): Promise<void> {
  const url = new URL(`${installation.url}/console/demo/${place}`);
  const isOther = new URL(page.url()).pathname !== url.pathname;
  const heading = 'main :is(h2, [role=alert])';
  // The previous page keeps its heading until the new page is shown.
  if (isOther) await page.evaluate(`document.querySelectorAll('${heading}').forEach((one) => (one.dataset.left = ''))`);
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(url)})`);
  await page
    .locator(isOther ? `${heading}:not([data-left])` : heading)
    .first()
    .waitFor();
  await loaded(page);
}

/** Waits until no part of the page shows that it is loading. */
export async function loaded(page: Page): Promise<void> {
  const loading = page.getByRole('status', { name: /^(Loading|Lädt)$/ });
  await expect.poll(() => loading.count()).toBe(0);
}

/** The widths of a phone, and of a small and a large desktop. */
const widths = [390, 1280, 1920];

/**
 * Expects at each width that the page as a whole does not scroll sideways. A table or a picture may scroll inside its own box. Charts
 * change to the new width in the next frame.
 */
export async function expectToFit(page: Page, place: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: before?.height ?? 844 });
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: `${place}, ${width} px` })
      .toBeLessThanOrEqual(width);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Opens a tab of a page whose tabs may be in the menu at the end of their line. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tablist').first().waitFor();
  const tab = page.getByRole('tab', { name });
  if ((await tab.count()) > 0) await tab.click();
  else {
    await page.getByRole('button', { name: 'More sections' }).click();
    await page.getByRole('menuitem', { name }).click();
  }
  await page.getByRole('tab', { name, selected: true }).waitFor();
}

/** Returns everything that the browser refused to run or to load. Under a strict policy, a refusal is reported as an error. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The platform answers 401 to the first request of a page without a session.
    if (message.type() === 'error' && !message.text().includes('401'))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Calls the console API with the admin token. @returns the body of a successful answer */
export async function callApi<Body>(
  installation: Installation,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const answer = await fetch(`${installation.url}/api/console/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${await installation.adminToken()}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** Creates the draft of a campaign. Without `entry`, players enter it by calls. */
export const createCampaign = (
  installation: Installation,
  code: string,
  steps: readonly unknown[],
  entry: unknown = { api: true },
) => callApi(installation, 'POST', '/brands/demo/campaigns', { code, name: code, entry, steps });

/** Publishes an approved deposit in EUR and waits for its acknowledgment. Each player has one payment_id, so a second amount is a conflict. */
export async function deposit(installation: Installation, user_id: string, amount = 25): Promise<void> {
  const answer = await fetch(`${installation.url}/v1/integration/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
    body: JSON.stringify({
      user_id,
      payment_id: `payment of ${user_id}`,
      type: 'Credit',
      status: 'Approved',
      amount,
      currency: 'EUR',
      exchange_rate: 1,
      vendor_id: '1',
      vendor_name: 'Cards',
      origin: 'casino.example',
      timestamp: new Date().toISOString(),
    }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}
