import type { Pool } from 'pg';
import { BrandRegistry } from '../../src/brands/index.ts';
import { CampaignLane } from '../../src/campaigns/index.ts';
import type { Clock } from '../../src/clock.ts';
import { Gate } from '../../src/gate/index.ts';
import { PlatformRules } from '../../src/segments/membership/index.ts';
import { testVault } from '../brand.ts';
import { testLog } from '../log.ts';

/** A lane as in a separate process, which owns all buckets; its transactions' locks keep other lanes out. */
export async function createCampaignLane(pool: Pool, clock: Clock) {
  const brands = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await brands.refresh();
  const lease = { epoch: 1 } as never;
  const owned = new Map(Array.from({ length: 64 }, (_, bucket) => [bucket, lease]));
  const lane = new CampaignLane({
    pool,
    brands,
    clock,
    leases: { owned: () => owned },
    rules: new PlatformRules({ pool }),
    gate: new Gate({ clock, brands }),
    links: { link: () => 'https://crm.example/leave' },
    signals: { poke: () => {} },
    log: testLog,
  });
  return { lane };
}
