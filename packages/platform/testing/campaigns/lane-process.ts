import { openPool } from '../../src/database/index.ts';
import { createCampaignLane } from './create-lane.ts';

/*
 * A process that only moves runs, so that tests can kill it: `lane-process.ts <database> <time in microseconds>`. It makes
 * rounds until there is nothing to do.
 */
const [url = '', at = ''] = process.argv.slice(2);
const pool = openPool(url, { name: 'lane to be killed' });
const { lane } = await createCampaignLane(pool, () => Number(at));
for (;;) {
  const { news, entered, moved, more } = await lane.runOnce();
  if (news + entered + moved === 0 && !more) break;
}
await pool.end();
