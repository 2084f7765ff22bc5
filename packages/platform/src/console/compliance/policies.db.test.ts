import { policyReasons } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';

const console = await setupConsole();
const { pool, brand, clock } = console;
const path = '/brands/malta/policies';

async function player(user: string, market: string | null, country: string | null): Promise<void> {
  const id = await insertPlayer(pool, brand.brand_id, user);
  await pool.query('insert into player_profile (player_id, market, country, changed_at) values ($1, $2, $3, $4)', [
    id,
    market,
    country,
    timestamptzText(clock.now()),
  ]);
}

test('each policy has its rules with their numbers, the reasons for which they withhold contacts, and the number of its players', async () => {
  await player('by-market', 'GB', 'IE');
  await player('by-country', null, 'gb');
  await player('by-the-usual-name', 'uk', null);
  // There is no policy for the market, so the country decides.
  await player('licensed-in-malta', 'MGA', 'GB');
  await player('swede', 'SE', 'SE');
  await player('nowhere', '', null);
  // The details of this player are not known, so the player is not counted.
  await insertPlayer(pool, brand.brand_id, 'without details');
  const { status, body } = await console.get(path, await console.as('viewer'));
  expect(status).toBe(200);
  const { rows } = await pool.query('select created_at from brand');
  expect(body.items).toEqual([
    {
      market: 'GB',
      source: 'built_in',
      since: timestamptzText(rows[0].created_at),
      players: 4,
      rules: [
        { rule: 'consent_per_product', limit: null, reasons: ['policy_product_consent'] },
        { rule: 'one_product', limit: null, reasons: ['policy_mixed_products'] },
        { rule: 'most_wagering', limit: '10', reasons: ['policy_wagering', 'policy_wagering_unknown'] },
        { rule: 'most_suppression', limit: 'P2D', reasons: [] },
      ],
    },
  ]);
  expect(body.markets).toHaveLength(6);
  expect(body.markets).toEqual(
    expect.arrayContaining([
      { market: 'GB', policy: 'GB', players: 1 },
      { market: 'gb', policy: 'GB', players: 1 },
      { market: 'uk', policy: 'GB', players: 1 },
      { market: 'MGA', policy: 'GB', players: 1 },
      { market: 'SE', policy: null, players: 1 },
      { market: null, policy: null, players: 1 },
    ]),
  );
  // Every reason belongs to a rule, so the page links to every decision in which a policy withheld a contact.
  const reasons = body.items.flatMap(({ rules }: { rules: { reasons: string[] }[] }) =>
    rules.flatMap((rule) => rule.reasons),
  );
  expect(reasons).toEqual([...policyReasons]);
});

test('the consents for products state where they are set, and who changed them last', async () => {
  const consents = async () => (await console.get(path)).body.product_consents;
  expect(await consents()).toEqual({ items: [], source: 'settings', changed_at: null, changed_by: null });
  const product_consents = [{ product: 'casino', channel: 'sms', consent: 'CasinoSMS' }];
  await console.call('PUT', '/brands/malta/contact-rules', { body: { product_consents } });
  const changed_at = timestamptzText(clock.now());
  clock.advance(60_000_000);
  // A change of another rule does not count.
  await console.call('PUT', '/brands/malta/contact-rules', { body: { holdout: { percent: 5 } } });
  const shown = { items: product_consents, source: 'settings', changed_at, changed_by: 'admin token' };
  expect(await consents()).toEqual(shown);
  await console.call('PUT', '/brands/malta/settings', { body: { settings: { product_consents: [] } } });
  expect(await consents()).toEqual({ ...shown, items: [], changed_at: timestamptzText(clock.now()) });
  await pool.query('update brand set declared = true');
  await console.brands.refresh();
  expect(await consents()).toMatchObject({ source: 'configuration_file', changed_at: null, changed_by: null });
});
