import type { Logger } from 'pino';
import { BrandRegistry, Vault } from '../brands/index.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/index.ts';
import { openPool } from '../database/index.ts';
import { giveDemo } from '../demo/index.ts';
import { demoCode } from './demo-brand.ts';
import { whenReachable } from './when-reachable.ts';

/**
 * Creates the segments, templates and campaigns of the demo brand. If the database does not answer, for example on a busy machine, this
 * retries for up to a minute. `giveDemo` creates only what does not exist yet, so a retry continues where the last one stopped. If this fails,
 * the process starts without the rest.
 */
export async function furnishDemo(url: string, config: Config, log: Logger): Promise<void> {
  const pool = openPool(url, { name: 'demo', max: 2, log });
  try {
    const brands = new BrandRegistry({ pool, vault: new Vault(config.secret, config.previous_secrets), log });
    await whenReachable(() => brands.refresh(), log);
    const brand = brands.byCode(demoCode);
    if (brand === undefined) return;
    const given = await whenReachable(() => giveDemo(pool, brand, systemClock()), log);
    if (Object.values(given).flat().length > 0)
      log.info(given, 'segments, templates and campaigns of the demo brand were created');
  } catch (error) {
    log.warn(
      { err: error },
      'some segments, templates or campaigns of the demo brand could not be created; the next start retries',
    );
  } finally {
    await pool.end();
  }
}
