import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { minifiedCss } from './minified-css.ts';

/*
 * Bundles the page's files in memory. The app is named by its content, and the loader knows that name, so that the app can be
 * kept by browsers for ever while a new version is taken up as soon as the loader is fetched again.
 */

/** Names that stand for something of the brand until the loader is served; see `nameLoader`. */
export const placeholders = {
  CONFIG_NAME: '%config%',
  API_NAME: '%api%',
  LOADER_NAME: '%loader%',
  SID_NAME: '%sid%',
  BRAND_NAME: '%brand%',
  FILE_NAME: '%file%',
} as const;

export interface BuiltScripts {
  /** With placeholders for the brand's names. */
  loader: string;
  app: string;
  /** `app-<hash>.js` */
  appFile: string;
  pushWorker: string;
}

const pages = path.join(import.meta.dirname, '../page');
/** Chrome 91, Safari 15, Firefox 90: of 2021. What is newer in the source is rewritten. */
const target = 'es2021';
const hashLength = 10;

/** Takes some 200 ms. @throws when a file does not compile. */
export async function buildFiles(): Promise<BuiltScripts> {
  const [app, pushWorker] = await Promise.all([bundle('app.ts'), bundle('push/worker.ts')]);
  const hash = createHash('sha256').update(app).digest('base64url').replaceAll(/[-_]/g, '').slice(0, hashLength);
  const appFile = `app-${hash}.js`;
  const loader = await bundle('loader.ts', { ...placeholders, APP_FILE: appFile });
  return { loader, app, appFile, pushWorker };
}

async function bundle(file: string, constants: Record<string, string> = {}): Promise<string> {
  const entry = path.join(pages, file);
  if (!existsSync(entry)) return '';
  const { outputFiles } = await build({
    entryPoints: [entry],
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
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
