import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';

/*
 * A process that moves runs is killed (SIGKILL) in the middle of a round, before each write of the round in turn. Nothing of the
 * uncommitted work remains, and the next process does all of it once.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, runs, follow } = setup;
await setup.siteTemplate('hello', 'Hello');
const minute = 60_000_000;
const players = 5;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function startLane(): ChildProcess {
  const script = fileURLToPath(new URL('../../../testing/campaigns/lane-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, setup.url, String(clock.now())], { stdio: 'ignore' });
  children.push(child);
  return child;
}

/** Kills a process when it is about to write to a table, and waits until its connection is gone. */
async function killAt(table: string): Promise<void> {
  await pool.query(
    `create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4711); return null; end $$;
     create trigger hold before insert or update on ${table} for each statement execute function hold()`,
  );
  const gate = await pool.connect();
  try {
    await gate.query('select pg_advisory_lock(4711)');
    const child = startLane();
    const ended = once(child, 'exit');
    const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`;
    let backend: number | undefined;
    while (backend === undefined) {
      if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode} before it wrote`);
      backend = (await pool.query<{ pid: number }>(waiting)).rows[0]?.pid;
    }
    child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    await gate.query('select pg_advisory_unlock(4711)');
    const isThere = 'select 1 from pg_stat_activity where pid = $1';
    while ((await pool.query(isThere, [backend])).rowCount !== 0);
  } finally {
    gate.release();
    await pool.query(`drop trigger hold on ${table}; drop function hold()`);
  }
}

async function enter(code: string, player_id: number): Promise<void> {
  await transaction(pool, async (tx) => {
    const [campaign] = await readCampaigns(tx, brand.brand_id, { code });
    if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
    await enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() });
  });
}

const counts = async (ids: number[]) => {
  const { rows } = await pool.query(
    `select (select count(*)::int from notification where player_id = any($1::bigint[])) as messages,
            (select count(*)::int from bonus_intent where player_id = any($1::bigint[])) as intents,
            (select count(*)::int from campaign_news where player_id = any($1::bigint[])) as news`,
    [ids],
  );
  return rows[0];
};

test.each(['campaign_run', 'notification', 'gate_decision', 'campaign_run_step'])(
  'a process that is killed before its write to %s has done nothing; the next one does it once',
  async (table) => {
    const code = `killed_${table}`;
    await setup.campaign({
      code,
      name: code,
      entry: { api: true },
      steps: [
        { id: 'hello', send: { channel: 'site', template: 'hello' } },
        { id: 'rest', wait: { for: 'PT1M' } },
        { id: 'again', send: { channel: 'site', template: 'hello' } },
        { id: 'gift', credit: { bonus_code: 'TEN' } },
      ],
    });
    const ids: number[] = [];
    for (let n = 0; n < players; n++) ids.push(await setup.reader(`${code} ${n}`));
    for (const id of ids) await enter(code, id);

    await killAt(table);
    expect(await counts(ids)).toEqual({ messages: 0, intents: 0, news: players });
    expect(await runs(code)).toEqual([]);
    await follow();
    expect(await counts(ids)).toEqual({ messages: players, intents: 0, news: 0 });

    // The process dies between two moves of each run: the wait is over, and the round that continues the runs is aborted.
    clock.advance(minute);
    await killAt(table);
    expect(await counts(ids)).toEqual({ messages: players, intents: 0, news: 0 });
    await follow();
    await follow();
    expect(await counts(ids)).toEqual({ messages: 2 * players, intents: players, news: 0 });
    const all = await runs(code);
    expect(all).toHaveLength(players);
    for (const { state, records } of all) {
      expect(state).toBe('done');
      expect(records.map(({ step }) => step)).toEqual(['hello', 'rest', 'rest', 'again', 'gift']);
    }
  },
);
