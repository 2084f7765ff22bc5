import { expect, test } from 'vitest';
import { addStep, duplicateStep, emptyCampaign, moveStep, read, removeStep, write } from './edits.ts';
import { begin, change, redo, undo } from './history.ts';

const empty = emptyCampaign('welcome', 'Welcome');
const steps = ['steps'];

test('steps are added with ids of their own, moved and removed', () => {
  const two = addStep(addStep(empty, steps, 'send'), steps, 'send');
  expect(read(two, ['steps', 0, 'id'])).toBe('send');
  expect(read(two, ['steps', 1, 'id'])).toBe('send_2');
  const moved = moveStep(two, steps, 1, -1);
  expect(read(moved, ['steps', 0, 'id'])).toBe('send_2');
  expect(moveStep(moved, steps, 0, -1)).toBe(moved);
  expect(read(removeStep(moved, steps, 0), steps)).toHaveLength(1);
  expect(read(empty, steps)).toEqual([]);
});

test('a step in an arm is reached by its place, and a copy has other ids all the way down', () => {
  const arm = ['steps', 0, 'split', 1, 'steps'];
  const split = addStep(addStep(empty, steps, 'split'), arm, 'send');
  const copied = duplicateStep(split, steps, 0);
  expect(read(copied, ['steps', 1, 'id'])).toBe('split_2');
  expect(read(copied, ['steps', 1, 'split', 1, 'steps', 0, 'id'])).toBe('send_2');
  expect(read(copied, ['steps', 0, 'split', 1, 'steps', 0, 'id'])).toBe('send');
});

test('a field without a value is left out, and a field of one that was missing is made', () => {
  const goal = write(empty, ['goal', 'event'], 'login');
  expect(goal.goal).toEqual({ event: 'login' });
  expect(write(goal, ['goal'], undefined)).toEqual(empty);
});

test('changes are undone and done again until another change', () => {
  const changed = change(change(begin(1), 2), 3);
  expect(undo(changed).now).toBe(2);
  expect(redo(undo(changed))).toEqual(changed);
  expect(redo(change(undo(changed), 4)).now).toBe(4);
  expect(undo(begin(1))).toEqual(begin(1));
});
