import { expect, test } from 'vitest';
import { readMarket, readMobilePrefix } from './contact.ts';
import { countries, readCountry } from './country.ts';
import { readCurrency } from './currency.ts';
import { readLanguage } from './language.ts';

test.each([
  [readCountry, 'mt', 'MT', true],
  [readCountry, ' MLT ', 'MT', true],
  [readCountry, 'swe', 'SE', true],
  [readCountry, 'uk', 'GB', true],
  [readCountry, 'XX', 'XX', false],
  [readCountry, 'Malta', 'MALTA', false],
  [readCurrency, 'eur', 'EUR', true],
  [readCurrency, 'usdt', 'USDT', true],
  [readCurrency, 'points', 'POINTS', false],
  [readLanguage, 'EN', 'en', true],
  [readLanguage, 'pt_br', 'pt-BR', true],
  [readLanguage, 'zz', 'zz', false],
  [readLanguage, 'english please', 'english please', false],
  [readMarket, ' Nordics ', 'nordics', true],
  [readMobilePrefix, '356', '+356', true],
  [readMobilePrefix, '+356', '+356', true],
  [readMobilePrefix, '00356', '+356', true],
  [readMobilePrefix, 'abc', 'abc', false],
  [readMobilePrefix, '', '', false],
])('%o reads %j as %j, known: %j', (read, text, code, known) => {
  expect(read(text)).toEqual({ code, known });
});

test('the countries are those of ISO 3166-1, each known to the runtime, and Kosovo', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(countries.size).toBe(250);
  for (const country of countries) expect(names.of(country), country).toBeDefined();
});
