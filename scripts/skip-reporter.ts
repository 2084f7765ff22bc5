import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Nothing is skipped silently: each skipped test is printed at the end with its reason. In CI a skip is a failure, because
 * there everything that a test needs is there.
 *
 * With TEST_SUMMARY the counts are written to that file, for `.ci/run`.
 */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    for (const module of modules) {
      if (!module.ok() && [...module.children.allTests('failed')].length === 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed++;
        if (result.state === 'failed') counts.failed++;
        if (result.state !== 'skipped') continue;
        counts.skipped++;
        skipped.push(`  ${module.moduleId}: ${test.fullName}: ${result.note ?? 'no reason given'}`);
      }
    }
    if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.join('\n')}\n`);
    if (skipped.length > 0 && process.env.CI) {
      process.stdout.write('A skipped test is a failure in CI.\n');
      process.exitCode = 1;
    }
    if (process.env.TEST_SUMMARY) writeFileSync(process.env.TEST_SUMMARY, JSON.stringify(counts));
  }
}
