import { expect, test } from 'vitest';
import { canCancel, nextState, segmentStateOf, type VersionState, versionEvents, versionStates } from './state.ts';

const allowed: Partial<Record<VersionState, Partial<Record<(typeof versionEvents)[number], VersionState>>>> = {
  draft: { publish: 'computing' },
  computing: { computed: 'in_force', cannot_be_read: 'failed', cancel: 'draft' },
  in_force: { cannot_be_read: 'failed', recompute: 'in_force', replaced: 'past' },
  failed: { cannot_be_read: 'failed', recompute: 'computing', replaced: 'past' },
};

test.each(versionStates.flatMap((state) => versionEvents.map((event) => [state, event] as const)))(
  '%s, %s',
  (state, event) => {
    expect(nextState(state, event)).toBe(allowed[state]?.[event] ?? null);
  },
);

test.each([
  [['draft'], 'draft'],
  [['computing'], 'computing'],
  [['past', 'in_force'], 'live'],
  [['in_force', 'computing'], 'computing'],
  [['in_force', 'draft'], 'live'],
  [['failed', 'draft'], 'failed'],
] as const)('a segment with versions %j is %s', (versions, state) => {
  expect(segmentStateOf(versions)).toBe(state);
});

test('only the first computation of a version can be cancelled', () => {
  expect(canCancel({ state: 'computing', computed_at: null })).toBe(true);
  expect(canCancel({ state: 'computing', computed_at: 1 })).toBe(false);
  expect(canCancel({ state: 'draft', computed_at: null })).toBe(false);
});

test('a paused segment is shown as paused only while a version is in force', () => {
  expect(segmentStateOf(['in_force'], true)).toBe('paused');
  expect(segmentStateOf(['draft'], true)).toBe('draft');
});
