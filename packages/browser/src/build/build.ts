import { createHash } from 'node:crypto';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { minify } from 'terser';
import { minifiedCss } from './minified-css.ts';
import { placeholders } from './names.ts';

/*
 * Bundles the page's files in memory. The app is named by its content, and the loader contains that name. So browsers can cache
 * the app forever, and a new version is used as soon as the loader is fetched again.
 */

export interface BuiltScripts {
  /** Contains placeholders for the brand's names. */
  loader: string;
  app: string;
  /** `app-<hash>.js` */
  appFile: string;
  pushWorker: string;
}

const pages = path.join(import.meta.dirname, '../page');
/**
 * Chrome 92, Safari 15.4 and Firefox 90, which appeared in March 2022 or before. Newer syntax in the source is
 * rewritten.
 */
const target = 'es2021';
/**
 * Options of a second minifier. Its result is 4 % smaller after gzip than that of esbuild alone, and it takes half a
 * second once per process. `unsafe` would save 30 bytes more, but it replaces `new Error()` with `Error()`, which throws
 * if a page has replaced Error with its own class.
 */
const second = {
  ecma: 2020,
  toplevel: true,
  compress: { passes: 5, unsafe_arrows: true, pure_getters: true },
} as const;
const hashLength = 10;

/** Takes about a second. @throws if a file does not compile */
export async function buildFiles(): Promise<BuiltScripts> {
  const [app, pushWorker] = await Promise.all([bundle('app.ts'), bundle('push/worker.ts')]);
  const hash = createHash('sha256').update(app).digest('base64url').replaceAll(/[-_]/g, '').slice(0, hashLength);
  const appFile = `app-${hash}.js`;
  const loader = await bundle('loader.ts', {
    define: quoted({ ...placeholders, APP_FILE: appFile }),
  });
  return { loader, app, appFile, pushWorker };
}

const quoted = (constants: Record<string, string>) =>
  Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]));

async function bundle(file: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles = [] } = await build({
    entryPoints: [path.join(pages, file)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: '#draw',
    plugins: [minifiedCss],
    logLevel: 'silent',
    ...options,
  });
  return (await minify(outputFiles[0]?.text ?? '', { ...second })).code ?? '';
}
