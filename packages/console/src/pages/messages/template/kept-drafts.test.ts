import { expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { readKept, textOfKept } from './kept-drafts.ts';

const draft: Draft = { name: 'Spring', purpose: 'marketing', content: { en: { text: 'mine' } } };
const other: Draft = { ...draft, content: { en: { text: 'from last week' } } };

const kept = { now: { version: 3, draft }, older: [{ version: 1, draft: other }] };

test('changes of the current version are read as they were stored', () => {
  expect(readKept(textOfKept(kept), 3)).toEqual(kept);
});

test('changes of a former version are kept with the older changes, newest first', () => {
  expect(readKept(textOfKept(kept), 4)).toEqual({
    older: [
      { version: 3, draft },
      { version: 1, draft: other },
    ],
  });
});

test('older changes stay until they are discarded', () => {
  const older = [{ version: 3, draft }];
  expect(readKept(textOfKept({ now: undefined, older }), 5)).toEqual({ older });
  expect(textOfKept({ now: undefined, older: [] })).toBeNull();
});

test('an older text that was stored before an upgrade is still read', () => {
  const older = { version: 1, draft: other };
  expect(readKept(JSON.stringify({ older }), 3)).toEqual({ older: [older] });
});

test.each([null, 'null', '', 'no json', '{}'])('%j contains no changes', (text) => {
  expect(readKept(text, 1)).toEqual({ older: [] });
});
