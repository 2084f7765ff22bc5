import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, pause, readCampaigns, resume } from '../index.ts';

/* What happens to active runs when a new version comes into force, and during a pause. */
const setup = await setupCampaigns();
const { pool, brand, clock, runs, follow, lane, campaign, republish } = setup;
const hour = 3_600_000_000;
await setup.siteTemplate('hello', 'Hello');
await setup.siteTemplate('better', 'Better');

type Step = Campaign['steps'][number];
const rest = (time = 'PT1H'): Step => ({ id: 'rest', wait: { for: time } });
const hello = (template = 'hello'): Step => ({ id: 'hello', send: { channel: 'site', template } });
const mark = (tag: string): Step => ({ id: 'mark', tag });
const documentOf = (code: string, ...steps: Step[]): Campaign => ({ code, name: code, entry: { api: true }, steps });

async function enter(code: string, ...players: number[]): Promise<void> {
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code });
    if (own === undefined) throw new Error(`the campaign ${code} does not exist`);
    for (const player_id of players) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
}
const change = (code: string, work: typeof resume) =>
  transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code });
    if (own !== undefined) await work(tx, own, setup.by());
  });
/** The version, state and history of each run. */
async function outcomes(code: string): Promise<unknown[]> {
  const { rows } = await pool.query<{ run_id: number; version: number }>(
    'select r.run_id, v.version from campaign_run r join campaign_version v using (version_id)',
  );
  const versionOf = new Map(rows.map(({ run_id, version }) => [run_id, version]));
  return (await runs(code)).map(({ run_id, state, records }) => [
    versionOf.get(run_id),
    state,
    records.map((one) => `${one.step} ${one.state}${one.reason === null ? '' : ` (${one.reason})`}`),
  ]);
}
const tagsOf = async (player: number) =>
  (
    await pool.query<{ tag: string }>('select tag from player_tag where player_id = $1 order by tag', [player])
  ).rows.map(({ tag }) => tag);

test('active runs finish on their version, unless they are to move', async () => {
  await campaign(documentOf('stays', rest(), mark('old')));
  const player = await setup.reader('stays');
  await enter('stays', player);
  await republish(documentOf('stays', rest(), mark('new')));
  clock.advance(hour);
  await follow();
  expect(await outcomes('stays')).toEqual([[1, 'done', ['rest waiting', 'rest done', 'mark done']]]);
  expect(await tagsOf(player)).toEqual(['old']);
});

test('runs move to a version that contains all their steps, and continue at their step; an unchanged wait ends on time', async () => {
  await campaign(documentOf('moves', rest(), mark('old')));
  const player = await setup.reader('moves');
  await enter('moves', player);
  clock.advance(hour / 2);
  const more: Step = { id: 'more', tag: 'more' };
  await republish(documentOf('moves', rest(), mark('new'), more), { movesRuns: true });
  await follow();
  expect(await outcomes('moves')).toEqual([[2, 'waiting', ['rest waiting', 'rest moved (from version 1)']]]);
  clock.advance(hour / 2);
  await follow();
  expect(await outcomes('moves')).toEqual([
    [2, 'done', ['rest waiting', 'rest moved (from version 1)', 'rest done', 'mark done', 'more done']],
  ]);
  expect(await tagsOf(player)).toEqual(['more', 'new']);
});

test('runs finish on their version if a step was removed, or changed its kind', async () => {
  await campaign(documentOf('gone', rest(), mark('old')));
  const player = await setup.reader('gone');
  await enter('gone', player);
  await republish(documentOf('gone', rest()), { movesRuns: true });
  await follow();
  expect(await outcomes('gone')).toEqual([[1, 'waiting', ['rest waiting']]]);
  // A third version contains every step of the first again.
  await republish(documentOf('gone', rest('PT3H'), mark('new')), { movesRuns: true });
  await follow();
  expect(await outcomes('gone')).toEqual([
    [3, 'waiting', ['rest waiting', 'rest moved (from version 1)', 'rest waiting']],
  ]);
  clock.advance(3 * hour - 1);
  await follow();
  expect(await tagsOf(player)).toEqual([]);
  clock.advance(1);
  await follow();
  expect(await tagsOf(player)).toEqual(['new']);
});

test('runs move in portions; if a worker dies in one, none is moved twice', async () => {
  await campaign(documentOf('many', rest()));
  const players: number[] = [];
  for (let n = 0; n < 130; n++) players.push(await setup.reader(`many-${n}`));
  await enter('many', ...players);
  await republish(documentOf('many', rest(), mark('new')), { movesRuns: true });
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the connection is gone' using errcode = '08006'; end $$;
     create trigger refuse before insert on campaign_run_step for each statement execute function refuse()`,
  );
  await expect(lane.runOnce()).rejects.toThrow('the connection is gone');
  await pool.query('drop trigger refuse on campaign_run_step; drop function refuse()');
  expect(await lane.runOnce()).toMatchObject({ moved: 100, more: true });
  expect(await lane.runOnce()).toMatchObject({ moved: 30, more: false });
  expect(await lane.runOnce()).toMatchObject({ moved: 0 });
  const records = (await outcomes('many')).map((one) => JSON.stringify(one));
  expect(new Set(records)).toEqual(
    new Set([JSON.stringify([2, 'waiting', ['rest waiting', 'rest moved (from version 1)']])]),
  );
});

test('runs held by a pause continue in portions when it ends, on the newest version, and their history shows it', async () => {
  await campaign(documentOf('paused', rest(), hello()));
  const players: number[] = [];
  for (let n = 0; n < 25; n++) players.push(await setup.reader(`paused-${n}`));
  await enter('paused', ...players);
  await change('paused', pause);
  clock.advance(hour);
  await follow();
  expect(await setup.messages()).toEqual([]);
  await republish(documentOf('paused', rest(), hello('better')), { movesRuns: true });
  await follow();
  await change('paused', resume);
  // A new lane takes 20 runs in its first round.
  expect(await setup.createLane().runOnce()).toMatchObject({ more: true });
  expect(await setup.messages()).toHaveLength(20);
  await follow();
  expect((await setup.messages()).map(({ title }) => title)).toEqual(Array.from({ length: 25 }, () => 'Better'));
  const [first] = await outcomes('paused');
  expect(first).toEqual([
    2,
    'done',
    ['rest waiting', 'rest done', 'hello held (paused)', 'hello moved (from version 1)', 'hello resumed', 'hello done'],
  ]);
});

test('a version with another order of the steps is refused while runs would move to it, because they could pass a step twice', async () => {
  const gift: Step = { id: 'gift', credit: { bonus_code: 'TEN' } };
  await campaign(documentOf('order', hello(), gift, rest(), mark('end')));
  const player = await setup.reader('order');
  await enter('order', player);
  const swapped = documentOf('order', rest(), hello(), gift, mark('end'));
  await expect(republish(swapped, { movesRuns: true })).rejects.toMatchObject({
    name: 'CampaignRefused',
    kind: 'conflict',
    words: {
      en: expect.stringContaining('the active runs of version 1 cannot move: in it, the step gift comes before rest'),
      de: expect.stringContaining('Dort steht der Schritt gift vor rest, im Entwurf danach'),
    },
  });
  // Without moving runs, it comes into force, and the run finishes on its version.
  await republish(swapped);
  // The run of version 1 does not prevent a version with the order of version 1.
  await republish(documentOf('order', hello('better'), gift, rest(), mark('end')), { movesRuns: true });
  await follow();
  clock.advance(hour);
  await follow();
  expect(await outcomes('order')).toEqual([
    [3, 'done', ['hello done', 'gift done', 'rest waiting', 'rest moved (from version 1)', 'rest done', 'mark done']],
  ]);
  // A version that no run would leave does not prevent another order.
  await republish(swapped, { movesRuns: true });
});

test('a run whose player is protected ends on its own version instead of moving', async () => {
  await campaign(documentOf('guarded', rest(), mark('old')));
  const player = await setup.reader('guarded');
  await enter('guarded', player);
  await republish(documentOf('guarded', rest(), mark('new')), { movesRuns: true });
  await pool.query(
    'insert into player_protection (player_id, brand_id, blocked, excluded) values ($1, $2, false, true)',
    [player, brand.brand_id],
  );
  await follow();
  expect(await outcomes('guarded')).toEqual([[1, 'exited', ['rest waiting']]]);
});
