import type { Bridge } from '../bridge.ts';
import { siteError } from '../client/http.ts';

/**
 * Address of the platform that this page talks to: the script's own, or, for the staging script, the brand's staging installation. A brand
 * that names none has it here (docs/decisions/1131), which the console says, as real players may be here, too.
 *
 * @throws {SiteError} where it cannot be asked: a page that tests must not fall back to this installation by chance.
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
    // No answer, or one of something on the way: as little as a refusal.
  }
  throw siteError('offline', 'staging', 0);
}
