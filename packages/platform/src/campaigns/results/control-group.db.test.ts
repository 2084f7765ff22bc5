import { type Campaign, isHeldOut } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import type { BrandSettings } from '../../brands/index.ts';
import { writeTemplate } from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { heldReasons, rulingReasons, withheldReasons } from '../../gate/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';
import { countControlGroup, measureArms } from './measures.ts';

/* Which runs the comparison with the brand's control group contains, and in which arm. */
const setup = await setupCampaigns();
const { pool, brand, clock } = setup;
const { brand_id } = brand;
const settings = setup.brands.byId(brand_id)?.settings as BrandSettings;
const day = 86_400_000_000;
const start = clock.now();
const window = { zone: 'UTC', days: 1, today: '2100-01-01' };

async function campaignOf(code: string, steps: Campaign['steps']) {
  await setup.campaign({ code, name: code, entry: { api: true }, steps });
  const [campaign] = await readCampaigns(pool, brand_id, { code });
  if (campaign === undefined) throw new Error('the campaign does not exist');
  return campaign;
}
const sizesOf = async (campaignId: number) => {
  const arms = await measureArms(pool, campaignId, window, false);
  return Object.fromEntries(arms.map(({ variant, players }) => [variant, players]));
};

test('players without a usable number count like the others, because the control group contains such players, too', async () => {
  await transaction(pool, (tx) =>
    writeTemplate(
      tx,
      brand,
      { code: 'text', name: 'text', channel: 'sms', purpose: 'marketing', content: { en: { text: 'Hello' } } },
      { expected: undefined, by: 'a test', at: clock.now() },
    ),
  );
  const campaign = await campaignOf('texts', [{ id: 'text', send: { channel: 'sms', template: 'text' } }]);
  settings.holdout = { percent: 50 };
  let heldOut = 0;
  for (let n = 0; n < 24; n++) {
    const userId = `texted ${n}`;
    const player_id = await setup.reader(userId);
    heldOut += isHeldOut(`${brand.code} ${userId}`, 50) ? 1 : 0;
    await pool.query(`update player_profile set mobile_prefix = '+356', mobile = $2 where player_id = $1`, [
      player_id,
      [null, '1', `99${100_000 + n}`][n % 3],
    ]);
    await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() }));
  }
  await setup.follow();
  settings.holdout = { percent: 0 };
  const reasons = (await setup.runs('texts')).flatMap(({ records }) => records.map(({ reason }) => reason));
  expect(new Set(reasons)).toEqual(new Set(['holdout', 'no_number', 'bad_number', null]));
  expect(await sizesOf(campaign.campaign_id)).toEqual({ holdout: heldOut, reached: 24 - heldOut });
});

type Line = { state: string; reason?: string; effect?: object; after?: number; step?: string };
let players = 0;

/** Inserts a run whose step has these records. */
async function insertRun({ campaign_id }: { campaign_id: number }, lines: readonly Line[]): Promise<void> {
  const player_id = await setup.reader(`listed ${++players}`);
  const { rows } = await pool.query<{ run_id: number; version_id: number }>(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
     select $1, $2, $3, version_id, 'once', '{}', 'done', '{"variants": {}}', $4, $4 from campaign_version where campaign_id = $3
     returning run_id, version_id`,
    [player_id, brand_id, campaign_id, timestamptzText(start)],
  );
  for (const { state, reason = null, effect = null, after = 0, step = 'hello' } of lines)
    await pool.query(
      `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, reason, effect)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        player_id,
        rows[0]?.run_id,
        campaign_id,
        rows[0]?.version_id,
        step,
        state,
        timestamptzText(start + after),
        reason,
        effect,
      ],
    );
}

const ordered = { kind: 'message', channel: 'sms', message_id: 1 };
const holdout = { state: 'withheld', reason: 'holdout' };
const table: [lines: Line[], arm: 'reached' | 'holdout' | 'neither'][] = [
  // The gate decides before the control group.
  ...heldReasons.map((reason): (typeof table)[number] => [[{ state: 'held', reason }], 'neither']),
  ...withheldReasons.map((reason): (typeof table)[number] => [[{ state: 'withheld', reason }], 'neither']),
  [
    [
      { state: 'held', reason: 'unknown' },
      { state: 'withheld', reason: 'expired_while_unknown' },
    ],
    'neither',
  ],
  [[{ state: 'held', reason: 'paused' }, { state: 'resumed' }], 'neither'],
  [[{ state: 'held', reason: 'stopped' }], 'neither'],
  [[{ state: 'moved', reason: 'from version 1' }], 'neither'],
  [[{ state: 'failed', reason: 'cannot be processed: a value' }], 'neither'],
  [[], 'neither'],
  // The other rules of contact decide after it.
  ...rulingReasons.map((reason): (typeof table)[number] => [
    [{ state: 'withheld', reason }],
    reason === 'holdout' ? 'holdout' : 'reached',
  ]),
  [[{ state: 'held', reason: 'quiet_hours' }], 'reached'],
  [[{ state: 'done', effect: ordered }], 'reached'],
  [[{ state: 'failed', reason: 'the template hello does not exist' }], 'reached'],
  // The channel decides last, and asks the gate again.
  ...['no_number', 'bad_number', 'any reason', ...withheldReasons].map((reason): (typeof table)[number] => [
    [{ state: 'withheld', reason, effect: ordered }],
    'reached',
  ]),
  // The first decision of the control group counts.
  [[{ state: 'held', reason: 'unknown' }, holdout], 'holdout'],
  [[{ state: 'held', reason: 'quiet_hours' }, holdout], 'reached'],
  [[holdout, { state: 'done', effect: ordered, step: 'again' }], 'holdout'],
  [
    [
      { state: 'done', effect: ordered },
      { ...holdout, step: 'again' },
    ],
    'reached',
  ],
];

test('a run is in an arm from the first decision of the control group about it, whatever withholds its effect afterwards', async () => {
  await setup.siteTemplate('hello', 'Hello');
  const send = { channel: 'site', template: 'hello' } as const;
  for (const [place, [lines, arm]] of table.entries()) {
    const campaign = await campaignOf(`case-${place}`, [
      { id: 'hello', send },
      { id: 'again', send },
    ]);
    await insertRun(campaign, lines);
    // A step is compared only if a player of the control group was withheld at it.
    await insertRun(campaign, [holdout]);
    await insertRun(campaign, [{ ...holdout, step: 'again' }]);
    const counts = await sizesOf(campaign.campaign_id);
    const found = counts.reached === 1 ? 'reached' : counts.holdout === 3 ? 'holdout' : 'neither';
    expect([lines, found]).toEqual([lines, arm]);
    const [group] = await countControlGroup(pool, campaign.campaign_id);
    expect(group?.players).toBe(arm === 'neither' ? 2 : 3);
  }
});

test('a run counts for the size that the control group had at its first decision about the run', async () => {
  const campaign = await campaignOf('sized', [{ id: 'hello', send: { channel: 'site', template: 'hello' } }]);
  await pool.query('delete from brand_holdout where brand_id = $1', [brand_id]);
  await pool.query(`insert into brand_holdout (brand_id, since, percent) values ($1, $2, 10), ($1, $3, 50)`, [
    brand_id,
    timestamptzText(start - day),
    timestamptzText(start + day / 2),
  ]);
  await insertRun(campaign, [
    { state: 'held', reason: 'quiet_hours' },
    { ...holdout, after: day },
  ]);
  await insertRun(campaign, [{ ...holdout, after: day }]);
  const sizes = await countControlGroup(pool, campaign.campaign_id);
  const found = sizes.map(({ percent, players, held_out }) => ({ percent, players, held_out }));
  expect(found.toSorted((a, b) => a.percent - b.percent)).toEqual([
    { percent: 10, players: 1, held_out: 0 },
    { percent: 50, players: 1, held_out: 1 },
  ]);
});
