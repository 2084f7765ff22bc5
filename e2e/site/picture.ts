import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Quality of the WebP: sharp enough for a guide, with every picture below 60 KB. */
const quality = 0.75;

const folder = process.env.TEST_PICTURES;

/** Returns whether this run saves pictures. If it does, the pictures of the console show an installation with more traffic. */
export const wantsPictures = (): boolean => Boolean(folder);

/**
 * Saves a screenshot of the window as `<name>.webp` in the folder TEST_PICTURES. Without that variable, it does nothing.
 * `TEST_PICTURES=docs/guides/pictures npm test -- e2e/site/casino.e2e.test.ts` creates those of README and the guides again.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  // Playwright cannot write WebP, but a browser can. A separate page does it, because the policy of the pages allows no data:
  // images.
  const studio = await page.context().newPage();
  try {
    const webp = (await studio.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${png}'), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${quality} });
      let text = '';
      for (const one of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(one);
      return btoa(text);
    })()`)) as string;
    await writeFile(path.join(folder, `${name}.webp`), Buffer.from(webp, 'base64'));
  } finally {
    await studio.close();
  }
}
