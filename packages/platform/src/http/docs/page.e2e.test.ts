import path from 'node:path';
import { openApi } from '@croupier/contracts';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { siteOpenApi } from '../../site/serving.ts';
import { openApiRoutes } from '../openapi-routes.ts';

const app = Fastify();
await app.register(
  openApiRoutes([
    { name: 'integration', title: 'Integration API', document: openApi.integration },
    { name: 'site', title: 'Site API', document: siteOpenApi },
  ]),
);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());
const browser = await setupBrowser();

test.for(['light', 'dark'] as const)(
  'in the %s scheme, the page shows the document that the address names',
  async (colorScheme, context) => {
    const page = await browser.page(context, { colorScheme, viewport: { width: 1280, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${origin}/docs`);
    await page.locator('.docs-bar [aria-current]', { hasText: 'Integration API' }).waitFor();
    await page.locator('.opblock').first().waitFor();
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(colorScheme === 'dark' ? 'rgb(26, 27, 30)' : 'rgb(255, 255, 255)');
    const folder = process.env.TEST_PICTURES;
    if (folder) await page.screenshot({ path: path.join(folder, `docs-${colorScheme}.png`) });
    await page.getByRole('link', { name: 'Site API' }).click();
    await page.locator('.docs-bar [aria-current]', { hasText: 'Site API' }).waitFor();
    await page.getByText('/Notifications/MarkNotificationAsRead').first().waitFor();
    expect(await page.getByRole('link', { name: 'OpenAPI file' }).getAttribute('href')).toBe('/openapi/site.json');
    expect(complaints).toEqual([]);
  },
);
