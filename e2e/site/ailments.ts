import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** What axe finds against WCAG 2.2 A and AA and its own good practice, each as one line. */
export async function ailments(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${axe.source} })()`);
  // Violations are all that is read, and no rule here needs the style sheets fetched again.
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")) as Found;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
