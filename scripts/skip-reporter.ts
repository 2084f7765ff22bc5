import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Maximum number of lines of an error's message and of its diff. Vitest prints the complete ones above. */
const maxErrorLines = 6;
const maxDiffLines = 16;
const maxLineLength = 300;

/** The part of vitest's serialized error that is printed. */
interface TestError {
  message?: string;
  diff?: string;
  stacks?: { file: string; line: number }[];
}

/**
 * Lists skipped tests: each is printed at the end with its reason. In CI a skip is a failure, because CI provides everything
 * that a test needs.
 *
 * With TEST_SUMMARY the counts are written to that file, for `.ci/run`, with one paragraph for each failed or skipped test: its
 * file, its full name, and the first lines of its errors.
 */
export default class SkipReporter implements Reporter {
  #root = process.cwd();

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly TestError[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    const failed: string[] = [];
    for (const module of modules) {
      const file = relative(this.#root, module.moduleId);
      if (!module.ok() && [...module.children.allTests('failed')].length === 0) counts.failed++;
      failed.push(...module.errors().map((error) => `${file}\n${this.#describe([error])}`));
      for (const suite of module.children.allSuites()) {
        failed.push(...suite.errors().map((error) => `${file}: ${suite.fullName}\n${this.#describe([error])}`));
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed++;
        if (result.state === 'failed') {
          counts.failed++;
          failed.push(`${file}: ${test.fullName}\n${this.#describe(result.errors)}`);
        }
        if (result.state !== 'skipped') continue;
        counts.skipped++;
        skipped.push(`${file}: ${test.fullName}: ${result.note ?? 'no reason given'}`);
      }
    }
    failed.push(...unhandled.map((error) => `an error outside all tests\n${this.#describe([error])}`));
    if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map((line) => `  ${line}\n`).join('')}`);
    if (skipped.length > 0 && process.env.CI) {
      process.stdout.write('A skipped test is a failure in CI.\n');
      process.exitCode = 1;
    }
    if (process.env.TEST_SUMMARY) {
      const named = [...failed.map((text) => `failed: ${text}`), ...skipped.map((text) => `skipped: ${text}`)];
      writeFileSync(process.env.TEST_SUMMARY, JSON.stringify({ ...counts, named }));
    }
  }

  /** The first lines of each error, indented, and where it was thrown. */
  #describe(errors: readonly TestError[]): string {
    return errors
      .flatMap(({ message, diff, stacks }) => {
        const lines = stripVTControlCharacters(message ?? 'no message')
          .split('\n')
          .slice(0, maxErrorLines);
        if (diff) lines.push(...stripVTControlCharacters(diff).trim().split('\n').slice(0, maxDiffLines));
        const at = stacks?.[0];
        if (at) lines.push(`at ${relative(this.#root, at.file)}:${at.line}`);
        return lines.map((line) => `    ${line.slice(0, maxLineLength)}`);
      })
      .join('\n');
  }
}
