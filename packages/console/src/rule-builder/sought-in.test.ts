import { expect, test } from 'vitest';
import { unlisted } from './catalog.ts';
import { soughtIn } from './sought-in.ts';

test.each([
  ['Winter', 'Winter'],
  ['winter guests', 'winter guests'],
  ['segment winter', 'winter'],
  ['member of the segment Winter guests', 'Winter guests'],
  ['segment.win', 'win'],
  ['segment', ''],
  ['', ''],
  // Words of the title within a name are part of the name.
  ['friends of the house', 'friends of the house'],
])('%s', (typed, sought) => {
  expect(soughtIn(typed, 'member of the segment ', 'segment.')).toBe(sought);
});

test('a segment and a tag are flags, which hold at first', () => {
  for (const name of ['segment.vip', 'tag.vip'])
    expect(unlisted(name)).toMatchObject({ kind: 'flag', operators: ['=', '!='], sample: true });
  expect(unlisted('trait.deposit_count_by_vendor.1')).toMatchObject({ kind: 'number', sample: 1 });
});
