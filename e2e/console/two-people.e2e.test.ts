import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityProblems } from '../site/accessibility.ts';
import { callApi, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * Two people change the same template or campaign: one in the console, the other through the API. Neither overwrites the changes of the
 * other without knowing, and neither loses text.
 */
const { installation, browser } = await setupConsole();

const editor = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const noticeOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'Another person has saved changes' });

test('unsaved changes of a template are kept when another person saves a version, and can be used or discarded', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  const save = (text: string) =>
    callApi(installation, 'PUT', '/brands/demo/templates/shared_sms', {
      name: 'Shared SMS',
      channel: 'sms',
      content: { en: { text } },
    });
  await save('First');
  await visit(page, installation, 'messages/templates/shared_sms');
  const text = editor(page, 'Text');
  const write = async (words: string) => {
    await text.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(words);
  };
  // Loads the page again in the same tab, so that it reads the current version.
  const comeBack = () => page.goto(`${installation.url}/console/demo/messages/templates/shared_sms`);
  await write('My text');
  await page.getByText('Unsaved changes').waitFor();
  await visit(page, installation, 'messages/templates');
  await save('Text of a colleague');
  await comeBack();
  const notice = page.getByRole('status').filter({ hasText: 'You have unsaved changes to version 1' });
  await notice.waitFor();
  await expect.poll(() => text.textContent()).toBe('Text of a colleague');
  expect(await accessibilityProblems(page)).toEqual([]);
  // The changes are kept until the user decides.
  await page.reload();
  await notice.getByRole('button', { name: 'Use my changes' }).click();
  await expect.poll(() => text.textContent()).toBe('My text');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text.textContent()).toBe('Text of a colleague');
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 3').waitFor();

  await write('Another text');
  await page.getByText('Unsaved changes').waitFor();
  await visit(page, installation, 'messages/templates');
  await save('Second text of a colleague');
  await comeBack();
  await page.getByText('You have unsaved changes to version 3').waitFor();
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await page.reload();
  await expect.poll(() => text.textContent()).toBe('Second text of a colleague');
  expect(await page.getByText('You have unsaved changes').count()).toBe(0);
});

test('when another person saves a version of a template, an unchanged editor shows it, and a changed editor offers both texts', async (context) => {
  const code = 'followed_sms';
  const save = (text: string) =>
    callApi(installation, 'PUT', `/brands/demo/templates/${code}`, {
      name: 'Followed SMS',
      channel: 'sms',
      content: { en: { text } },
    });
  const stored = () => callApi<{ version: number }>(installation, 'GET', `/brands/demo/templates/${code}`);
  await save('First');
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, `messages/templates/${code}`);
  const text = editor(page, 'Text');
  const write = async (words: string) => {
    await text.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(words);
    await expect.poll(() => text.textContent()).toBe(words);
  };
  const version = (number: number) => page.getByText(`Version ${number}`, { exact: true });
  const saveButton = page.getByRole('button', { name: 'Save', exact: true });
  const notice = noticeOf(page);
  await expect.poll(() => text.textContent()).toBe('First');
  await save('Second');
  await expect.poll(() => text.textContent()).toBe('Second');
  await version(2).waitFor();
  expect(await saveButton.isDisabled()).toBe(true);

  // The header shows the version on which the text is based.
  await write('My text');
  await save('Third');
  await notice.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await text.textContent()).toBe('My text');
  expect(await version(2).count()).toBe(1);
  expect(await saveButton.isDisabled()).toBe(true);
  await notice.getByRole('button', { name: 'Keep my changes' }).click();
  await version(3).waitFor();
  await saveButton.click();
  await page.getByText('Saved as version 4').waitFor();
  expect(await stored()).toMatchObject({ version: 4, content: { en: { text: 'My text' } } });
  await version(4).waitFor();

  // Another person saves just before the user, whose page still has the former version.
  const former = await stored();
  let isStale = true;
  await page.route(`**/brands/demo/templates/${code}`, (route) => {
    const method = route.request().method();
    if (method === 'GET' && isStale) return route.fulfill({ json: former });
    if (method === 'PUT') isStale = false;
    return route.continue();
  });
  await write('My second text');
  await save('Fifth');
  await saveButton.click();
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Keep my changes' }).click();
  await saveButton.click();
  await page.getByText('Saved as version 6').waitFor();
  expect(await stored()).toMatchObject({ version: 6, content: { en: { text: 'My second text' } } });

  await write('My third text');
  await save('Seventh');
  await notice.getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(() => text.textContent()).toBe('Seventh');
  // Undo brings the discarded text back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text.textContent()).toBe('My third text');
});

test('a test of a template sends the version on the screen, and is refused if another person has saved a newer one', async (context) => {
  const save = (text: string) =>
    callApi(installation, 'PUT', '/brands/demo/templates/tested_sms', {
      name: 'Tested SMS',
      channel: 'sms',
      content: { en: { text } },
    });
  await save('First');
  await callApi(installation, 'PUT', '/brands/demo/settings', { settings: { test_players: ['ann-1'] } });
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, 'messages/templates/tested_sms');
  const text = editor(page, 'Text');
  await expect.poll(() => text.textContent()).toBe('First');
  const open = page.getByRole('button', { name: 'Send a test' });
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  const send = dialog.getByRole('button', { name: 'Send a test' });

  // Unsaved changes must be saved first.
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' text');
  await open.click();
  await dialog.getByText('Save your changes first.').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 2').waitFor();

  const former = await callApi(installation, 'GET', '/brands/demo/templates/tested_sms');
  let isStale = true;
  await page.route('**/brands/demo/templates/tested_sms', (route) =>
    isStale ? route.fulfill({ json: former }) : route.continue(),
  );
  await page.route('**/test-send', (route) => {
    isStale = false;
    return route.continue();
  });
  await save('Text of a colleague');
  await open.click();
  await send.click();
  await dialog.getByRole('alert').getByText('tested_sms now has version 3').waitFor();
  await expect.poll(() => text.textContent()).toBe('Text of a colleague');
  expect(await send.isDisabled()).toBe(false);
});
