import { describe, expect, test } from 'vitest';
import { changedKeys, type KeySeen, maxKeys, seenIn } from './seen.ts';
import { meaningsOf, readingsOf, usualName } from './traits.ts';
import { commonKind, kindOf, type SeenKind, valueAs } from './value.ts';

test.each<[value: unknown, kind: SeenKind | undefined]>([
  [3, 'number'],
  [true, 'boolean'],
  ['gold', 'text'],
  ['3', 'text'],
  ['2026-05-01T10:00:00Z', 'timestamp'],
  ['2026-05-01 10:00:00', 'timestamp'],
  ['2026-05-01', 'text'],
  [['a'], 'other'],
  [{}, 'other'],
  [null, undefined],
  ['  ', undefined],
])('%j is seen as %s', (value, kind) => expect(kindOf(value)).toBe(kind));

test.each<[seen: SeenKind[], kind: string | undefined]>([
  [['number'], 'number'],
  [['timestamp', 'timestamp'], 'timestamp'],
  [['number', 'text'], 'text'],
  [['boolean', 'timestamp'], 'text'],
  [['number', 'other'], 'number'],
  [['other'], undefined],
  [[], undefined],
])('%j make %s', (seen, kind) => expect(commonKind(seen)).toBe(kind));

test.each<[kind: 'number' | 'text' | 'boolean' | 'timestamp', value: unknown, read: unknown]>([
  ['number', 3.5, 3.5],
  ['number', ' -3.5 ', -3.5],
  ['number', '3 points', null],
  ['number', true, null],
  ['text', 3, '3'],
  ['text', false, 'false'],
  ['text', ['a'], null],
  ['boolean', 'True', true],
  ['boolean', 0, false],
  ['boolean', 'yes', null],
  ['timestamp', '2026-05-01T10:00:00+02:00', Date.UTC(2026, 4, 1, 8) * 1000],
  ['timestamp', '2026-05-01 10:00:00', Date.UTC(2026, 4, 1, 8) * 1000],
  ['timestamp', 'soon', null],
  ['timestamp', 1, null],
])('as %s, %j is %j', (kind, value, read) => expect(valueAs(kind, value, 'Europe/Malta')).toBe(read));

test.each([
  ['vip_level', 'segmentation_vip_level'],
  ['VIPLevel', 'segmentation_vip_level'],
  ['special segmentation!', 'segmentation_special_segmentation'],
  ['Größe-2', 'segmentation_gro_e_2'],
  ['уровень', 'segmentation_'],
])('the trait of the key %s is called %s', (key, name) => expect(usualName(key)).toBe(name));

describe('the traits of a brand', () => {
  const seen = (keys: Record<string, SeenKind[]>) =>
    new Map(Object.entries(keys).map(([key, kinds]) => [key, kinds.map((kind) => ({ kind }))]));
  const mapping = {
    points: { name: 'loyalty_points', unit: 'points' },
    since: { name: 'vip_since', kind: 'timestamp' as const, unit: 'ignored' },
    unseen: { name: 'never_sent' },
  };
  const settings = { segmentation_traits: mapping, zoneless_timestamps: 'UTC' };
  const meanings = meaningsOf(
    seen({
      points: ['number'],
      since: ['text', 'timestamp'],
      VipLevel: ['number'],
      vip_level: ['number', 'text'],
      tags: ['other'],
      уровень: ['number'],
    }),
    settings,
  );

  test('are named by the mapping, otherwise after their key; a name belongs to one key', () => {
    expect(
      meanings.map(({ key, mapped, trait }) => [key, mapped, trait && [trait.name, trait.kind, trait.unit]]),
    ).toEqual([
      ['VipLevel', false, null],
      ['points', true, ['loyalty_points', 'number', 'points']],
      ['since', true, ['vip_since', 'timestamp', 'timestamp']],
      ['tags', false, null],
      ['unseen', true, null],
      ['vip_level', false, ['segmentation_vip_level', 'text', 'text']],
      ['уровень', false, null],
    ]);
  });

  test('are read by the kind of the trait, whatever kind of value the player has', () => {
    const segmentation = { points: '12', vip_level: 3, since: 'soon', VipLevel: 4, tags: ['a'], other: 1 };
    expect(readingsOf(segmentation, meanings, settings)).toEqual({
      loyalty_points: { value: 12, kind: 'number', unit: 'points' },
      segmentation_vip_level: { value: '3', kind: 'text', unit: 'text' },
      vip_since: { value: null, kind: 'timestamp', unit: 'timestamp' },
    });
    expect(readingsOf({ points: null, vip_level: '' }, meanings, settings)).toEqual({});
  });
});

describe('the stored entry', () => {
  const day = 24 * 3_600_000_000;
  const found = (segmentation: Record<string, unknown>, at = 0) => ({ brand_id: 1, segmentation, at });

  test('is the latest of each key and kind', () => {
    const longText = 'x'.repeat(300);
    expect(
      seenIn([found({ b: 1, a: 2 }, 5), found({ a: 3, b: 'x', c: null, [longText]: 1 }), found({ d: longText })]),
    ).toEqual([
      { brand_id: 1, kind: 'number', key: 'a', sample: 2, at: 5 },
      { brand_id: 1, kind: 'number', key: 'b', sample: 1, at: 5 },
      { brand_id: 1, kind: 'text', key: 'b', sample: 'x', at: 0 },
      { brand_id: 1, kind: 'text', key: 'd', sample: 'x'.repeat(200), at: 0 },
    ]);
  });

  test('is written if it is new, or a day older than the last', () => {
    const noted = [{ brand_id: 1, key: 'a', kind: 'number' as const, last_seen_at: 0 }];
    const baseValue = (segmentation: Record<string, unknown>, at: number) =>
      changedKeys(seenIn([found(segmentation, at)]), noted).map(({ key }) => key);
    expect(baseValue({ a: 1 }, day)).toEqual([]);
    expect(baseValue({ a: 1 }, day + 1)).toEqual(['a']);
    expect(baseValue({ a: 'x', b: 1 }, 1)).toEqual(['b', 'a']);
  });

  test('is not added for a new key if the brand has the maximum number of keys', () => {
    const noted = Array.from({ length: maxKeys - 1 }, (_, i) => {
      return { brand_id: 1, key: `k${i}`, kind: 'number' as const, last_seen_at: 0 };
    });
    const seen: KeySeen[] = seenIn([found({ new1: 1, new2: 2, k7: 'x' })]);
    expect(changedKeys(seen, noted).map(({ key }) => key)).toEqual(['new1', 'k7']);
  });
});
