import type { Campaign } from '@croupier/campaigns';
import { afterEach, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { CampaignLane, countSpoiledRuns, enterPlayer, readCampaigns, readSpoiledRuns } from '../index.ts';

/*
 * If PostgreSQL refuses the data of one run in a round with many others, or this program cannot process it, this run
 * ends as failed, with a reason, and the others proceed. Errors of the connection, and deadlocks, fail no run.
 */
const setup = await setupCampaigns();
const { pool, brand, brands, clock, publish, derive, runs, messages } = setup;
const { brand_id } = brand;
await setup.siteTemplate('hello', 'Hello');
const minute = 60_000_000;
const outOfRange = 'cannot be processed: a number is out of range (SQLSTATE 22003)';

const logged: { fields: Record<string, unknown>; message: string }[] = [];
const keep = (fields: Record<string, unknown>, message: string) => void logged.push({ fields, message });
const log = { error: keep, warn: keep, info: () => {} } as never;
function laneWith({ gate = setup.gate } = {}): CampaignLane {
  const links = { link: () => 'https://crm.example/leave' };
  const { rules, leases } = setup;
  const signals = { poke: () => {} };
  return new CampaignLane({ pool, brands, rules, leases, gate, links, signals, clock: clock.now, log });
}
const lane = laneWith();

let dropped = '';
/** Rows of the table for which the condition holds are refused with this SQLSTATE. */
async function refuse(table: string, condition: string, sqlstate = '22003', when = 'insert or update'): Promise<void> {
  dropped = `drop trigger refuse on ${table}; drop function refuse()`;
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$
       begin if ${condition} then raise exception 'the value 4711 is refused' using errcode = '${sqlstate}'; end if; return new; end $$;
     create trigger refuse before ${when} on ${table} for each row execute function refuse()`,
  );
}
async function permit(): Promise<void> {
  if (dropped !== '') await pool.query(dropped);
  dropped = '';
}
afterEach(async () => {
  await permit();
  logged.length = 0;
});

const campaign = (code: string, more: Partial<Campaign> = {}) =>
  setup.campaign({
    code,
    name: code,
    entry: { api: true },
    steps: [
      { id: 'rest', wait: { for: 'PT1M' } },
      { id: 'hello', send: { channel: 'site', template: 'hello' } },
      { id: 'mark', tag: code },
    ],
    ...more,
  });

/** Players `<name> 0` and so on enter the campaign. @returns their ids */
async function enter(code: string, count: number, name = code): Promise<number[]> {
  const [found] = await readCampaigns(pool, brand_id, { code });
  if (found === undefined) throw new Error(`the campaign ${code} does not exist`);
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await setup.reader(`${name} ${n}`));
  await transaction(pool, async (tx) => {
    for (const player_id of ids) await enterPlayer(tx, found, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  return ids;
}
const statesOf = async (code: string) => (await runs(code)).map(({ state }) => state);
const failedOf = async (code: string) => (await runs(code)).filter(({ state }) => state === 'failed');
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const decisionsOf = async (player: number) =>
  (await pool.query('select 1 from gate_decision where player_id = $1', [player])).rowCount;

function gateThatThrows(isBad: (player: number) => boolean): Gate {
  class Throwing extends Gate {
    override mayContact(...[tx, requests, rules]: Parameters<Gate['mayContact']>) {
      if (requests.some(({ player_id }) => isBad(player_id))) throw new TypeError('x is undefined');
      return super.mayContact(tx, requests, rules);
    }
  }
  return new Throwing({ clock: clock.now, brands });
}

/** Makes 50 runs due. @returns the players, and the one at `place`, whose run the test makes fail */
async function fiftyDue(code: string, place = 31) {
  await campaign(code);
  const ids = await enter(code, 50);
  await lane.runOnce();
  expect(await statesOf(code)).toEqual(times(50, 'waiting'));
  clock.advance(minute);
  return { ids, bad: ids[place] as number, user: `${code} ${place}` };
}
async function expectOneFailed(code: string, user: string, reason: string, step: string) {
  const failed = await failedOf(code);
  expect(failed.map((one) => [one.user_id, one.reason])).toEqual([[user, reason]]);
  expect(failed[0]?.records.at(-1)).toMatchObject({ step, state: 'failed', reason });
  expect((await statesOf(code)).filter((state) => state === 'done')).toHaveLength(49);
  const told = (await messages()).filter(({ user_id }) => user_id.startsWith(`${code} `));
  expect(told).toHaveLength(49);
  expect(told.map(({ user_id }) => user_id)).not.toContain(user);
}

test('if the write of one run is refused, it fails with a reason, a log line and an alarm, and the other 49 proceed in the same round', async () => {
  const { bad, user } = await fiftyDue('write');
  await refuse('campaign_run', `new.player_id = ${bad} and new.state = 'done'`);
  const counts = await lane.runOnce();
  await permit();
  expect(counts.moved).toBe(50);
  await expectOneFailed('write', user, outOfRange, 'rest');
  const [{ run_id } = { run_id: 0 }] = await failedOf('write');
  expect(logged).toEqual([
    {
      message: 'a campaign run failed because of its data',
      fields: {
        campaign: 'write',
        version: 1,
        run_id,
        reason: outOfRange,
        sqlstate: '22003',
        error: 'error',
        at: expect.any(Array),
      },
    },
  ]);
  expect(JSON.stringify(logged)).not.toContain('4711');
  // It has ended, so it is logged once.
  expect((await lane.runOnce()).moved).toBe(0);
  expect(logged).toHaveLength(1);
  expect(await readSpoiledRuns(pool, brand_id, clock.now())).toEqual([
    { code: 'write', runs: 1, reason: outOfRange, since: clock.now() },
  ]);
  expect(await countSpoiledRuns(pool, clock.now())).toBe(1);
});

test.each([
  ['a NUL', '22021', 'cannot be processed: a text contains a character that cannot be stored (SQLSTATE 22021)'],
  ['a constraint', '23514', 'cannot be processed: a value is not permitted (SQLSTATE 23514)'],
  ['an index', '54000', 'cannot be processed: a value is too large (SQLSTATE 54000)'],
])('if the history of one run is refused because of %s, only this run fails', async (_name, sqlstate, reason) => {
  const code = `story_${sqlstate}`;
  const { bad, user } = await fiftyDue(code, 0);
  await refuse('campaign_run_step', `new.player_id = ${bad} and new.state = 'done'`, sqlstate);
  await lane.runOnce();
  await expectOneFailed(code, user, reason, 'rest');
});

test('if the decision about one effect is refused, the others are ordered, and the gate has recorded nothing for this one', async () => {
  const { bad, user } = await fiftyDue('decision', 49);
  await refuse('gate_decision', `new.player_id = ${bad}`);
  await lane.runOnce();
  await expectOneFailed('decision', user, outOfRange, 'rest');
  expect(await decisionsOf(bad)).toBe(0);
});

test('if one effect is refused, its run fails at the step of the effect', async () => {
  const { bad, user } = await fiftyDue('effect');
  await refuse('notification', `new.player_id = ${bad}`);
  await lane.runOnce();
  await expectOneFailed('effect', user, outOfRange, 'hello');
  expect(logged.map(({ fields }) => fields.sqlstate)).toEqual(['22003']);
});

test('if the gate throws for one effect, only its run fails', async () => {
  const { bad, user } = await fiftyDue('throws');
  await laneWith({ gate: gateThatThrows((player) => player === bad) }).runOnce();
  await expectOneFailed('throws', user, 'cannot be processed: x is undefined', 'rest');
  expect(logged).toMatchObject([{ fields: { campaign: 'throws', sqlstate: null, error: 'TypeError' } }]);
  expect(JSON.stringify(logged)).not.toContain('x is undefined');
});

test('if all fail because of an error of the program, no run fails, and the round is repeated', async () => {
  await fiftyDue('bug');
  await expect(laneWith({ gate: gateThatThrows(() => true) }).runOnce()).rejects.toThrow('x is undefined');
  expect(await statesOf('bug')).toEqual(times(50, 'waiting'));
  await lane.runOnce();
  expect(await statesOf('bug')).toEqual(times(50, 'done'));
});

test('if the database refuses the values of all runs, all fail, and the next round has other work', async () => {
  const { ids } = await fiftyDue('all');
  await refuse('campaign_run', `new.player_id in (${ids}) and new.state = 'done'`);
  await lane.runOnce();
  expect(await statesOf('all')).toEqual(times(50, 'failed'));
});

test('if one cause is refused, it leaves a failed run without its fields, and the other causes start runs', async () => {
  const entry: Campaign['entry'] = { event: 'payment' };
  await campaign('cause', { entry, reentry: { times: 'unlimited', while_running: true } });
  const timestamp = timestamptzText(clock.now());
  for (let n = 0; n < 10; n++) await setup.reader(`payer ${n}`);
  const pay = (user: string, payment_id: string) =>
    publish({ kind: 'payment', body: paymentBody({ user_id: user, payment_id, timestamp }) });
  for (let n = 0; n < 10; n++) await pay(`payer ${n}`, `good ${n}`);
  await pay('payer 4', 'bad 4');
  await derive();
  await refuse('campaign_run', `new.cause -> 'row' ->> 'payment_id' like 'bad%'`);
  await lane.runOnce();
  await permit();
  const states = (await runs('cause')).map(({ user_id, state, reason }) => [user_id, state, reason]);
  expect(states.filter(([, state]) => state === 'waiting')).toHaveLength(10);
  expect(states.filter(([, state]) => state !== 'waiting')).toEqual([['payer 4', 'failed', outOfRange]]);
  const { rows } = await pool.query(
    `select cause -> 'row' as row from campaign_run where state = 'failed' and reason = $1
      and campaign_id = (select campaign_id from campaign where code = 'cause')`,
    [outOfRange],
  );
  expect(Object.keys(rows[0]?.row ?? {})).toEqual(['at']);
  // The same cause starts no other run.
  await pay('payer 4', 'bad 4');
  await derive();
  await lane.runOnce();
  expect(await runs('cause')).toHaveLength(11);
});

test('if not even a failed run can be stored, the entry is dropped, and the log names its campaign', async () => {
  await campaign('gone');
  const ids = await enter('gone', 6);
  await refuse('campaign_run', `new.player_id = ${ids[2]}`);
  await lane.runOnce();
  expect(await statesOf('gone')).toEqual(times(5, 'waiting'));
  expect(logged).toMatchObject([{ fields: { campaign: 'gone', run_id: null, sqlstate: '22003' } }]);
  expect((await lane.runOnce()).news).toBe(0);
});

test('a run whose failure cannot be stored stays as it is, and the others proceed', async () => {
  const { bad } = await fiftyDue('stuck');
  await refuse('campaign_run', `new.player_id = ${bad}`);
  expect((await lane.runOnce()).more).toBe(false);
  expect((await statesOf('stuck')).toSorted()).toEqual([...times(49, 'done'), 'waiting']);
  await permit();
  await lane.runOnce();
  expect(await statesOf('stuck')).toEqual(times(50, 'done'));
});

test('each of several bad runs fails alone, even if its player has another run', async () => {
  const { ids } = await fiftyDue('several');
  await campaign('second', { steps: [{ id: 'mark', tag: 'second' }] });
  const bad = [3, 4, 30].map((place) => ids[place]);
  const [found] = await readCampaigns(pool, brand_id, { code: 'second' });
  if (found === undefined) throw new Error('there is no campaign second');
  await transaction(pool, async (tx) => {
    for (const player_id of bad as number[])
      await enterPlayer(tx, found, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  const campaignId = `(select campaign_id from campaign where code = 'several')`;
  await refuse(
    'campaign_run_step',
    `new.player_id in (${bad}) and new.campaign_id = ${campaignId} and new.state = 'done'`,
  );
  await lane.runOnce();
  expect((await failedOf('several')).map(({ user_id }) => user_id)).toEqual(['several 3', 'several 4', 'several 30']);
  expect((await statesOf('several')).filter((state) => state === 'done')).toHaveLength(47);
  expect(await statesOf('second')).toEqual(times(3, 'done'));
});

test.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a full disk', '53100'],
  ['a shutdown', '57P01'],
  ['a statement timeout', '57014'],
  ['a lost connection', '08006'],
])('after %s, no run fails, and the round is repeated', async (_name, sqlstate) => {
  for (const table of ['campaign_run', 'notification']) {
    const code = `again_${table}_${sqlstate}`.toLowerCase();
    await campaign(code);
    const [bad] = await enter(code, 5);
    await lane.runOnce();
    clock.advance(minute);
    await refuse(table, `new.player_id = ${bad}`, sqlstate);
    await expect(lane.runOnce()).rejects.toMatchObject({ code: sqlstate });
    expect(await statesOf(code)).toEqual(times(5, 'waiting'));
    await permit();
    await lane.runOnce();
    expect(await statesOf(code)).toEqual(times(5, 'done'));
  }
  expect(logged).toEqual([]);
});
