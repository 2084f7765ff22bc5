import { readdir } from 'node:fs/promises';
import { consentTypes } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { acceptedLanguages, chooseLanguage, type Language, languageCodes, languageOf, languages } from './languages.ts';

/** Returns each text with its path, such as `channels.Email.stop`. */
function flat(texts: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value] as [string, string]] : flat(value, `${prefix}${name}.`),
  );
}
const english = new Map(flat(languages.en));
const brands = (text: string | undefined) => text?.split('{brand}').length;

describe.each(languageCodes)('%s', (code) => {
  const texts = new Map(flat(languages[code]));

  test("has every text, and the brand's name wherever English has it", () => {
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    for (const [path, text] of texts) {
      expect(text.trim(), path).toBe(text);
      expect(text.length, path).toBeGreaterThan(0);
      expect(brands(text), `${path}: ${text}`).toBe(brands(english.get(path)));
      expect(text.replaceAll('{brand}', ''), path).not.toMatch(/[{}<>&]/);
    }
  });

  test('is not a copy of English', () => {
    const same = [...texts].filter(([path, text]) => english.get(path) === text).length;
    if (code !== 'en') expect(same).toBeLessThan(10);
  });

  test('distinguishes the channels', () => {
    const { channels } = languages[code];
    expect(new Set(consentTypes.map((type) => channels[type].name)).size).toBe(consentTypes.length);
    expect(new Set(consentTypes.map((type) => channels[type].stop)).size).toBe(consentTypes.length);
  });
});

test('every language file is served', async () => {
  const files = await readdir(new URL('.', import.meta.url));
  const codes = files.filter((name) => /^[a-z]{2}\.ts$/.test(name)).map((name) => name.slice(0, 2));
  expect(codes.toSorted()).toEqual([...languageCodes].toSorted());
});

const tags: [tag: string, expected: Language | null][] = [
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de_AT', 'de'],
  ['deu', 'de'],
  ['pt-BR', 'pt'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['nob', 'nb'],
  [' mt ', 'mt'],
  ['ja', null],
  ['', null],
  ['english please', null],
  ['constructor', null],
];
test.each(tags)('the tag %j means %s', (tag, expected) => expect(languageOf(tag)).toBe(expected));

const wishes: [header: string | undefined, expected: Language][] = [
  ['ja, sv;q=0.5, fi;q=0.8', 'fi'],
  ['de-CH, fr;q=0.9', 'de'],
  ['el;q=0, it', 'it'],
  ['*', 'en'],
  ['sv;q=x, da;q=0.1', 'da'],
  ['', 'en'],
  [undefined, 'en'],
  [`${'x,'.repeat(100)}de`, 'en'],
];
test.each(wishes)('Accept-Language %j is answered in %s', (header, expected) =>
  expect(chooseLanguage(acceptedLanguages(header))).toBe(expected),
);

test('the first preference that is available wins', () => {
  expect(chooseLanguage([null, 'ja', 'fi', 'de'])).toBe('fi');
  expect(chooseLanguage([undefined, ''])).toBe('en');
});
