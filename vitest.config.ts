import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFirst } from './packages/platform/testing/start-order.ts';

/** Vitest's own order, durations of the last run or else sizes, behind ours. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}

/**
 * The endings of test files tell what they need: `.test.ts` nothing, `.prop.test.ts` generated input, `.db.test.ts` a
 * PostgreSQL, `.e2e.test.ts` whole processes. All run in one command, on the reference machine of 2 cores: three workers, because
 * the files that start first wait for processes of their own half of the time. A worker keeps what it has imported from file to
 * file: loading the server anew for each took 22 % of all time; 306 files take 370 s. So a file leaves no global changed.
 */
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'packages/*/testing/**/*.test.ts',
      'e2e/**/*.test.ts',
      'bench/**/*.test.ts',
      'faults/**/*.test.ts',
    ],
    globalSetup: ['packages/platform/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Limits after which a test counts as hung, not as slow: on two cores, the slowest of those without a limit of their own takes 25 s.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
