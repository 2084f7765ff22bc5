/** `npm run check`, the size of the browser script: prints it, and fails when a page would have to load more than we promise. */
import { buildScripts, sizeLimits, sizesOf } from '@croupier/browser';

const sizes = sizesOf(await buildScripts());
const kib = (bytes: number) => `${(bytes / 1_024).toFixed(2)} KiB`;
process.stdout.write(
  [
    `loader ${kib(sizes.loader)} gzip of ${kib(sizeLimits.loader)}; everything ${kib(sizes.everything)} of ${kib(sizeLimits.everything)}`,
    `(app ${kib(sizes.app)}, push worker ${kib(sizes.pushWorker)})\n`,
  ].join(' '),
);
if (sizes.loader > sizeLimits.loader || sizes.everything > sizeLimits.everything) process.exitCode = 1;
