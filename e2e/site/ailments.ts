import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** The violations of WCAG 2.2 A and AA and of axe's own best practices, each as one line. */
export async function ailments(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${axe.source} })()`);
  // Only violations are read, and no rule here needs the style sheets fetched again.
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")) as Found;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
