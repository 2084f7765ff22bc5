import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';

const vip = { code: 'vip', name: 'High rollers' };
const lost = { code: 'lost', name: 'Slipping away' };
const own = { code: 'zz', name: 'Zzz, not on the first page' };
const searched = { found: [vip, lost], text: '', isAnswered: true, own: undefined, except: undefined };
const codesOf = (search: Partial<typeof searched> | { own: typeof own; except: string }) =>
  choicesOf({ ...searched, ...search }).map(({ code }) => code);

test('the answer to the typed text is offered as it is, without the item that cannot be chosen', () => {
  expect(codesOf({})).toEqual(['vip', 'lost']);
  // The platform compares letters as PostgreSQL does.
  expect(codesOf({ text: 'ß' })).toEqual(['vip', 'lost']);
  expect(choicesOf({ ...searched, except: 'vip' })).toEqual([lost]);
});

test('until the answer arrives, only items that contain the text in their name or code are offered', () => {
  expect(codesOf({ text: 'ROLL', isAnswered: false })).toEqual(['vip']);
  expect(codesOf({ text: 'Los', isAnswered: false })).toEqual(['lost']);
  expect(codesOf({ text: 'new', isAnswered: false })).toEqual([]);
});

test('the chosen item comes first if it is not on the page, and once if it is; a search hides it', () => {
  expect(choicesOf({ ...searched, own })).toEqual([own, vip, lost]);
  expect(choicesOf({ ...searched, own: lost })).toEqual([vip, lost]);
  expect(choicesOf({ ...searched, own, text: 'vip' })).toEqual([vip, lost]);
});
