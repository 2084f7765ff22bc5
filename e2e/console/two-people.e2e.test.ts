import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityProblems } from '../site/accessibility.ts';
import { callApi, createCampaign, openTab, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * Two people change the same template or campaign: one in the console, the other through the API. Neither overwrites the changes of the
 * other without knowing, and neither loses text.
 */
const { installation, browser } = await setupConsole();

const editor = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
/**
 * Lets the page miss every further change of an object: each read answers with the object as it is now, until the page makes a call that
 * matches `until`.
 */
async function missChanges(page: Page, path: string, until = /^PUT /): Promise<void> {
  const former = await callApi(installation, 'GET', path);
  let isMissing = true;
  await page.route(
    ({ pathname }) => pathname.includes(path),
    (route) => {
      const call = `${route.request().method()} ${new URL(route.request().url()).pathname}`;
      if (until.test(call)) isMissing = false;
      return isMissing && call.startsWith('GET ') && call.endsWith(path)
        ? route.fulfill({ json: former })
        : route.continue();
    },
  );
}

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
  await missChanges(page, `/brands/demo/templates/${code}`);
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

  await missChanges(page, '/brands/demo/templates/tested_sms', /test-send$/);
  await save('Text of a colleague');
  await open.click();
  await send.click();
  await dialog.getByRole('alert').getByText('tested_sms now has version 3').waitFor();
  await expect.poll(() => text.textContent()).toBe('Text of a colleague');
  expect(await send.isDisabled()).toBe(false);
});

/** The tag that the only step of a campaign sets, in a document. */
const tagIn = ({ steps: [first] }: { steps: { tag?: string }[] }) => first?.tag;

/** A campaign whose only step sets a tag. The other person changes it through the API. */
async function setupCampaign(code: string) {
  const path = `/brands/demo/campaigns/${code}`;
  const steps = (tag: string) => [{ id: 'mark', tag }];
  await createCampaign(installation, code, steps('first'));
  return {
    path,
    overtake: (tag: string) =>
      callApi(installation, 'PUT', path, { code, name: code, entry: { api: true }, steps: steps(tag) }),
    tagOfDraft: async () =>
      tagIn(
        (await callApi<{ draft: { document: { steps: { tag: string }[] } } }>(installation, 'GET', path)).draft
          .document,
      ),
  };
}

/** The document of a campaign on the page. */
function documentOn(page: Page) {
  const text = page.getByRole('textbox', { name: 'Document' });
  return {
    tag: async () => tagIn(JSON.parse(await text.inputValue())),
    write: async (tag: string) => text.fill((await text.inputValue()).replace(/"tag": "\w+"/, `"tag": "${tag}"`)),
  };
}

test('when another person saves a draft of a campaign, an unchanged editor shows it, and a changed editor offers both', async (context) => {
  const { path, overtake, tagOfDraft } = await setupCampaign('followed');
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, 'campaigns/followed?view=document');
  const { tag, write } = documentOn(page);
  const save = page.getByRole('button', { name: 'Save draft' });
  const notice = noticeOf(page);
  await expect.poll(tag).toBe('first');
  await overtake('second');
  await expect.poll(tag).toBe('second');
  expect(await save.isDisabled()).toBe(true);

  await write('mine');
  await overtake('third');
  await notice.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await tag()).toBe('mine');
  expect(await save.isDisabled()).toBe(true);
  await notice.getByRole('button', { name: 'Keep my changes' }).click();
  await save.click();
  await expect.poll(tagOfDraft).toBe('mine');
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(await notice.count()).toBe(0);

  // Another person saves just before the user, whose page still has the former draft.
  await missChanges(page, path);
  await write('mine_again');
  await overtake('fifth');
  await save.click();
  await notice.waitFor();
  expect(await tagOfDraft()).toBe('fifth');
  await notice.getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(tag).toBe('fifth');
  // Undo brings the discarded changes back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(tag).toBe('mine_again');
});

test('text of a document that is not valid JSON yet is an unsaved change: it stays when another person saves, and the user decides', async (context) => {
  const { overtake, tagOfDraft } = await setupCampaign('unfinished');
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, 'campaigns/unfinished?view=document');
  const { tag } = documentOn(page);
  const text = page.getByRole('textbox', { name: 'Document' });
  const save = page.getByRole('button', { name: 'Save draft' });
  const notice = noticeOf(page);
  await expect.poll(tag).toBe('first');
  const valid = (await text.inputValue()).replace('"first"', '"mine"');
  const unfinished = valid.slice(0, -1);
  await text.fill(unfinished);
  await page.getByText('This is not valid JSON').waitFor();
  await page.getByText('Unsaved changes').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await overtake('second');
  await notice.waitFor();
  expect(await text.inputValue()).toBe(unfinished);

  // Another view says why it does not show the text, and the text is still there afterwards.
  await page.getByRole('radiogroup', { name: 'View' }).getByText('List', { exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'not valid JSON yet' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show the document' }).click();
  expect(await text.inputValue()).toBe(unfinished);

  // Undo brings back a text that was discarded.
  await notice.getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(tag).toBe('second');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text.inputValue()).toBe(unfinished);

  await overtake('third');
  await notice.getByRole('button', { name: 'Keep my changes' }).click();
  expect(await text.inputValue()).toBe(unfinished);
  expect(await save.isDisabled()).toBe(true);
  await text.fill(valid);
  await save.click();
  await expect.poll(tagOfDraft).toBe('mine');
});

test('restoring a version of a campaign never replaces a draft that the page has not shown, and Undo brings back the replaced draft and the unsaved changes', async (context) => {
  const { path, overtake, tagOfDraft } = await setupCampaign('restored');
  await callApi(installation, 'POST', `${path}/publish`, {});
  await overtake('second');
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, 'campaigns/restored?view=document');
  const { tag, write } = documentOn(page);
  await expect.poll(tag).toBe('second');
  await write('mine');
  await openTab(page, 'Versions');
  await missChanges(page, path);
  await overtake('of_a_colleague');
  const restore = page.getByRole('button', { name: 'Use as draft' });
  await restore.click();
  await page.getByRole('alert').filter({ hasText: 'was changed after you read it' }).waitFor();
  expect(await tagOfDraft()).toBe('of_a_colleague');

  // After the refusal, the page shows that there is another draft.
  await openTab(page, 'Campaign');
  await noticeOf(page).waitFor();
  await openTab(page, 'Versions');
  await restore.click();
  await expect.poll(tagOfDraft).toBe('first');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(tagOfDraft).toBe('of_a_colleague');
  await openTab(page, 'Campaign');
  await expect.poll(tag).toBe('mine');
  await noticeOf(page).waitFor();
});
