import { defineConfig } from 'vitest/config';

/**
 * The endings of test files tell what they need: `.test.ts` nothing, `.prop.test.ts` generated input, `.db.test.ts` a
 * PostgreSQL, `.e2e.test.ts` whole processes. All run in one command; two workers, because the reference machine has 2 cores.
 */
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'e2e/**/*.test.ts',
      'bench/**/*.test.ts',
      'faults/**/*.test.ts',
    ],
    globalSetup: ['packages/platform/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
