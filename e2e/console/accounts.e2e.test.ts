import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setupIdentityProvider } from '../../packages/platform/testing/console/identity-provider.ts';
import { freePort } from '../../packages/platform/testing/free-port.ts';
import { accessibilityProblems } from '../site/accessibility.ts';
import { picture } from '../site/picture.ts';
import { callApi, complaintsOf, firstLogin, signIn } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * Signing in with second factors, in a real browser with a virtual authenticator, and single sign-on with a real provider. The steps
 * are one story: an administrator adds second factors and requires them. A colleague has to add one, and loses it. Another colleague
 * signs in through the provider.
 */

// Browsers accept passkeys only for a host name. So the address uses `localhost`, and is set before the start.
const port = await freePort();
const at = `http://localhost:${port}`;
const provider = await setupIdentityProvider(at, {
  ann: { email: 'ann@example.com', email_verified: true, groups: ['crm-team'], amr: ['pwd'] },
  bob: { email: 'bob@example.com', email_verified: true, groups: [] },
});
const single_sign_on = {
  name: 'Example ID',
  issuer: provider.issuer,
  ...provider.client,
  create_accounts: true,
  roles: { 'crm-team': [{ brand: 'demo', role: 'crm' }] },
};
const {
  installation: started,
  browser,
  pool,
} = await setupConsole({
  brands: [{ code: 'demo', name: 'Demo Casino' }],
  settings: { single_sign_on },
  env: { PORT: String(port), PUBLIC_URL: at },
});
const installation = { ...started, url: at };
const admin = firstLogin(installation);

/** Adds a virtual security key to Chromium. The key is always present. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

/** Changes the proofs of all sessions as if they had been given 16 minutes earlier. */
const ageProofs = () => pool.query(`update console_session set proven_at = proven_at - interval '16 minutes'`);

/** The code that an authenticator app shows after the given number of seconds. */
const codeOf = (secret: string, inSeconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + inSeconds * 1_000 });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function giveLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`${at}/console/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const now = (page: Page) => page.getByRole('heading', { level: 2, name: 'Now' });
const ownAccount = (page: Page) => page.goto(`${at}/console/demo/settings/profile`);
/** Confirms that the recovery codes, which are shown only once, are stored. @returns the codes */
async function storeCodes(page: Page): Promise<string[]> {
  const codes = await page.getByTestId('recovery-codes').textContent();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByTestId('recovery-codes').waitFor({ state: 'detached' });
  return String(codes).split('\n');
}

let secret = '';
let recoveryCodes: string[] = [];

test('an administrator adds an authenticator app, and gets recovery codes once', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation, admin);
  await ownAccount(page);
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'authenticator-app');
  secret = String(await page.getByTestId('totp-secret').textContent()).replaceAll(/\s/g, '');
  await page.getByLabel('6-digit code').fill(wrong(codeOf(secret)));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('alert').getByText('The code is wrong').waitFor();
  await page.getByLabel('6-digit code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  recoveryCodes = await storeCodes(page);
  expect(recoveryCodes).toHaveLength(10);
  await page.getByText('10 codes left').waitFor();
  // The platform answered the wrong code with 409, which the browser reports.
  expect(complaints.filter((complaint) => !complaint.includes(' 409 '))).toEqual([]);
});

test('the sign-in asks for a code, or for a recovery code, which works once', async (context) => {
  const page = await browser.page(context);
  await giveLogin(page, admin);
  await page.getByLabel('Code', { exact: true }).fill(wrong(codeOf(secret)));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('The code is wrong').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // The code of the current half minute cannot be used again, because it confirmed the app.
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 30));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await now(page).waitFor();
  await page.context().clearCookies();
  const [recovery = ''] = recoveryCodes;
  for (const isFirst of [true, false]) {
    await giveLogin(page, admin);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery.toLowerCase());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    if (isFirst) await now(page).waitFor();
    else await page.getByRole('alert').getByText('already used').waitFor();
    await page.context().clearCookies();
  }
});

test('a passkey is added after a confirmation, signs in, and requires a second factor of all', async (context) => {
  const page = await browser.page(context);
  await plugInAuthenticator(page);
  await giveLogin(page, admin);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await now(page).waitFor();
  await ageProofs();
  await ownAccount(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Work laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirmation.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await confirmation.getByText('That was wrong').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await confirmation.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Rename the passkey Work laptop' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop at home');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('cell', { name: 'Laptop at home', exact: true }).waitFor();
  await page.context().clearCookies();
  await giveLogin(page, admin);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await now(page).waitFor();
  await page.goto(`${at}/console/demo/settings/accounts`);
  await page.getByRole('cell', { name: 'app, 1 passkey', exact: true }).waitFor();
  await page.getByLabel('At every brand').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It applies now').waitFor();
});

test('a colleague without a second factor can only add one, and an administrator resets a lost one', async (context) => {
  const colleague = await callApi<{ email: string; password: string }>(installation, 'POST', '/accounts', {
    email: 'crm@example.com',
    grants: [{ brand: 'demo', role: 'crm' }],
  });
  const page = await browser.page(context);
  await plugInAuthenticator(page);
  await giveLogin(page, colleague);
  await page.getByText('A second factor is required here').waitFor();
  expect(page.url()).toBe(`${at}/console/demo/settings/profile`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Security key');
  await page.getByRole('button', { name: 'Continue' }).click();
  await storeCodes(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Players' }).click();
  await page.getByPlaceholder('Player id, name, e-mail or phone').waitFor();
  const { items } = await callApi<{ items: { email: string; account_id: number }[] }>(installation, 'GET', '/accounts');
  const { account_id } = items.find(({ email }) => email === colleague.email) ?? {};
  await callApi(installation, 'DELETE', `/accounts/${account_id}/second-factors`);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  await giveLogin(page, colleague);
  await page.getByText('A second factor is required here').waitFor();
});

/** Signs in at the provider, whose page asks only for a name. */
async function enterAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Enter' }).click();
}

test('single sign-on creates the account by its groups; once a second factor is added, each sign-in requires it', async (context) => {
  const page = await browser.page(context);
  await page.goto(`${at}/console/demo/players`);
  await page.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  await enterAtProvider(page, 'ann');
  // The provider did not ask for a second factor, and every brand requires one.
  await page.getByText('A second factor is required here').waitFor();
  expect(page.url()).toBe(`${at}/console/demo/settings/profile`);
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const ofAnn = String(await page.getByTestId('totp-secret').textContent()).replaceAll(/\s/g, '');
  await page.getByLabel('6-digit code').fill(codeOf(ofAnn));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await storeCodes(page);
  await page.getByRole('cell', { name: 'CRM at demo' }).waitFor();
  // Signing out also ends the session at the provider, so the provider asks for the name again.
  await page.getByRole('button', { name: 'ann@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  // The ticket is no longer stored in the browser.
  expect(await page.evaluate(`sessionStorage.getItem('croupier-sign-on')`)).toBeNull();
  await enterAtProvider(page, 'ann');
  await page.getByLabel('Code', { exact: true }).fill(codeOf(ofAnn, 30));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await now(page).waitFor();
  expect(page.url()).not.toContain('code=');
  const { items } = await callApi<{ items: { action: string; details: object }[] }>(
    installation,
    'GET',
    '/audit?limit=1',
  );
  expect(items[0]).toMatchObject({
    action: 'session.opened',
    details: { by: 'single_sign_on', second_factor: 'totp' },
  });
});

test('a refused single sign-on shows the reason, and returns to the sign-in page', async (context) => {
  const page = await browser.page(context);
  await page.goto(`${at}/console/sign-in`);
  await enterAtProvider(page, 'bob');
  await page.getByRole('alert').getByText('None of your groups has a role here').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'single-sign-on-refused');
  await page.reload();
  await page.getByRole('alert').getByText('began in another window').waitFor();
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  await page.getByText('or with a password').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('alert').getByText('You cancelled').waitFor();
});

test.for(['light', 'dark'] as const)('the pages look right and axe finds nothing, %s', async (colorScheme, context) => {
  const isGerman = colorScheme === 'dark';
  const page = await browser.page(context, { colorScheme, locale: isGerman ? 'de-DE' : 'en-GB' });
  await page.goto(`${at}/console/sign-in`);
  await page.getByRole('button', { name: /Example ID/ }).waitFor();
  await picture(page, `sign-in-${colorScheme}`);
  await page.locator('input[type=email]').fill(admin.email);
  await page.locator('input[type=password]').fill(admin.password);
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { name: isGerman ? 'Zweiter Faktor' : 'Second factor' }).waitFor();
  await page.getByRole('button', { name: isGerman ? 'Wiederherstellungscode' : 'recovery code' }).click();
  await page.getByRole('textbox').fill(recoveryCodes[isGerman ? 3 : 2] ?? '');
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { level: 2 }).waitFor();
  for (const place of ['profile', 'accounts']) {
    await page.goto(`${at}/console/demo/settings/${place}`);
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    expect(await accessibilityProblems(page), place).toEqual([]);
    await picture(page, `${place}-${colorScheme}`);
  }
});
