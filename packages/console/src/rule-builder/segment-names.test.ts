import { expect, test } from 'vitest';
import { germanSentence } from './german.ts';
import { segmentsIn, withSegmentNames } from './segment-names.ts';
import type { Branch } from './tree.ts';

const isIn = (code: string) => ({ field: `segment.${code}`, operator: '=', value: true });
const names = new Map([
  ['vip', 'High rollers'],
  ['vip-2', 'Guests of the segment vip'],
]);
const nameOf = (code: string) => names.get(code) ?? code;

test('the segments of a rule are found at every depth, also in a rule with errors', () => {
  const rules = [isIn('vip'), { combinator: 'or', rules: [isIn('vip-2'), { field: 'tag.vip' }] }, { field: 7 }, null];
  expect(segmentsIn({ combinator: 'and', rules })).toEqual(['vip', 'vip-2']);
  expect(segmentsIn(null)).toEqual([]);
});

test('an English sentence names its segments; a code without a name stays', () => {
  const sentence =
    'Players for whom member of the segment vip is true and member of the segment vip-2 is false and member of the segment lost is true.';
  expect(withSegmentNames(sentence, 'en', nameOf)).toBe(
    'Players for whom member of the segment “High rollers” is true and member of the segment “Guests of the segment vip” is false and member of the segment lost is true.',
  );
});

test('a German sentence names its segments', () => {
  const rule: Branch = { combinator: 'and', rules: [isIn('vip'), isIn('lost')] };
  expect(withSegmentNames(germanSentence(rule, []), 'de', nameOf)).toBe(
    'Spieler, für die gilt: Mitglied des Segments „High rollers“: ja und Mitglied des Segments lost: ja.',
  );
});
