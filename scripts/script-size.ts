/**
 * Part of `npm run check`, the size of the browser script: prints it, and fails if a page would have to load more than we
 * promise.
 */
import { buildScripts, sizeLimits, sizesOf } from '@croupier/browser';

const sizes = sizesOf(await buildScripts());
const written = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;
process.stdout.write(
  [
    `loader ${written(sizes.loader)} gzip of ${written(sizeLimits.loader)}; everything ${written(sizes.everything)} of ${written(sizeLimits.everything)}`,
    `(app ${written(sizes.app)}, push worker ${written(sizes.pushWorker)})\n`,
  ].join(' '),
);
if (sizes.loader > sizeLimits.loader || sizes.everything > sizeLimits.everything) process.exitCode = 1;
