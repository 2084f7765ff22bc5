import { expect, test } from 'vitest';
import { callApi, loaded, signIn } from './session.ts';
import { setupConsole } from './setup.ts';

/* The menu of each role leads to the pages that the role may open, and to no others. */
const { installation, browser } = await setupConsole();

/** The pages that a role may not open. Its menu must not contain them. */
const closedPages = {
  // Accounts belong to no brand, so the administrator of one brand does not manage them.
  admin: ['accounts'],
  crm: ['keys', 'privacy', 'chain', 'brands', 'accounts', 'audit'],
  analyst: ['keys', 'privacy', 'chain', 'brands', 'accounts', 'audit'],
  integrator: ['privacy', 'chain', 'brands', 'accounts', 'audit'],
  compliance: ['keys', 'brands', 'accounts'],
  support: ['keys', 'privacy', 'chain', 'brands', 'accounts', 'audit'],
};

test.for(Object.entries(closedPages))(
  'the menu of the role %s leads only to pages that the role may open, and no page makes a call that is refused',
  async ([role, closed], context) => {
    const login = { email: `${role}@example.com`, password: 'a long enough password' };
    await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role }] });
    const page = await browser.page(context);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${page.url()}: ${response.url()}`);
    });
    await signIn(page, installation, login);
    const menu = page.getByRole('navigation');
    for (const section of ['Integration', 'Rewards', 'Compliance', 'Settings']) {
      await menu.getByRole('button', { name: section }).click();
    }
    await menu.getByRole('link', { name: 'Your account' }).waitFor();
    const links = await menu.getByRole('link').all();
    const places = await Promise.all(
      links.map(async (link) =>
        String(await link.getAttribute('href'))
          .split('/')
          .at(-1),
      ),
    );
    const all = ['keys', 'privacy', 'chain', 'brands', 'accounts', 'audit', 'checklist', 'decisions', 'profile'];
    expect(all.filter((place) => !places.includes(place))).toEqual(closed);
    for (const [number, link] of links.entries()) {
      if (places[number] === 'docs') continue;
      await link.click();
      await page.waitForURL(`**/${places[number]}`);
      await page.locator('main :is(h2, [role=alert])').first().waitFor();
      await loaded(page);
    }
    expect(refused).toEqual([]);
  },
);
