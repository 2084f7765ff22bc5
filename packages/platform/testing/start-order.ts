import type { TestSpecification } from 'vitest/node';

/** Files with few lines that take long to run, besides those that run whole processes: 71, 49, 28 and 27 s on two cores. */
export const longFiles = [
  '/faults/checker/dropped-news.db.test.ts',
  '/packages/platform/src/segments/membership/membership.prop.test.ts',
  '/packages/rules/test/two-readings.db.test.ts',
  '/packages/platform/src/campaigns/runs/killed.db.test.ts',
];

/**
 * The order in which test files start: those that run whole processes (`.e2e.test.ts`) first, then other long ones, otherwise
 * as given.
 *
 * A file that runs whole processes takes up to two minutes, mostly waiting, and has few lines of code. While Vitest knows no
 * durations, as on a fresh clone, it starts the largest files first. So these files would come last, and the last of them would
 * run alone, with one core idle. Computed from the durations of 256 files, two workers need 683 s in that order, and 663 s in
 * this one, which is the minimum.
 *
 * The other long files also have few lines. Without this order, the one of 71 s was the last of 419 files and ran alone.
 *
 * Of the files that run whole processes, the supervisor's comes first, and the one that copies a whole checkout
 * (`start.e2e.test.ts`) comes last. While it wrote its 350 MB, ending processes were blocked in the kernel for 6 s, which is the
 * supervisor's limit.
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
