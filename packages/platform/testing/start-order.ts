import type { TestSpecification } from 'vitest/node';

/** Files of few lines that take long, beside those that run whole processes: 71 s, 49 s, 28 s and 27 s on two cores. */
export const longFiles = [
  '/faults/checker/dropped-news.db.test.ts',
  '/packages/platform/src/segments/membership/membership.prop.test.ts',
  '/packages/rules/test/two-readings.db.test.ts',
  '/packages/platform/src/campaigns/runs/killed.db.test.ts',
];

/**
 * Order in which test files start: those that run whole processes (`.e2e.test.ts`) first, then other long ones, otherwise as given.
 *
 * They take up to two minutes each, mostly waiting, and a few lines of code. Vitest starts the largest files first while it knows no
 * durations, as on a fresh clone, so they would come last, and the last of them alone, with a core idle. Reckoned from the durations
 * of 256 files, two workers end after 683 s in that order and after 663 s, which is as early as can be, in this one.
 *
 * The other long ones have few lines, too: the one of 71 s was the last of 419 files and ran alone.
 *
 * The supervisor's are the first of them, and the copy of a whole checkout (`start.e2e.test.ts`) is the last: while 350 MB are written,
 * processes were seen to hang in the kernel for 6 s as they end, which is as long as the supervisor gives them.
 */
export function longestFirst<T extends Pick<TestSpecification, 'moduleId'>>(files: readonly T[]): T[] {
  const isEndToEnd = ({ moduleId }: T) => moduleId.endsWith('.e2e.test.ts');
  const isFirst = ({ moduleId }: T) => moduleId.endsWith('/supervisor.e2e.test.ts');
  const isLast = ({ moduleId }: T) => moduleId.endsWith('/start.e2e.test.ts');
  const placeOf = ({ moduleId }: T) => longFiles.findIndex((file) => moduleId.endsWith(file));
  const endToEnd = files.filter(isEndToEnd);
  const others = files.filter((file) => !isEndToEnd(file));
  return [
    ...endToEnd.filter(isFirst),
    ...endToEnd.filter((file) => !isFirst(file) && !isLast(file)),
    ...endToEnd.filter(isLast),
    ...others.filter((file) => placeOf(file) >= 0).sort((a, b) => placeOf(a) - placeOf(b)),
    ...others.filter((file) => placeOf(file) < 0),
  ];
}
