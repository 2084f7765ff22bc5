import { expect, test } from 'vitest';
import { type Edited, follow } from './edited.ts';

const first = { text: 'first', revision: '1' };
const theirs = { text: 'theirs', revision: '2' };
const untouched: Edited = { text: 'first', base: first };
const changed: Edited = { text: 'mine', base: first };

test('an untouched text becomes the stored text, and does not look changed', () => {
  expect(follow(untouched, theirs)).toEqual({ text: 'theirs', base: theirs });
});

test('the same revision changes nothing', () => {
  expect(follow(changed, { ...first })).toBe(changed);
});

test('a changed text stays, with its base, if another person changed the stored text', () => {
  expect(follow(changed, theirs)).toBe(changed);
});

test('a changed text is based on the new revision if only other parts of the object were changed', () => {
  const renamed = { text: 'first', revision: '2' };
  expect(follow(changed, renamed)).toEqual({ text: 'mine', base: renamed });
});

test('if another person saved the same text, it does not count as changed', () => {
  expect(follow({ text: 'theirs', base: first }, theirs)).toEqual({ text: 'theirs', base: theirs });
});

test('after it was saved, the text is the stored one, even if the platform writes it in another form', () => {
  const saved = { text: 'mine', revision: '2' };
  const stored = { text: 'Mine', revision: '2' };
  expect(follow({ ...changed, saved }, stored)).toEqual({ text: 'Mine', base: stored });
  // The user continued to type while the text was being saved.
  expect(follow({ text: 'mine and more', base: first, saved }, stored)).toEqual({
    text: 'mine and more',
    base: stored,
  });
});

test('a save by another person after the user saved is noticed', () => {
  const edited = { ...changed, saved: { text: 'mine', revision: '2' } };
  expect(follow(edited, { text: 'theirs', revision: '3' })).toBe(edited);
});
