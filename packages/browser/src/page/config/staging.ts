import type { Bridge } from '../bridge.ts';
import { siteError } from '../client/http.ts';

/**
 * Address of the platform that this page talks to: the script's own, or, for the staging script, the brand's staging installation.
 *
 * @throws {SiteError} A page that tests must not fall back to where real players are.
 */
export async function findRoot({ root, staging }: Pick<Bridge, 'root' | 'staging'>, brand: string): Promise<string> {
  if (!staging) return root;
  try {
    const response = await fetch(`${root}/loader/staging/${brand}.json`, { credentials: 'omit' });
    return ((await response.json()) as { staging_url?: string }).staging_url || root;
  } catch {
    throw siteError('offline', 'staging', 0);
  }
}
