import { startSandboxOperator } from '@croupier/sandbox';
import { report } from './figure.ts';
import { derivedRate } from './load/derived-rate.ts';
import { playersOfMix } from './load/events.ts';
import { startPlatform } from './platform.ts';
import { seedPlayers, templatesOf } from './seed-players.ts';

/*
 * Measures the pipeline's rate with 10,000, 100,000 and 1,000,000 stored players. The load uses 5,000 of them, evenly chosen
 * from all, so indexes and caches are those of the whole brand. The reference is the rate at 10,000 players in the same run.
 */
export async function benchGrowth(options: { smoke: boolean }): Promise<boolean> {
  const sizes = options.smoke ? [10_000, 20_000] : [10_000, 100_000, 1_000_000];
  const seconds = options.smoke ? 2 : 45;
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
  try {
    // Creates the templates for the copies: players with a few events of every kind each.
    await derivedRate(platform, { seconds: options.smoke ? 1 : 4, seed: 0 });
    const brandId = await brandOf(platform.pool);
    const templates = await templatesOf(platform.pool, brandId);
    const rates: number[] = [];
    for (const [i, size] of sizes.entries()) {
      const seed = i + 1;
      await seedPlayers(platform.pool, { brandId, templates, count: size, named: playersOfMix(seed) });
      await platform.pool.query('checkpoint');
      rates.push((await derivedRate(platform, { seconds, seed })).derived);
    }
    const verdicts = rates.map((rate, i) =>
      report({
        bench: 'growth',
        figure: `pipeline_with_${sizes[i]}_players`,
        value: rate,
        unit: 'events/s',
        reference: { name: `with ${sizes[0]} players`, value: rates[0] ?? 0 },
        ...(i > 0 && { at_least_ratio: 0.8 }),
      }),
    );
    return options.smoke || !verdicts.includes(false);
  } finally {
    await platform.stop();
    await operator.stop();
  }
}

async function brandOf(pool: { query(text: string): Promise<{ rows: { brand_id: number }[] }> }): Promise<number> {
  const { rows } = await pool.query('select brand_id from brand');
  const brand = rows[0];
  if (brand === undefined) throw new Error('the platform has no brand');
  return brand.brand_id;
}
