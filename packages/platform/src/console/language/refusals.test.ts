import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { notFound } from '../routing/not-found.ts';
import { wrongFields } from '../routing/wrong-fields.ts';

/*
 * The type of `Refused` requires both languages. This test reads the source to find what a type cannot detect: a German text that is
 * still the English one, or that loses a value.
 */
const source = fileURLToPath(new URL('../../', import.meta.url));

interface Pair {
  place: string;
  en: string;
  de: string;
}

const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}`;
const pairs = new RegExp(String.raw`\ben:\s*(${literal}),\s*de:\s*(${literal})`, 'g');

async function pairsIn(file: string): Promise<Pair[]> {
  const text = await readFile(path.join(source, file), 'utf8');
  return [...text.matchAll(pairs)].map(([, en = '', de = '']) => ({ place: `${file}: ${en}`, en, de }));
}

const files = (await readdir(source, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
const found = (await Promise.all(files.map(pairsIn))).flat();

/** English texts insert states and kinds into a sentence. German texts use another sentence or a table instead. */
const state = /^\$\{(?:state|what|change|campaign\.state|version\.state|wanted \?\? 'version')\}$/;
/** The inserted values of a text, without `.en` or `.de`. */
const valuesOf = (text: string) =>
  (text.match(/\$\{[^}]+\}/g) ?? [])
    .filter((value) => !state.test(value))
    .map((value) => value.replace(/\b(?:en|de)\}$/, '}'));

describe('texts in two languages', () => {
  test('are found', () => {
    expect(found.length).toBeGreaterThan(150);
  });

  test.each(found)('$place', ({ en, de }) => {
    // Names of the API are not translated. This check would refuse a text that contains nothing else.
    expect(de.slice(1, -1)).not.toBe(en.slice(1, -1));
    for (const value of valuesOf(en)) expect(valuesOf(de), de).toContain(value);
  });
});

test('no field of a refusal is explained in English only', async () => {
  const own = files.filter((file) => file.startsWith('console/'));
  const texts = await Promise.all(own.map((file) => readFile(path.join(source, file), 'utf8')));
  // Messages that begin with a value come from validators, and `wordsOfField` quotes them.
  const english = texts.flatMap((text) => text.match(/\brule: [^{}]+?, message: ['"`]\w[^\n]*/g) ?? []);
  expect(english).toEqual([]);
});

test('missing values are named in both languages', () => {
  const refused = notFound('segment', 'vip');
  expect(refused.problemIn('en')).toMatchObject({ status: 404, detail: 'the segment vip does not exist' });
  expect(refused.problemIn('de')).toMatchObject({ status: 404, detail: 'Das Segment vip gibt es nicht' });
});

test('wrong fields are explained in both languages; what a validator explains in English only is quoted', () => {
  const refused = wrongFields([
    { path: 'name', rule: 'required', message: 'name is missing' },
    { path: 'kind', rule: 'enum', message: 'kind must be one of a, b' },
    { path: 'content.en.text', rule: 'liquid', message: 'content.en.text: tag not closed' },
    { path: 'limit', rule: 'maximum', message: 'limit must be <= 200' },
    { path: 'share', rule: 'exclusiveMinimum', message: 'share must be > 0.5' },
    { path: '', rule: 'type', message: 'body must be object' },
  ]);
  expect(refused.problemIn('en').detail).toBe(
    'name is missing; kind must be one of a, b; content.en.text: tag not closed; limit must be <= 200; share must be > 0.5; body must be object',
  );
  const { detail, errors } = refused.problemIn('de');
  expect(errors.map(({ message }) => message)).toEqual([
    'name fehlt',
    'kind muss einer dieser Werte sein: a, b',
    'content.en.text ist nicht gültig („content.en.text: tag not closed“)',
    'limit darf höchstens 200 sein',
    'share muss größer als 0.5 sein',
    'Der Inhalt muss ein Objekt sein',
  ]);
  expect(detail).toBe(errors.map(({ message }) => message).join('; '));
  expect(errors.map(({ rule }) => rule)).toEqual(['required', 'enum', 'liquid', 'maximum', 'exclusiveMinimum', 'type']);
});
