import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const source = new URL('../src/', import.meta.url);

/** Returns every module that a file imports, read from its import lines. */
async function imports(file: string): Promise<string[]> {
  const text = await readFile(new URL(file, source), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

async function files(): Promise<string[]> {
  return (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
}

test('the sandbox imports nothing from the platform', async () => {
  for (const file of await files()) {
    const outside = (await imports(file)).filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
    for (const name of outside)
      expect([file, name]).toEqual([file, expect.stringMatching(/^(@croupier\/contracts|commander|luxon|undici)$/)]);
    expect((await readFile(new URL(file, source), 'utf8')).includes('packages/platform')).toBe(false);
  }
});

test('the truth imports only types from the contracts, so that it cannot share their mistakes', async () => {
  for (const file of await files()) {
    const text = await readFile(new URL(file, source), 'utf8');
    for (const [line] of text.matchAll(/^import .*@croupier\/contracts.*$/gm))
      expect([file, line]).toEqual([file, expect.stringMatching(/^import type /)]);
  }
});

test('folders import each other only through index.ts', async () => {
  for (const file of await files()) {
    const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
    for (const name of await imports(file)) {
      if (!name.startsWith('.')) continue;
      const target = new URL(name, new URL(file, source)).href.slice(source.href.length);
      const targetFolder = target.includes('/') ? target.slice(0, target.indexOf('/')) : '';
      if (targetFolder === '' || targetFolder === folder || folder === '') continue;
      expect([file, target]).toEqual([file, `${targetFolder}/index.ts`]);
    }
  }
});
