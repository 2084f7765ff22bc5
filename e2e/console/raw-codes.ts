import type { Page } from 'playwright-core';
import { codes } from '../../packages/console/src/text/codes.ts';

/** Codes whose German words differ from the code. If one of them is alone in a text of a German page, it was not translated. */
const suspects = Object.entries(codes)
  .filter(([code, [, de]]) => !code.includes('.') && code.toLowerCase() !== de.toLowerCase())
  .map(([code]) => code);

/**
 * Returns the texts on a German page that are a code of the API and nothing else. Names that people or operators chose are left out.
 * They are in code elements, or in elements with the class `id` or the attribute `data-own`.
 */
export function rawCodesOn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const suspects = new Set(${JSON.stringify(suspects)});
    const walker = document.createTreeWalker(document.getElementById('page'), NodeFilter.SHOW_TEXT);
    const found = new Set();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent.trim();
      const isShown = node.parentElement.checkVisibility?.() ?? true;
      if (isShown && suspects.has(text) && node.parentElement.closest('code, pre, .id, [data-own]') === null) found.add(text);
    }
    return [...found];
  })()`);
}
