import { expect, test } from 'vitest';
import { begin, change, redo, undo } from './history.ts';

test('changes are undone and redone; a new change clears the redo list', () => {
  const changed = change(change(begin(1), 2), 3);
  expect(undo(changed).now).toBe(2);
  expect(redo(undo(changed)).now).toBe(3);
  expect(redo(change(undo(changed), 4)).now).toBe(4);
  expect(undo(begin(1))).toEqual(begin(1));
});

test('the last 200 changes can be undone', () => {
  const changes = Array.from({ length: 300 }, (_, at) => at + 1);
  const changed = changes.reduce((history, to) => change(history, to), begin(0));
  expect(changed.past).toHaveLength(200);
  expect(changes.reduce((history) => undo(history), changed).now).toBe(100);
});

test('undo removes the letters of one word together; changes of another field or after a pause are separate', () => {
  const typed = ['h', 'he', 'hey'].reduce(
    (history, text, at) => change(history, text, { of: '/name', at: at * 300 }),
    begin(''),
  );
  expect(undo(typed).now).toBe('');
  expect(undo(change(typed, 'hey!', { of: '/code', at: 700 })).now).toBe('hey');
  expect(undo(change(typed, 'hey!', { of: '/name', at: 9_000 })).now).toBe('hey');
  expect(undo(change(undo(typed), 'x', { of: '/name', at: 700 })).now).toBe('');
});
