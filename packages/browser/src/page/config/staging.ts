import type { Bridge } from '../bridge.ts';

/** Address of the platform that this page talks to: the script's own, or, for the staging script, the brand's staging installation. */
export async function findRoot({ root, staging, hint }: Bridge, brand: string): Promise<string> {
  if (!staging) return root;
  try {
    const response = await fetch(`${root}/loader/staging/${encodeURIComponent(brand)}.json`, { credentials: 'omit' });
    const { staging_url } = (await response.json()) as { staging_url?: string };
    return staging_url || root;
  } catch {
    hint('the staging address could not be asked for; this installation is used');
    return root;
  }
}
