import { expect, test } from 'vitest';
import type { Brand } from '../../brands/index.ts';
import { parsedTemplate } from './parsed.ts';

const settings = { time_zone: 'UTC', default_language: 'en', responsible_gambling: [] };
const brandOf = (brand_id: number) => ({ brand_id, code: 'test', name: 'Test', settings }) as unknown as Brand;
const brand = brandOf(1);
const template = (text: string) => ({
  channel: 'sms' as const,
  purpose: 'service' as const,
  content: { en: { text } },
});

test('a template is parsed once, until its text, a block or the brand changes', () => {
  const first = parsedTemplate(template('Hello {{ player.first_name }}'), brand, { sign: 'Bye' });
  expect(parsedTemplate(template('Hello {{ player.first_name }}'), brand, { sign: 'Bye' })).toBe(first);
  const others = [
    parsedTemplate(template('Hi {{ player.first_name }}'), brand, { sign: 'Bye' }),
    parsedTemplate(template('Hello {{ player.first_name }}'), brand, { sign: 'Cheers' }),
    parsedTemplate(template('Hello {{ player.first_name }}'), brandOf(1), { sign: 'Bye' }),
  ];
  for (const other of others) expect(other).not.toBe(first);
});

test('a brand keeps at most 200 parsed templates', () => {
  const first = parsedTemplate(template('first'), brand, {});
  for (let i = 0; i < 200; i++) parsedTemplate(template(`text ${i}`), brand, {});
  expect(parsedTemplate(template('first'), brand, {})).not.toBe(first);
});
