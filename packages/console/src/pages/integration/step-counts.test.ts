import { expect, test } from 'vitest';
import { integration } from '../../text/integration.ts';
import { type StepState, stepCounts, worstState } from './step-counts.ts';

const done: StepState[] = Array(5).fill('done');

test.each<[StepState[], string, StepState]>([
  [[...done, 'done', 'done'], 'All 7 steps are done.', 'done'],
  [[...done, 'warning', 'done'], '6 of 7 steps are done, 1 needs attention.', 'warning'],
  [[...done, 'warning', 'warning'], '5 of 7 steps are done, 2 need attention.', 'warning'],
  [[...done, 'failing', 'not_started'], '5 of 7 steps are done, 1 fails, 1 is not started.', 'failing'],
])('the summary agrees with the lines: %s', (steps, text, worst) => {
  const counts = stepCounts(steps.map((state) => ({ state })));
  expect(integration.en.checklist.steps(counts)).toBe(text);
  expect(worstState(counts)).toBe(worst);
});

test('further events are mentioned only if one of them needs attention', () => {
  const { further } = integration.en.checklist;
  expect(further(stepCounts([{ state: 'done' }]))).toBe('');
  expect(further(stepCounts([{ state: 'done' }, { state: 'warning' }]))).toBe(
    'Of the further events, 1 needs attention.',
  );
});
