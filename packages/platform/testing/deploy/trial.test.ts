import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkout } from '../installation.ts';

/* deploy/trial/run.sh takes its commands from the code blocks of docs/guides/deploy.md. A change of the guide must not lose one. */
const run = promisify(execFile);
const folder = path.join(checkout, 'deploy/trial');
const scripts = (await readdir(folder)).filter((name) => name.endsWith('.sh'));

/** The heading and the text of every block that the scripts use. */
const blocks = (await Promise.all(scripts.map((name) => readFile(path.join(folder, name), 'utf8')))).flatMap((text) =>
  [...text.replaceAll(/^#.*$/gm, '').matchAll(/\b(?:run_block|guide_block) ('[^']+'|\w+) ('[^']+'|[^\s');]+)/g)].map(
    ([, heading = '', part = '']) => ({
      heading: heading.replaceAll("'", ''),
      part: part.replaceAll("'", ''),
    }),
  ),
);

test('the scripts of the trial are valid', async () => {
  for (const name of scripts) await run('bash', ['-n', path.join(folder, name)]);
});

test('every code block that the trial uses is in the guide', async () => {
  expect(blocks.length).toBeGreaterThan(15);
  const command = '. deploy/trial/steps.sh; guide=docs/guides/deploy.md; guide_block "$1" "$2"';
  for (const { heading, part } of blocks) {
    const { stdout } = await run('bash', ['-c', command, 'bash', heading, part], { cwd: checkout });
    expect(stdout).toContain(part);
  }
});
