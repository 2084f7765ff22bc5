import { buildScripts, sizeLimits, sizesOf } from '@croupier/browser';
import { report } from './figure.ts';

/** The UI bundle of @novu/js, a public widget for the same purpose: 150 KB after gzip. It was measured once, with esbuild. */
const reference = { name: 'UI bundle of @novu/js', value: 150_000 };

/** The size of the browser script for a page: bytes after gzip. Nothing is timed, so a smoke run measures the same. */
export async function benchScript(): Promise<boolean> {
  const { loader, everything } = sizesOf(await buildScripts());
  const figure = { bench: 'script', unit: 'bytes', reference };
  const holds = [
    report({ ...figure, figure: 'loader', value: loader, at_most: sizeLimits.loader }),
    report({ ...figure, figure: 'everything', value: everything, at_most: sizeLimits.everything }),
  ];
  return !holds.includes(false);
}
