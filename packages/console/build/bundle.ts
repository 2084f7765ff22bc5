import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/**
 * The files that several pages share. Without these groups, each set of modules that the same pages use is a file: the page of a player
 * consisted of 58 files, half of them smaller than 1 kB. The first page loads the first two groups, and most of the 61 pages load the
 * third: tables, filters, and words of states.
 */
const sharedFiles = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 3 },
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  { name: 'shared', minShareCount: 20, priority: 1 },
];

/** Bundles the page into a folder that is empty or missing. */
export async function bundle(folder: string): Promise<void> {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    base: '/console/',
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // Images are not inlined. Inlined images would need a wider policy, and would not load faster over one
      // connection.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: sharedFiles } } },
    },
  });
  await compress(join(folder, 'assets'));
  await bundleSiteFrame(folder);
}

/**
 * Bundles the script of the frame in which messages of the site are shown. It is not a module, because modules would
 * need CORS in a frame without an origin.
 */
async function bundleSiteFrame(folder: string): Promise<void> {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      lib: { entry: 'src/frames/site-frame.ts', formats: ['iife'], name: 'siteFrame', fileName: () => 'site-frame.js' },
    },
  });
}

/** Writes the compressed forms that browsers request beside each file, so that no request has to compress it. */
async function compress(folder: string): Promise<void> {
  const [gzipped, brotli] = [promisify(gzip), promisify(brotliCompress)];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const bytes = await readFile(file);
    await writeFile(`${file}.gz`, await gzipped(bytes, { level: 9 }));
    await writeFile(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}
