import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFirst } from './packages/platform/testing/start-order.ts';
import { temporaryFolder } from './packages/platform/testing/temporary-folder.ts';

// For `tmpdir()`, in this process and in the workers.
process.env.TMPDIR = temporaryFolder();

/** Applies our order first, and then Vitest's own: the durations of the last run, or else the sizes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}

/** Tests of code that runs in a browser. Its sources name modules as a bundler expects them, and contain JSX. */
const ofPages = ['packages/browser/{src,test}/**/*.test.ts', 'packages/console/{src,build}/**/*.test.ts'];

/** Tests that measure a promised time in an installation. */
const ofTimes = ['e2e/protected-player.e2e.test.ts'];

/**
 * The ending of a test file states what the file needs: `.test.ts` nothing, `.prop.test.ts` generated input, `.db.test.ts`
 * PostgreSQL, `.e2e.test.ts` processes of Croupier. One command runs them all.
 *
 * The reference machine has 2 cores. Three workers are used, because the files that start first wait half of the time for their own
 * processes. 306 files take 370 s.
 *
 * A worker keeps imported modules from one file to the next, because loading the server again for each file took 22 % of all time.
 * So no file may leave a global changed.
 */
export default defineConfig({
  test: {
    globalSetup: ['packages/platform/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A test that exceeds these limits hangs and is not merely slow: on two cores, the slowest test without its own limit takes 25 s.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'packages/*/testing/**/*.test.ts',
            'e2e/**/*.test.ts',
            'bench/**/*.test.ts',
            'faults/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...ofPages, ...ofTimes],
          // Node runs the sources itself, as in production. Through Vite's runner, files that need a database take 18 % more CPU.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'pages', include: ofPages } },
      {
        extends: true,
        test: {
          name: 'times',
          include: ofTimes,
          // These tests run after all others. Beside others, they exceeded a promised time, because processes waited for a CPU.
          sequence: { groupOrder: 1 },
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
    ],
  },
});
