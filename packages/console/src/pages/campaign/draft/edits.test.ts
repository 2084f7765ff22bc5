import { expect, test } from 'vitest';
import {
  addStep,
  type Draft,
  duplicateStep,
  emptyCampaign,
  findStep,
  idsIn,
  kinds,
  moveStep,
  moveStepTo,
  read,
  removeStep,
  stepsIn,
  write,
} from './edits.ts';
import { selectionOf } from './selection-of.ts';

const empty = emptyCampaign('welcome', 'Welcome');
const steps = ['steps'];
const tag = (id: string) => ({ id, tag: id });
const order = (draft: Draft) => stepsIn(draft).map(({ id }) => id);
const tree: Draft = {
  ...empty,
  steps: [
    tag('a'),
    { id: 'who', branch: [{ when: {}, steps: [tag('b'), tag('c')] }, { otherwise: [tag('d')] }] },
    tag('e'),
  ],
};

test('steps are added with unique ids, moved and removed', () => {
  const two = addStep(addStep(empty, steps, 'send').draft, steps, 'send').draft;
  expect(order(two)).toEqual(['send', 'send_2']);
  expect(order(addStep(two, steps, 'wait', 1).draft)).toEqual(['send', 'wait', 'send_2']);
  const moved = moveStep(two, { list: steps, at: 1 }, -1);
  expect(order(moved)).toEqual(['send_2', 'send']);
  expect(moveStep(moved, { list: steps, at: 0 }, -1)).toBe(moved);
  expect(order(removeStep(moved, { list: steps, at: 0 }))).toEqual(['send']);
  expect(order(empty)).toEqual([]);
});

test('a new step has the kind that was chosen', () => {
  for (const kind of kinds) {
    const { draft, id } = addStep(empty, steps, kind);
    expect(read(draft, ['steps', 0])).toMatchObject({ id, [kind]: expect.anything() });
  }
});

test('a step moves into an arm and out of it, keeps its id, and cannot move into itself', () => {
  const place = (id: string) => {
    const found = findStep(tree, id);
    if (found === undefined) throw new Error(id);
    return found;
  };
  const arm = ['steps', 1, 'branch', 1, 'otherwise'];
  expect(order(moveStepTo(tree, place('a'), { list: arm, at: 1 }))).toEqual(['who', 'b', 'c', 'd', 'a', 'e']);
  expect(order(moveStepTo(tree, place('c'), { list: steps, at: 0 }))).toEqual(['c', 'a', 'who', 'b', 'd', 'e']);
  expect(order(moveStepTo(tree, place('e'), { list: arm, at: 0 }))).toEqual(['a', 'who', 'b', 'c', 'e', 'd']);
  expect(order(moveStepTo(tree, place('who'), { list: steps, at: 3 }))).toEqual(['a', 'e', 'who', 'b', 'c', 'd']);
  expect(moveStepTo(tree, place('who'), { list: arm, at: 0 })).toBe(tree);
});

test('a copy and all steps in it get new ids', () => {
  const { draft, id } = duplicateStep(tree, { list: steps, at: 1 });
  expect(id).toBe('who_2');
  expect(order(draft)).toEqual(['a', 'who', 'b', 'c', 'd', 'who_2', 'b_2', 'c_2', 'd_2', 'e']);
  expect(idsIn(draft).size).toBe(order(draft).length);
});

test('a field without a value is removed, and missing parents are created', () => {
  const goal = write(empty, ['goal', 'event'], 'login');
  expect(goal.goal).toEqual({ event: 'login' });
  expect(write(goal, ['goal'], undefined)).toEqual(empty);
});

test('the path of an error leads to the innermost step, or else to the part of the campaign', () => {
  expect(selectionOf(tree, '/steps/1/branch/0/steps/1/tag')).toEqual({ step: 'c' });
  expect(selectionOf(tree, '/steps/1/branch/0/when/rules/0')).toEqual({ step: 'who' });
  expect(selectionOf(tree, '/entry/where')).toEqual({ part: 'entry' });
  expect(selectionOf(tree, '/goal/event')).toEqual({ part: 'rules' });
  expect(selectionOf(tree, '/steps')).toEqual({ part: 'rules' });
});
