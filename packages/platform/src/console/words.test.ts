import { readdir, readFile } from 'node:fs/promises';
import { blockTypes, bonusProducts, bonusStatuses, consentTypes } from '@croupier/contracts';
import { type Rule, sentenceOf } from '@croupier/rules';
import { describe, expect, test } from 'vitest';
import { pushReasons } from '../../../console/src/pages/messages/sent/push-reasons.ts';
import { sentReasons } from '../../../console/src/pages/messages/sent/sent-reasons.ts';
import { siteReasons } from '../../../console/src/pages/messages/sent/site-reasons.ts';
import { withEventWords } from '../../../console/src/rule-builder/event-words.ts';
import { brandSettings } from '../../../console/src/text/brand-settings.ts';
import { codes, nameOf } from '../../../console/src/text/codes.ts';
import { dataNames } from '../../../console/src/text/data-names.ts';
import { detailTitle, traitTitle } from '../../../console/src/text/field-names.ts';
import { germanFactField, germanGroup, germanTitle } from '../../../console/src/text/rule-names.ts';
import { settingLabel } from '../../../console/src/text/setting-names.ts';
import { type BrandSettings, brandSettingsSchema, readDeclaration } from '../brands/index.ts';
import { callDropReasons } from '../channels/calls/message.ts';
import { emailDropReasons } from '../channels/email/message.ts';
import { type NotificationReason, notificationEndReasons } from '../channels/index.ts';
import { dropReasons } from '../channels/push/index.ts';
import { traitCatalog, traitChapters } from '../derive/index.ts';
import { heldReasons, rulingReasons, withheldReasons } from '../gate/index.ts';
import { profileFields } from '../operator/judging/index.ts';
import { followers } from '../operator/protection/index.ts';
import { listFacts, listFields, ruleCatalog } from '../segments/fields/index.ts';
import { detailNames } from './audit/detail-names.ts';
import { showTimeline } from './players/timeline-routes.ts';
import { consoleOpenApi } from './serving.ts';

/*
 * The console has English and German words for every code of the platform. For a new code, this test fails until
 * packages/console/src/text has its words.
 */
const textFolder = new URL('../../../console/src/text/', import.meta.url);

/** Texts that the console does not show: names of error codes of calls, and texts that only an API document needs. */
const unshown = /^(?:[a-z]+\.[a-z]+|_)$/;

/** Every text that an answer may contain, for fields whose schema lists the possible texts. */
function listedTexts(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  const { enum: listed, const: only } = schema as { enum?: unknown; const?: unknown };
  for (const text of Array.isArray(listed) ? listed : [only]) if (typeof text === 'string') found.add(text);
  for (const [name, part] of Object.entries(schema)) {
    // Problem answers are shown by their sentence.
    if (name !== 'enum' && !/^(?:4|5)\d\d$/.test(name) && name !== 'Problem') listedTexts(part, found);
  }
  return found;
}

describe('labels of details', () => {
  test.each(detailNames)('%s, of the staff audit', (name) => {
    expect(dataNames).toHaveProperty(name);
  });

  // An event is shown as its body, without labels.
  const entries = JSON.parse(JSON.stringify(showTimeline.answer)).properties.items.items.anyOf.filter(
    (entry: Entry) => entry.properties.type?.const !== 'event',
  ) as Entry[];
  const fields = new Set(entries.flatMap(fieldsOf));

  test('are required for every entry of the timeline', () => {
    expect(entries).toHaveLength(10);
  });

  test.each([...fields])('%s, of the timeline', (name) => {
    expect(dataNames).toHaveProperty(name);
  });
});

describe('labels of settings', () => {
  /** Every setting of a brand and every group of settings, by its path. */
  function pathsOf(schema: unknown, path: readonly string[] = []): string[] {
    const { properties, items } = schema as { properties?: object; items?: { properties?: object } };
    const inner = Object.entries(properties ?? items?.properties ?? {});
    return [
      ...(path.length > 0 ? [path.join('.')] : []),
      ...inner.flatMap(([name, of]) => pathsOf(of, [...path, name])),
    ];
  }

  test.each(pathsOf(brandSettingsSchema))('%s has one in both languages', (path) => {
    const names = path.split('.');
    for (const language of ['en', 'de'] as const)
      expect(
        settingLabel(names, brandSettings[language].fields, language) ?? dataNames[names.at(-1) ?? ''],
        'packages/console/src/text/setting-names.ts has no label',
      ).toBeDefined();
  });

  test('positions in a list are ignored', () => {
    expect(settingLabel(['frequency_caps', '2', 'times'], {}, 'de')).toBe('Nachrichten');
  });
});

interface Entry {
  properties: Record<string, Partial<Entry> & { const?: string }>;
}

/** The names of all fields of an object, also of objects inside of it. */
function fieldsOf({ properties = {} }: Partial<Entry>): string[] {
  return Object.entries(properties).flatMap(([name, part]) => [name, ...fieldsOf(part)]);
}

describe('codes', () => {
  test('of every answer have words', () => {
    const { paths, components } = consoleOpenApi() as unknown as Record<
      'paths' | 'components',
      Record<string, unknown>
    >;
    const answers = Object.values(paths).flatMap((calls) =>
      Object.values(calls as Record<string, { responses?: unknown }>).map(({ responses }) => responses),
    );
    const texts = listedTexts([answers, components.schemas]);
    expect(texts.size).toBeGreaterThan(200);
    expect([...texts].filter((text) => !unshown.test(text) && nameOf(text) === undefined)).toEqual([]);
  });

  test('of the audit have words', async () => {
    const source = await readFile(new URL('audit/audit.ts', import.meta.url), 'utf8');
    const actions = [...source.matchAll(/^ {2}\| '([a-z_.]+)'/gm)].map(([, action]) => action ?? '');
    expect(actions.length).toBeGreaterThan(50);
    expect(actions.filter((action) => nameOf(action) === undefined)).toEqual([]);
  });

  test('of bonuses of the operator and of the history of a bonus have words', async () => {
    const machine = await readFile(new URL('../actions/intents/machine.ts', import.meta.url), 'utf8');
    const events = [...machine.matchAll(/^ {2}\| \{ type: '([a-z_]+)'/gm)].map(([, event]) => event ?? '');
    expect(events.length).toBeGreaterThan(10);
    const shown = [...events, ...bonusStatuses, ...bonusProducts, 'reference', 'match'];
    expect(shown.filter((code) => nameOf(code) === undefined)).toEqual([]);
  });

  test('of pushes have words', async () => {
    const judging = await readFile(new URL('../channels/push/judge-answer.ts', import.meta.url), 'utf8');
    const failures = [...judging.matchAll(/(?:reason: |case )'([a-z_]+)'/g)].map(([, reason]) => reason ?? '');
    expect(failures.length).toBeGreaterThan(8);
    const reasons = [...dropReasons, ...failures, 'lost', 'keys_unreadable'];
    // The list of pushes can be filtered by each reason.
    expect(reasons.filter((reason) => !pushReasons.some((one) => one === reason))).toEqual([]);
    expect(pushReasons.filter((reason) => nameOf(reason, 'push') === undefined)).toEqual([]);
    // A select refuses an option that occurs twice.
    expect(new Set(pushReasons).size).toBe(pushReasons.length);
  });

  test('of e-mails, SMS and other sent messages have words', async () => {
    const judging = ['email/judge-reply.ts', 'calls/judge.ts'].map((file) =>
      readFile(new URL(`../channels/${file}`, import.meta.url), 'utf8'),
    );
    const listed = /(?:type (?:Retry|Fail)Reason =|reason:)((?:\s*\|?\s*'[a-z_]+')+)/g;
    const failures = (await Promise.all(judging)).flatMap((source) =>
      [...source.matchAll(listed)].flatMap(([, reasons = '']) => reasons.match(/[a-z_]+/g) ?? []),
    );
    expect(new Set(failures).size).toBeGreaterThan(18);
    const others = ['not_sent', 'not_set_up', 'campaign_paused', 'lost'];
    const reasons = [...emailDropReasons, ...callDropReasons, ...failures, ...others];
    // The list of sent messages can be filtered by each reason.
    expect(reasons.filter((reason) => !sentReasons.some((one) => one === reason))).toEqual([]);
    expect(sentReasons.filter((reason) => nameOf(reason) === undefined)).toEqual([]);
    // A select refuses an option that occurs twice.
    expect(new Set(sentReasons).size).toBe(sentReasons.length);
  });

  test('of messages on the site have words', () => {
    const reasons: NotificationReason[] = [
      ...notificationEndReasons,
      ...withheldReasons,
      ...heldReasons,
      ...rulingReasons,
    ];
    // The list of messages on the site can be filtered by each reason, and by no other. They have no address that could be suppressed.
    const possible = new Set(reasons.filter((reason) => reason !== 'suppressed'));
    expect(siteReasons.toSorted()).toEqual([...possible].toSorted());
    expect(siteReasons.filter((reason) => nameOf(reason) === undefined)).toEqual([]);
  });

  test('of what acts on a change of protection have words', () => {
    expect(followers.filter((follower) => codes[`follower.${follower}`] === undefined)).toEqual([]);
  });

  test('have words in both languages', () => {
    expect(Object.entries(codes).filter(([, [en, de]]) => en === '' || de === '')).toEqual([]);
  });
});

describe('fields', () => {
  test('every trait and every detail has a title in both languages, with its windows', () => {
    for (const language of ['en', 'de'] as const) {
      const lacking = traitCatalog.filter(({ name }) => traitTitle(name, language) === undefined);
      expect(lacking.map(({ name }) => name)).toEqual([]);
      expect(profileFields.filter((name) => detailTitle(name, language) === undefined)).toEqual([]);
    }
    expect(traitChapters.filter(({ title }) => germanGroup(title) === undefined)).toEqual([]);
    expect(traitTitle('casino_bet_sum_prev_7d', 'en')).toBe('Sum of bets (casino), the 7 days before the last 7');
    expect(traitTitle('deposit_count_24h', 'de')).toBe('Anzahl der Einzahlungen, letzte 24 Stunden');
    expect(traitTitle('segmentation_vip_level', 'de')).toBeUndefined();
  });
});

function exampleBrand() {
  const reading = readDeclaration({ code: 'example', name: 'Example', base_currency: 'EUR' }, 'brand');
  if (!reading.ok) throw new Error('the example is not a valid brand');
  return { brand_id: 0, settings: reading.declaration.settings as BrandSettings };
}

test('every field of a rule has a German title and group', () => {
  const own = { segmentation: [], segments: new Set(['vip']), tags: new Set(['vip']) };
  const catalog = ruleCatalog(exampleBrand(), { ...own, consents: consentTypes, blocks: blockTypes });
  const fields = listFields(catalog);
  expect(fields.length).toBeGreaterThan(800);
  expect(fields.filter(({ name }) => germanTitle(name) === undefined).map(({ name }) => name)).toEqual([]);
  expect([...new Set(fields.map(({ group }) => group))].filter((group) => germanGroup(group) === undefined)).toEqual(
    [],
  );
  for (const { name, fields } of listFacts(catalog)) {
    expect(germanTitle(name), name).toBeDefined();
    const fact = name.replace('did.', '');
    expect(
      fields.filter((field) => germanFactField(fact, field.name) === undefined).map((field) => field.name),
      name,
    ).toEqual([]);
  }
});

test('an English sentence of a rule has words for the codes of events', () => {
  const codes = [
    { field: 'type', operator: '=', value: 'Credit' },
    { field: 'status', operator: 'notIn', value: ['Rejected', 'Cancelled'] },
  ];
  const where: Rule = { combinator: 'and', rules: codes };
  const match = { mode: 'atLeast', threshold: 3 } as const;
  const rule: Rule = { combinator: 'and', rules: [{ field: 'did.payment', match, within: 'P7D', value: where }] };
  const own = { segmentation: [], segments: new Set<string>(), tags: new Set<string>() };
  const catalog = ruleCatalog(exampleBrand(), { ...own, consents: consentTypes, blocks: blockTypes });
  expect(withEventWords(sentenceOf(rule, catalog), rule)).toBe(
    'Players for whom the number of payments in the last 7 days where the type is deposit and the status is none of rejected, cancelled (or has no value) is at least 3.',
  );
});

test('every text has a German translation: the same keys, and none is empty', async () => {
  const files = (await readdir(textFolder)).filter((file) => /^(?!use-).*(?<!\.test)\.ts$/.test(file));
  let compared = 0;
  for (const file of files) {
    const source: Record<string, unknown> = await import(new URL(file, textFolder).href);
    const { en, de } = source;
    if (file === 'en.ts' || file === 'de.ts') continue;
    for (const [name, words] of Object.entries(source)) {
      if (typeof words !== 'object' || words === null || !('en' in words) || !('de' in words)) continue;
      expect(shapeOf(words.de), `${file} ${name}`).toEqual(shapeOf(words.en));
      compared += 1;
    }
    expect(en ?? de, file).toBeUndefined();
  }
  expect(compared).toBeGreaterThan(5);
  const [{ en }, { de }] = await Promise.all([
    import(new URL('en.ts', textFolder).href) as Promise<{ en: unknown }>,
    import(new URL('de.ts', textFolder).href) as Promise<{ de: unknown }>,
  ]);
  expect(shapeOf(de)).toEqual(shapeOf(en));
});

/** The structure of the texts: their keys, each with the kind of its text. */
function shapeOf(words: unknown): unknown {
  if (typeof words === 'string') return words === '' ? 'empty' : 'text';
  if (typeof words !== 'object' || words === null) return typeof words;
  return Object.fromEntries(Object.entries(words).map(([name, part]) => [name, shapeOf(part)]));
}
