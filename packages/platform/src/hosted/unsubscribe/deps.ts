import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import type { Receipts } from '../links/receipts.ts';
import type { UnsubscribeLinks } from '../links/unsubscribe-links.ts';

/** The dependencies of the unsubscribe pages. */
export interface HostedDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  brands: Pick<BrandRegistry, 'byId'>;
  links: UnsubscribeLinks;
  receipts: Receipts;
}
