import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupBrowser } from '../../packages/platform/testing/browser/browser.ts';
import { type Installation, startInstallation } from '../../packages/platform/testing/installation.ts';
import { ailments } from '../site/ailments.ts';
import { callApi, complaintsOf, signIn } from './session.ts';

/*
 * Messages as somebody of the CRM writes them: a template beside what a player sees of it.
 */
const browser = await setupBrowser();
let dataDir: string;
let installation: Installation;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  installation = await startInstallation({ dataDir });
  const answer = await fetch(`${installation.url}/v2/integration/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
    body: JSON.stringify({ user_id: 'ann-1', timestamp: new Date().toISOString() }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}, 120_000);

afterAll(async () => {
  await installation?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A text with a mistake is answered 400 by the preview, which browsers note; everything else is a complaint. */
const seriousOf = (complaints: string[]) => complaints.filter((one) => !one.includes('status of 400'));

/** A computed property, as the browser draws the element. */
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate(
    (one, name) =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { getPropertyValue(name: string): string } })
        .getComputedStyle(one)
        .getPropertyValue(name),
    property,
  );

const editor = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

test('an e-mail is written with completion, seen as a player in its frames, saved, compared with before, and taken back', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/messages/templates`);
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Name').fill('Spring offer');
  expect(await page.getByLabel('Code').inputValue()).toBe('spring_offer');
  expect(await ailments(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make the template' }).click();

  const mail = page.frameLocator('iframe[title=Preview]');
  await mail.getByText('Hello there,').waitFor();
  // The policy of the frame lets the styles of the e-mail through.
  const button = mail.getByRole('link', { name: 'Go to Demo Casino' });
  expect(await styleOf(button, 'background-color')).toContain('rgb(68, 68, 221)');
  await editor(page, 'Subject').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' from {{ player.cit');
  await page.getByRole('option', { name: /player\.city/ }).click();
  await page.keyboard.press('End');
  await page.getByText('Empty for this player').waitFor();
  // What is unknown is said at its field, and the preview stays.
  await page.keyboard.type('{{ player.frist_name }}');
  await page.getByText('player.frist_name is no field of a player').waitFor();
  await mail.getByText('Hello there,').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('player.frist_name is no field of a player').waitFor({ state: 'detached' });

  const show = (frame: string) =>
    page.getByRole('radiogroup', { name: 'Frame' }).getByText(frame, { exact: true }).click();
  await show('Inbox');
  await page.locator('.mail-row', { hasText: 'We have something for you' }).waitFor();
  await show('Plain text');
  await page.locator('.plain-part', { hasText: 'Write what you have to say here.' }).waitFor();
  await show('Phone');
  await mail.getByText('Hello there,').waitFor();
  await page.getByRole('radiogroup', { name: 'Look' }).getByText('Dark', { exact: true }).click();
  await expect.poll(() => styleOf(mail.locator('html'), 'filter')).toContain('invert');
  await page.getByRole('button', { name: 'Add language' }).click();
  await page.getByRole('dialog').getByLabel('Add language').fill('de');
  await page.getByRole('dialog').getByRole('button', { name: 'Add language' }).click();
  await page.getByRole('tab', { name: 'de', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved as version 2').waitFor();
  expect(await ailments(page)).toEqual([]);
  expect(await callApi(installation, 'GET', '/brands/demo/templates/spring_offer')).toMatchObject({
    version: 2,
    languages: ['en', 'de'],
  });

  await page.getByRole('tab', { name: 'History' }).click();
  await page.locator('ins', { hasText: '<mjml>' }).waitFor();
  expect(await ailments(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit this version again: 1' }).click();
  await page.getByText('Not saved').waitFor();
  // Leaving loses nothing.
  await page.goto(`${installation.url}/console/demo/now`);
  await page.goto(`${installation.url}/console/demo/messages/templates/spring_offer`);
  await page.getByText('Your changes of before are here again.').waitFor();
  await page.getByRole('button', { name: 'Discard them' }).click();
  await page.getByRole('tab', { name: 'de' }).waitFor();

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('heading', { name: 'Spring offer' }).waitFor();
  expect(seriousOf(complaints)).toEqual([]);
});

test.for(['light', 'dark'] as const)(
  "a message of the site is shown by the brand's own script, which leaves the keyboard to its writer, %s",
  async (colorScheme, context) => {
    const page = await browser.page(context, { viewport: { width: 1280, height: 900 }, colorScheme, locale: 'de' });
    const complaints = complaintsOf(page);
    await signIn(page, installation);
    const code = `modal_${colorScheme}`;
    const content = {
      en: {
        event: 'message',
        title: 'Hello',
        message: '<p>Ten spins</p>',
        cta_button_text: 'Play',
        cta_button_link: '/games',
      },
    };
    await callApi(installation, 'PUT', `/brands/demo/templates/${code}`, { name: 'Modal', channel: 'site', content });
    await page.goto(`${installation.url}/console/demo/messages/templates/${code}`);
    const site = page.frameLocator('iframe[title=Vorschau]');
    await site.getByRole('heading', { name: 'Hello' }).waitFor();
    await editor(page, 'Titel').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' you', { delay: 30 });
    await site.getByRole('heading', { name: 'Hello you' }).waitFor();
    await page.keyboard.type(' there');
    await site.getByRole('heading', { name: 'Hello you there' }).waitFor();
    expect(await ailments(page)).toEqual([]);
    expect(seriousOf(complaints)).toEqual([]);
  },
);
