import { readdirSync, readFileSync } from 'node:fs';
import { checkCampaign, type Known } from '@croupier/campaigns';
import { blockTypes, consentTypes } from '@croupier/contracts';
import { checkRule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { type Brand, readDeclaration } from '../brands/index.ts';
import { knownEvents } from '../campaigns/documents/known.ts';
import { readWritten } from '../channels/templates/templates.ts';
import { ruleCatalog } from '../segments/fields/index.ts';

const recipes = new URL('../../../../recipes/', import.meta.url);
const reading = readDeclaration({ code: 'demo', name: 'Demo', base_currency: 'EUR' }, 'brand');
if (!reading.ok) throw new Error('the demo is not a valid brand');
const brand = { ...reading.declaration, brand_id: 0 } as unknown as Brand;
const segments = [...read(new URL('./segments/', import.meta.url)), ...read(new URL('segments/', recipes))];
const templates = read(new URL('templates/', recipes));
const codes = new Set(segments.map(({ code }) => code));
const names = {
  segmentation: [],
  consents: consentTypes,
  blocks: blockTypes,
  segments: codes,
  tags: new Set<string>(),
};
const catalog = ruleCatalog(brand, names);
const known: Known = {
  catalog,
  segments: codes,
  templates: new Map(templates.map(({ code, channel, purpose }) => [code, { channel, purpose }])),
  events: knownEvents,
};

test('eleven recipes can be published', () => {
  const campaigns = read(new URL('campaigns/', recipes));
  expect(campaigns).toHaveLength(11);
  for (const campaign of campaigns) expect(checkCampaign(campaign, known), campaign.code).toEqual([]);
});

test('no recipe sends marketing to a player with the tag that loss care sets', () => {
  const tagIs = (value: boolean) => ({ field: 'tag.loss_care', operator: '=', value });
  for (const { code, purpose, audience, exit_when } of read(new URL('campaigns/', recipes))) {
    if (purpose === 'service') continue;
    expect(audience, code).toMatchObject({ combinator: 'and', rules: expect.arrayContaining([tagIs(false)]) });
    expect(exit_when, code).toEqual({ combinator: 'and', rules: [tagIs(true)] });
  }
});

test('their segments and templates can be used', () => {
  for (const { code, rule } of segments) expect(checkRule(rule, catalog), code).toEqual([]);
  for (const template of templates) expect(() => readWritten(template, brand, {}), template.code).not.toThrow();
});

// biome-ignore lint/suspicious/noExplicitAny: any JSON, which is what is checked
function read(folder: URL): any[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
}
