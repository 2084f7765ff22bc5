import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The minified axe: `axe.source` has 1.5 MB. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Returns the violations of WCAG 2.2 A and AA and of axe's own best practices, each as one line. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  return run(page, {});
}

/**
 * Does the same for a page that follows the preferred color scheme. It checks all rules in the page's own scheme. In the
 * other scheme it checks only the rule of contrast, because no other rule depends on colors.
 */
export async function accessibilityProblemsInBothSchemes(page: Page): Promise<string[]> {
  const own = await run(page, {});
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  const [before, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await page.emulateMedia({ colorScheme: other });
  await page.locator(`html[data-mantine-color-scheme=${other}]`).waitFor();
  // Buttons fade from one color to the other.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : [])))',
  );
  const contrast = await run(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: before });
  return [...own, ...contrast.map((one) => `${other}: ${one}`)];
}

async function run(page: Page, options: { runOnly?: string[] }): Promise<string[]> {
  // The text of axe is sent once per document. Sending it for each run took 0.2 s of CPU.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`(() => { ${axe} })()`);
  // Only violations are read. `preload` is off, because no rule here needs the style sheets to be fetched again.
  const all = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options });
  const violations = (await page.evaluate(`axe.run(${all}).then(({ violations }) => violations)`)) as Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
