import { beforeAll, describe, expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import {
  BrandRegistry,
  declareBrands,
  KeyNameTaken,
  KeyRefused,
  listKeys,
  readDeclaration,
  revokeKey,
  writeBrand,
} from './index.ts';

const { pool } = await setupDatabase();

/** `{ main: 'k1' }`: one key, named main. */
type Keys = Record<string, string>;

const keyOf = (short: string) => `a key of 16 characters: ${short}`;

function declaration(code: string, keys: Keys) {
  const api_keys = Object.entries(keys).map(([name, key]) => ({ name, key: keyOf(key) }));
  const reading = readDeclaration({ code, name: code, api_keys }, 'brands[0]');
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return reading.declaration;
}

const declare = (code: string, keys: Keys) => declareBrands(pool, testVault, [declaration(code, keys)]);
const write = (code: string, keys: Keys) => writeBrand(pool, testVault, declaration(code, keys));

async function registry(): Promise<BrandRegistry> {
  const brands = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await brands.refresh();
  return brands;
}

async function keysOf(code: string) {
  const keys = await listKeys(pool, (await registry()).byCode(code)?.brand_id ?? 0);
  return keys.map(({ name, revoked_at }) => (revoked_at === null ? name : `${name}, revoked`)).sort();
}

describe('declared keys', () => {
  test.each<{ change: string; before: Keys; after: Keys; names: string[] }>([
    { change: 'renamed', before: { main: '1' }, after: { primary: '1' }, names: ['primary'] },
    { change: 'replaced', before: { main: '2' }, after: { main: '3' }, names: ['main'] },
    { change: 'swapped', before: { a: '4', b: '5' }, after: { a: '5', b: '4' }, names: ['a', 'b'] },
    {
      change: 'moved up, and one added',
      before: { a: '6', b: '7' },
      after: { b: '6', c: '7', d: '8' },
      names: ['b', 'c', 'd'],
    },
    { change: 'renamed to the name of a removed key', before: { a: '9', b: '10' }, after: { a: '10' }, names: ['a'] },
    { change: 'removed', before: { a: '11', b: '12' }, after: { b: '12' }, names: ['a, revoked', 'b'] },
  ])('$change: only the keys of the file are valid', async ({ before, after, names }) => {
    const code = `brand-${Object.values(before)[0]}`;
    await declare(code, before);
    await declare(code, after);
    expect(await keysOf(code)).toEqual(names);
    const brands = await registry();
    for (const key of Object.values(after)) expect(brands.byKey(keyOf(key))?.code).toBe(code);
    for (const key of Object.values(before)) {
      if (!Object.values(after).includes(key)) expect(brands.byKey(keyOf(key))).toBeUndefined();
    }
  });

  test('a renamed key keeps its number and its date', async () => {
    await declare('renaming', { main: 'r' });
    const brandId = (await registry()).byCode('renaming')?.brand_id ?? 0;
    const [before] = await listKeys(pool, brandId);
    await declare('renaming', { primary: 'r' });
    expect(await listKeys(pool, brandId)).toEqual([{ ...before, name: 'primary' }]);
  });

  test('a manually created key becomes declared; one that was removed from the file is valid again when it returns', async () => {
    await write('mixed', { main: 'm' });
    await declare('mixed', { primary: 'm' });
    await declare('mixed', {});
    expect(await keysOf('mixed')).toEqual(['primary, revoked']);
    await declare('mixed', { main: 'm' });
    expect(await keysOf('mixed')).toEqual(['main']);
  });

  test('a key of another brand is refused with its name, and nothing of the file is applied', async () => {
    await declare('holder', { main: 'h' });
    const both = [declaration('newcomer', {}), declaration('wants-it', { first: 'h' })];
    await expect(declareBrands(pool, testVault, both)).rejects.toThrow(
      'the key named first of brand wants-it is a key of brand holder (named main); use a different key for each brand',
    );
    const brands = await registry();
    expect([brands.byCode('newcomer'), brands.byCode('wants-it')]).toEqual([undefined, undefined]);
    expect(brands.byKey(keyOf('h'))?.code).toBe('holder');

    await declare('holder', {});
    await expect(declare('wants-it', { first: 'h' })).rejects.toThrow('brand holder (named main, revoked)');
  });
});

describe('keys of a brand that is saved manually', () => {
  beforeAll(async () => {
    await write('theirs', { main: 'theirs' });
    const brandId = await write('ours', { one: 'o1', two: 'o2', three: 'o3' });
    const three = (await listKeys(pool, brandId)).find(({ name }) => name === 'three');
    await revokeKey(pool, brandId, three?.api_key_id ?? 0);
  });

  test('are added; saving again changes nothing; another name renames the key', async () => {
    await write('by-hand', { main: 'b1' });
    await write('by-hand', { main: 'b1', second: 'b2' });
    expect(await keysOf('by-hand')).toEqual(['main', 'second']);
    await write('by-hand', { primary: 'b1' });
    expect(await keysOf('by-hand')).toEqual(['primary', 'second']);
  });

  test.each<{ name: string; keys: Keys; kind: new (...parameters: never[]) => Error; message: string }>([
    { name: 'a taken name', keys: { one: 'other' }, kind: KeyNameTaken, message: 'already has a key named one' },
    {
      name: 'a rename to a taken name',
      keys: { two: 'o1' },
      kind: KeyNameTaken,
      message: 'already has a key named two',
    },
    { name: 'a revoked key', keys: { three: 'o3' }, kind: KeyRefused, message: 'was revoked (its name is three)' },
    {
      name: 'the key of another brand',
      keys: { four: 'theirs' },
      kind: KeyRefused,
      message: 'is a key of brand theirs',
    },
  ])('$name makes saving fail', async ({ keys, kind, message }) => {
    const saving = writeBrand(pool, testVault, { ...declaration('ours', keys), name: 'Changed' });
    await expect(saving).rejects.toThrow(kind);
    await expect(saving).rejects.toThrow(message);
    expect((await registry()).byCode('ours')?.name).toBe('ours');
  });
});
