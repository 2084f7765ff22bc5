import type { Bridge } from '../bridge.ts';
import { siteError } from '../client/http.ts';

/**
 * Returns the address of the platform for this page. Normally this is the script's own address. For the staging script,
 * it is the brand's staging installation. If a brand has none, it is this installation (docs/decisions/1131). A message
 * on the browser's console then says so, because real players may use this installation.
 *
 * @throws {SiteError} if the address cannot be fetched, because a test page must not use this installation by accident
 */
export async function findRoot(
  { root, staging, hint }: Pick<Bridge, 'root' | 'staging' | 'hint'>,
  brand: string,
): Promise<string> {
  if (!staging) return root;
  try {
    const response = await fetch(`${root}/loader/staging/${brand}.json`, { credentials: 'omit' });
    if (response.ok) {
      const { staging_url } = (await response.json()) as { staging_url: string };
      if (!staging_url) hint(`no staging_url: this is ${root}`);
      return staging_url || root;
    }
  } catch {
    // No answer, or an unexpected one, is treated like a refusal.
  }
  throw siteError('offline', 'staging', 0);
}
