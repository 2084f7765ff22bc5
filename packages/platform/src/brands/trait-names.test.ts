import { expect, test } from 'vitest';
import { traitCatalog } from '../derive/index.ts';
import { platformTraitWords, readDeclaration } from './index.ts';

function mistakes(segmentation_traits: unknown): string[] {
  const reading = readDeclaration({ code: 'x', name: 'X', segmentation_traits }, 'brands[0]');
  return reading.ok ? [] : reading.errors.map(({ path, message }) => `${path} ${message}`);
}

test('every trait of the platform begins with a word that is reserved for the platform', () => {
  const words = new Set(traitCatalog.map(({ name }) => name.split('_')[0] ?? ''));
  expect([...words].filter((word) => !platformTraitWords.has(word))).toEqual([]);
});

test.each<[name: string, mapping: unknown, expected: string[]]>([
  ['names, units and kinds', { vip: { name: 'vip_level' }, pts: { name: 'points', unit: 'EUR', kind: 'number' } }, []],
  [
    'the name of a trait of the platform',
    { sum: { name: 'deposit_sum_7d' } },
    [
      'brands[0].segmentation_traits.sum.name must not begin with deposit, which is reserved for traits of the platform; choose another name, such as operator_deposit_sum_7d',
    ],
  ],
  [
    'one name twice',
    { vip: { name: 'vip_level' }, VIP: { name: 'vip_level' } },
    ['brands[0].segmentation_traits.VIP.name is also the name of vip; use a different name for each key'],
  ],
  [
    'a name that is not snake_case',
    { vip: { name: 'VipLevel' } },
    ['brands[0].segmentation_traits.vip.name must be a name in snake_case, such as vip_level'],
  ],
  [
    'another kind',
    { vip: { name: 'vip', kind: 'money' } },
    ['brands[0].segmentation_traits.vip.kind must be one of number, text, boolean, timestamp'],
  ],
  ['no name', { vip: { kind: 'text' } }, ['brands[0].segmentation_traits.vip.name is missing: add it']],
  ['a name alone', { vip: 'vip_level' }, ['brands[0].segmentation_traits.vip must be a mapping of names to values']],
])('a mapping with %s', (_name, mapping, expected) => expect(mistakes(mapping)).toEqual(expected));
