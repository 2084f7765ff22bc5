import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../testing/console/setup-console.ts';
import { setRejection } from '../campaigns/documents/store.ts';
import { transaction } from '../database/index.ts';
import { applyCampaigns, diffCampaigns, pullCampaigns } from './campaign-sync.ts';

const { app, call, pool } = await setupConsole();
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const platform = { url, token: adminToken, brand: 'malta' };
const folder = await mkdtemp(path.join(tmpdir(), 'croupier-campaigns-'));
const other = await mkdtemp(path.join(tmpdir(), 'croupier-campaigns-'));
afterAll(() => Promise.all([folder, other].map((one) => rm(one, { recursive: true }))));
const file = path.join(folder, 'calls.yaml');
const text = `code: calls
name: Calls
entry:
  api: true
steps:
  - id: pause
    wait:
      for: PT1H
  - id: vip
    tag: vip
`;
const apply = async (how: typeof drafts) => (await applyCampaigns(platform, folder, how)).lines;
const drafts = { publishes: false, movesRuns: false };
const published = { publishes: true, movesRuns: false };

test('campaigns in files are created and published once; a changed file becomes the next version', async () => {
  await writeFile(file, text);
  expect(await diffCampaigns(platform, folder)).toEqual([`new calls (${file})`]);
  expect(await apply(drafts)).toEqual(['created calls']);
  expect(await diffCampaigns(platform, folder)).toEqual([]);
  expect(await apply(published)).toEqual(['unchanged, published calls']);
  expect(await apply(published)).toEqual(['unchanged calls']);

  await writeFile(file, text.replace('PT1H', 'PT2H'));
  const difference = await diffCampaigns(platform, folder);
  expect(difference).toContain('  -       for: PT1H');
  expect(difference).toContain('  +       for: PT2H');
  expect(difference).not.toContain('    code: calls');
  expect(await apply(published)).toEqual(['changed, published calls']);
  expect(await diffCampaigns(platform, folder)).toEqual([]);
});

test("pull writes the platform's campaigns, and there is no difference afterwards", async () => {
  expect(await pullCampaigns(platform, other)).toEqual([`written ${path.join(other, 'calls.yaml')}`]);
  expect(await readFile(path.join(other, 'calls.yaml'), 'utf8')).toBe(text.replace('PT1H', 'PT2H'));
  expect(await pullCampaigns(platform, other)).toEqual([`unchanged ${path.join(other, 'calls.yaml')}`]);
  expect(await diffCampaigns(platform, other)).toEqual([]);
});

test('a refusal by the platform is shown with its place', async () => {
  await writeFile(file, text.replace('tag: vip', 'send: { channel: site, template: nothing }'));
  const { lines, refused } = await applyCampaigns(platform, folder, published);
  expect([lines, refused]).toEqual([[], [expect.stringContaining('/steps/1/send/template')]]);
  expect(refused[0]).toContain(file);
  await expect(applyCampaigns({ ...platform, token: 'wrong' }, folder, published)).rejects.toThrow(
    'refuses CROUPIER_ADMIN_TOKEN',
  );
});

test('variables that no run can have are printed after the publication', async () => {
  const template = {
    code: 'paid',
    name: 'Paid',
    channel: 'site',
    content: { en: { title: '{{ offer.bonus_code }}' } },
  };
  await call('POST', '/brands/malta/templates', { body: template });
  await writeFile(file, text.replace('tag: vip', 'send: { channel: site, template: paid }'));
  expect(await apply(drafts)).toEqual(['changed calls']);
  expect(await apply(published)).toEqual([
    'unchanged, published calls',
    '  warning: /steps/1/send/template paid: offer.bonus_code is empty: no step before vip is a credit or an offer',
  ]);
});

test('a draft that waits for approval is reported and not published again; a refused file does not stop the later ones', async () => {
  const rules = { campaign_approval: { players: 0, money: '100' } };
  expect((await call('PUT', '/brands/malta/contact-rules', { body: rules })).status).toBe(200);
  const gift = text.replace('code: calls', 'code: gift').replace('tag: vip', 'credit: { bonus_code: TEN }');
  const places = ['a-refused', 'b-gift', 'c-later'].map((name) => path.join(folder, `${name}.yaml`));
  const [refusedFile = '', giftFile = '', laterFile = ''] = places;
  await rm(file);
  await writeFile(refusedFile, text.replace('code: calls', 'code: wrong').replace('PT1H', 'PT'));
  await writeFile(giftFile, gift);
  await writeFile(laterFile, text.replace('code: calls', 'code: later'));
  const first = await applyCampaigns(platform, folder, published);
  expect(first).toEqual({
    lines: ['created, waits for approval gift', 'created, published later'],
    refused: [expect.stringContaining(`${refusedFile}: POST campaigns`)],
    waiting: ['gift'],
  });
  const second = await applyCampaigns(platform, folder, published);
  expect(second).toMatchObject({
    lines: ['unchanged, waits for approval gift', 'unchanged later'],
    waiting: ['gift'],
  });
  const [{ version_id } = { version_id: 0 }] = (
    await pool.query<{ version_id: number }>(
      `select version_id from campaign_version join campaign using (campaign_id) where code = 'gift'`,
    )
  ).rows;
  const rejection = { rejected_at: 0, rejected_by: 'Mia', reason: 'too much' };
  await transaction(pool, (tx) => setRejection(tx, version_id, rejection));
  const third = await applyCampaigns(platform, folder, published);
  expect(third).toMatchObject({ lines: ['unchanged later'], waiting: [] });
  expect(third.refused).toContainEqual(expect.stringContaining('Mia rejected this draft of gift: too much'));
  await writeFile(giftFile, gift.replace('TEN', 'TWENTY'));
  expect((await apply(published))[0]).toBe('changed, waits for approval gift');
});
