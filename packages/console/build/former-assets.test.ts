import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepFormerAssets } from './former-assets.ts';

test('a build keeps the assets of the previous build, but not of the one before it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'console-builds-'));
  onTestFinished(() => rm(root, { recursive: true }));
  let former = join(root, 'none');
  const build = async (name: string, ...assets: string[]) => {
    const folder = join(root, name);
    await mkdir(join(folder, 'assets'), { recursive: true });
    for (const asset of assets) await writeFile(join(folder, 'assets', asset), name);
    await keepFormerAssets(former, folder);
    former = folder;
    return (await readdir(join(folder, 'assets'))).sort();
  };
  expect(await build('first', 'a-1.js', 'same.js')).toEqual(['a-1.js', 'same.js']);
  expect(await build('second', 'a-2.js', 'same.js')).toEqual(['a-1.js', 'a-2.js', 'same.js']);
  expect(await readFile(join(former, 'assets', 'same.js'), 'utf8')).toBe('second');
  expect(await build('third', 'a-3.js', 'same.js')).toEqual(['a-2.js', 'a-3.js', 'same.js']);
});
