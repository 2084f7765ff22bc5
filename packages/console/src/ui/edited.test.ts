import { expect, test } from 'vitest';
import { type Edited, follow } from './edited.ts';

const first = { content: 'first', revision: '1' };
const theirs = { content: 'theirs', revision: '2' };
const untouched: Edited = { content: 'first', base: first };
const changed: Edited = { content: 'mine', base: first };

test('an untouched text becomes the stored text, and does not look changed', () => {
  expect(follow(untouched, theirs)).toEqual({ content: 'theirs', base: theirs });
});

test('untouched documents are compared by their content, not by the order of their fields', () => {
  const base = { content: { name: 'Spring', tags: ['a'] }, revision: '1' };
  const stored = { content: { name: 'Summer', tags: ['a'] }, revision: '2' };
  expect(follow({ content: { tags: ['a'], name: 'Spring' }, base }, stored)).toEqual({
    content: stored.content,
    base: stored,
  });
});

test('the same revision changes nothing', () => {
  expect(follow(changed, { ...first })).toBe(changed);
});

test('a changed text stays, with its base, if another person changed the stored text', () => {
  expect(follow(changed, theirs)).toBe(changed);
});

test('a changed text is based on the new revision if only other parts of the object were changed', () => {
  const renamed = { content: 'first', revision: '2' };
  expect(follow(changed, renamed)).toEqual({ content: 'mine', base: renamed });
});

test('if another person saved the same text, it does not count as changed', () => {
  expect(follow({ content: 'theirs', base: first }, theirs)).toEqual({ content: 'theirs', base: theirs });
});

test('after it was saved, the text is the stored one, even if the platform writes it in another form', () => {
  const saved = { content: 'mine', revision: '2' };
  const stored = { content: 'Mine', revision: '2' };
  expect(follow({ ...changed, saved }, stored)).toEqual({ content: 'Mine', base: stored });
  // The user continued to type while the text was being saved.
  expect(follow({ content: 'mine and more', base: first, saved }, stored)).toEqual({
    content: 'mine and more',
    base: stored,
  });
});

test('a save by another person after the user saved is noticed', () => {
  const edited = { ...changed, saved: { content: 'mine', revision: '2' } };
  expect(follow(edited, { content: 'theirs', revision: '3' })).toBe(edited);
});
