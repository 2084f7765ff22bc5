import type { Pool } from 'pg';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { databaseTime, timestamptzText, transaction } from '../database/index.ts';
import { done, dueInMs, Ladder, lost, type Outcome, Queue, Runner, type RunnerPlace } from './index.ts';

/*
 * What each runner can rely on. The tests use a queue of letters, with one row per letter and hosts as places.
 *
 *   waiting --begin--> sending --answered--> sent, or waiting again by the ladder
 */
const { pool } = await setupDatabase();
await pool.query(`
  create table letter (
    letter_id bigint primary key, host text not null, state text not null default 'waiting', tries int not null default 0, reason text,
    due_at timestamptz, claim bigint);
  create index letter_due on letter (host, due_at) where state = 'waiting'`);
beforeEach(() => pool.query('delete from letter'));
afterAll(() => pool.query('drop table letter'));

interface LetterPlace extends RunnerPlace {
  host: string;
}
interface LetterClaim {
  claim: number;
  letter_id: number;
  host: string;
  tries: number;
}
const queue = new Queue<LetterPlace, LetterClaim>({
  table: 'letter',
  key: { letter_id: 'bigint' },
  place: { host: 'text' },
  waits: `q.state = 'waiting'`,
  brings: ['q.tries'],
});

type Answer = { sent: true } | { sent: false; why: 'busy' | 'down'; retry_after_ms?: number } | { cut: true };
const ladder = new Ladder({ busy: [0, 1_000], down: [2_000, 60_000] });
const noPollMs = 3_600_000;

/** A provider whose answers the test chooses. It records which calls are open at once. */
function provider() {
  const open = new Map<number, { host: string; answer(answer: Answer): void }>();
  const calls: number[] = [];
  const atOnce = new Map<string, number>();
  const waiting: { isThere(): boolean; resolve(): void }[] = [];
  const look = () => {
    for (const one of waiting) if (one.isThere()) one.resolve();
  };
  return {
    calls,
    atOnce,
    open,
    /** Answers immediately; undefined if the test answers later. */
    say: (_claim: LetterClaim): Answer | undefined => ({ sent: true }),
    async post(claim: LetterClaim): Promise<Answer> {
      const { letter_id, host } = claim;
      calls.push(letter_id);
      const answered = Promise.withResolvers<Answer>();
      open.set(letter_id, { host, answer: answered.resolve });
      const now = [...open.values()].filter((one) => one.host === host).length;
      atOnce.set(host, Math.max(atOnce.get(host) ?? 0, now));
      atOnce.set('all', Math.max(atOnce.get('all') ?? 0, open.size));
      const said = this.say(claim);
      // In a later turn of the event loop, so that calls overlap.
      if (said !== undefined) setImmediate(answered.resolve, said);
      look();
      const answer = await answered.promise;
      open.delete(letter_id);
      return answer;
    },
    cutAll: async () => {
      for (const { answer } of open.values()) answer({ cut: true });
    },
    until(isThere: () => boolean): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ isThere, resolve });
      look();
      return promise;
    },
  };
}

type Provider = ReturnType<typeof provider>;

/** The runner of one worker process. */
function worker(
  places: readonly Omit<LetterPlace, 'claim_ms'>[],
  to: Provider,
  options: { pollMs?: number; stopGraceMs?: number; claim_ms?: number; ends?: boolean; pool?: Pool } = {},
) {
  const { pollMs = noPollMs, stopGraceMs = 5_000, claim_ms = 60_000, ends = true } = options;
  const runner = new Runner<LetterPlace, LetterClaim, LetterClaim, Answer>(
    {
      queue,
      async places() {
        const { rows } = await pool.query<{ host: string; due: number }>(
          `select host, count(*)::int as due from letter where state = 'waiting' and due_at <= now() group by host`,
        );
        const dueAt = new Map(rows.map(({ host, due }) => [host, due]));
        return places.map((place) => ({ ...place, claim_ms, ...(place.group && { due: dueAt.get(place.host) ?? 0 }) }));
      },
      begin: (claim) =>
        transaction(pool, async (tx) => {
          if ((await queue.lock(tx, claim)) === null) return lost;
          await tx.query(`update letter set state = 'sending', tries = tries + 1 where letter_id = $1`, [
            claim.letter_id,
          ]);
          return { outcome: 'started', open: claim };
        }),
      send: (claim) => to.post(claim),
      callMs: () => 1_000,
      finish: (claim, answer) => transaction(pool, async (tx) => write(tx, claim, outcomeOf(claim, answer))),
      ...(ends && { cut: () => to.cutAll() }),
      words: { away: 'away', again: 'again', failed: 'failed', brokeOff: 'a letter broke off' },
    },
    { pool, log: testLog, stopGraceMs, pollMs, restMs: 1 },
  );
  onTestFinished(() => runner.stop());
  return runner;
}

function outcomeOf({ tries }: LetterClaim, answer: Answer | null): Outcome {
  if (answer === null) return { outcome: 'retry', reason: 'not_sent', in_ms: 0 };
  if ('cut' in answer) return { outcome: 'give_up', reason: 'cut' };
  if (answer.sent) return done;
  const { why, retry_after_ms } = answer;
  return { outcome: 'retry', reason: why, in_ms: ladder.delayMs(why, tries + 1, { random: 0.5, retry_after_ms }) };
}

async function write(tx: Parameters<typeof databaseTime>[0], claim: LetterClaim, outcome: Outcome): Promise<Outcome> {
  const at = await databaseTime(tx);
  const in_ms = dueInMs(outcome);
  const state = outcome.outcome === 'done' ? 'sent' : outcome.outcome === 'give_up' ? 'over' : 'waiting';
  const { rowCount } = await tx.query(
    `update letter set state = $3, reason = $4, due_at = $5, claim = null where letter_id = $1 and claim = $2`,
    [
      claim.letter_id,
      claim.claim,
      state,
      'reason' in outcome ? outcome.reason : null,
      in_ms === null ? null : timestamptzText(at + in_ms * 1_000),
    ],
  );
  return rowCount === 0 ? lost : outcome;
}

let letters = 0;
async function post(host: string, count = 1): Promise<number[]> {
  const ids = Array.from({ length: count }, () => ++letters);
  await pool.query(`insert into letter (letter_id, host, due_at) select id, $2, now() from unnest($1::bigint[]) id`, [
    ids,
    host,
  ]);
  return ids;
}
const statesOf = async (ids: readonly number[]) =>
  (
    await pool.query<{ state: string; reason: string | null }>(
      'select state, reason from letter where letter_id = any($1::bigint[]) order by letter_id',
      [ids],
    )
  ).rows.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
const untilSent = (ids: readonly number[]) =>
  expect.poll(async () => (await statesOf(ids)).every((state) => state === 'sent'), { interval: 5 }).toBe(true);

describe('slots', () => {
  test('are never exceeded by the calls of a place or a group, however many rounds run', async () => {
    const to = provider();
    const group = { name: 'small hosts', limit: 3 };
    const runner = worker([{ host: 'a', limit: 4 }, ...['b', 'c', 'd'].map((host) => ({ host, limit: 2, group }))], to);
    const ids = (await Promise.all(['a', 'b', 'c', 'd'].map((host) => post(host, 20)))).flat();
    await runner.start();
    await untilSent(ids);
    expect(to.atOnce.get('a')).toBeLessThanOrEqual(4);
    for (const host of ['b', 'c', 'd']) expect(to.atOnce.get(host)).toBeLessThanOrEqual(2);
    expect(to.atOnce.get('all')).toBeLessThanOrEqual(7);
    expect(to.calls.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    expect([runner.inUse, runner.tally.done]).toEqual([0, 80]);
  });

  test('a dead host takes only its own; calls to other hosts finish while it does not answer', async () => {
    const to = provider();
    to.say = ({ host }) => (host === 'dead' ? undefined : { sent: true });
    const runner = worker(
      ['dead', 'alive'].map((host) => ({ host, limit: 2 })),
      to,
    );
    const dead = await post('dead', 10);
    const alive = await post('alive', 30);
    await runner.start();
    await untilSent(alive);
    expect(await statesOf(dead)).toEqual([...Array(2).fill('sending'), ...Array(8).fill('waiting')]);
    expect(to.open.size).toBe(2);
    to.say = () => ({ sent: true });
    await to.cutAll();
    await untilSent(dead.slice(2));
  });
});

describe('wakes', () => {
  test('are never lost: rows that become due during a round, or while all slots are taken, are called without a poll', async () => {
    const to = provider();
    const runner = worker([{ host: 'a', limit: 1 }], to);
    await runner.start();
    const ids = await post('a', 25);
    runner.wake();
    await untilSent(ids);
  });

  test('a row that is due again immediately is called again without a poll', async () => {
    const to = provider();
    to.say = ({ tries }) => (tries === 0 ? { sent: false, why: 'busy' } : { sent: true });
    const runner = worker([{ host: 'a', limit: 8 }], to);
    const ids = await post('a', 2);
    await runner.start();
    await untilSent(ids);
    expect(to.calls).toHaveLength(4);
    expect(runner.tally).toMatchObject({ retry: 2, done: 2 });
  });
});

describe('claims', () => {
  test('two workers share the work, and make no call twice', async () => {
    const [one, two] = [provider(), provider()];
    const runners = [one, two].map((to) => worker([{ host: 'a', limit: 5 }], to, { pollMs: 5 }));
    const ids = await post('a', 200);
    await Promise.all(runners.map((runner) => runner.start()));
    await untilSent(ids);
    expect([...one.calls, ...two.calls].toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('one that expired and was taken over writes nothing and calls nothing', async () => {
    const [id] = await post('a');
    const place = { host: 'a', limit: 1, claim_ms: 60_000, free: 1 };
    const [stopped] = await queue.claim(pool, [place]);
    await pool.query('update letter set due_at = now() where letter_id = $1', [id]);
    const [successor] = await queue.claim(pool, [place]);
    if (stopped === undefined || successor === undefined) throw new Error('nothing was claimed');
    expect(successor.claim).not.toBe(stopped.claim);
    await transaction(pool, async (tx) => {
      expect(await queue.lock(tx, stopped)).toBeNull();
      expect(await write(tx, stopped, done)).toEqual(lost);
      expect(await queue.lock(tx, successor)).not.toBeNull();
    });
    expect(await queue.holdsFor(pool, stopped, 0)).toBe(false);
    expect(await queue.holdsFor(pool, successor, 50_000)).toBe(true);
    expect(await queue.holdsFor(pool, successor, 70_000)).toBe(false);
  });

  test('one that expired no longer holds, even if no other worker took it over', async () => {
    const [id] = await post('a');
    const [late] = await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 60_000, free: 1 }]);
    if (late === undefined) throw new Error('nothing was claimed');
    await pool.query('update letter set due_at = now() where letter_id = $1', [id]);
    await transaction(pool, async (tx) => expect(await queue.lock(tx, late)).toBeNull());
  });

  test('a worker killed between begin and finish leaves the row open; its late answer is written, unless another worker continued', async () => {
    const to = provider();
    to.say = () => undefined;
    const dying = worker([{ host: 'a', limit: 2 }], to);
    const [first, second] = (await post('a', 2)) as [number, number];
    await dying.runOnce();
    await to.until(() => to.open.size === 2);
    expect(await statesOf([first, second])).toEqual(['sending', 'sending']);
    // Another worker finds the second letter overdue, and ends it according to the rule of this queue.
    await pool.query(`update letter set state = 'over', reason = 'lost', claim = null where letter_id = $1`, [second]);
    for (const { answer } of to.open.values()) answer({ sent: true });
    await dying.idle();
    expect(await statesOf([first, second])).toEqual(['sent', 'over: lost']);
    expect(dying.tally).toMatchObject({ done: 1, lost: 1 });
  });

  test('due times are those of the parameters, exactly, with a held clock', async () => {
    const [id] = await post('a');
    const at = (await databaseTime(pool)) + 123_456;
    const [claim] = await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 60_000, free: 1 }], { claim: 7, at });
    expect(claim).toMatchObject({ claim: 7, letter_id: id, host: 'a', tries: 0 });
    const { rows } = await pool.query('select due_at from letter where letter_id = $1', [id]);
    expect(rows).toEqual([{ due_at: at + 60_000_000 }]);
    // Nothing is due one microsecond before the time.
    expect(
      await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 1, free: 1 }], { claim: 8, at: at + 59_999_999 }),
    ).toEqual([]);
    expect(
      await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 1, free: 1 }], { claim: 9, at: at + 60_000_000 }),
    ).toHaveLength(1);
  });

  test('a retry is due exactly one wait of the ladder after the time at which it was written', async () => {
    const [id] = await post('a');
    const [claim] = await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 60_000, free: 1 }]);
    if (claim === undefined) throw new Error('nothing was claimed');
    await transaction(pool, async (tx) => {
      const at = await databaseTime(tx);
      const outcome = outcomeOf(claim, { sent: false, why: 'down' });
      expect(await write(tx, claim, outcome)).toEqual({ outcome: 'retry', reason: 'down', in_ms: 2_000 });
      const { rows } = await tx.query('select due_at, state from letter where letter_id = $1', [id]);
      expect(rows).toEqual([{ due_at: at + 2_000_000, state: 'waiting' }]);
    });
  });

  test('rows that are long overdue are left to rounds that read from the start', async () => {
    const [old, fresh] = (await post('a', 2)) as [number, number];
    await pool.query(`update letter set due_at = now() - interval '2 minutes' where letter_id = $1`, [old]);
    const since = (await databaseTime(pool)) - 60_000_000;
    const place = { host: 'a', limit: 9, claim_ms: 60_000, free: 9 };
    expect((await queue.claim(pool, [{ ...place, since }])).map(({ letter_id }) => letter_id)).toEqual([fresh]);
    expect((await queue.claim(pool, [place])).map(({ letter_id }) => letter_id)).toEqual([old]);
  });
});

describe('a stop', () => {
  test('waits for calls under way, and begins none afterwards', async () => {
    const to = provider();
    to.say = () => undefined;
    const runner = worker([{ host: 'a', limit: 1 }], to);
    const ids = await post('a', 2);
    await runner.start();
    await to.until(() => to.open.size === 1);
    const stopped = runner.stop();
    runner.wake();
    for (const { answer } of to.open.values()) answer({ sent: true });
    await stopped;
    expect(await statesOf(ids)).toEqual(['sent', 'waiting']);
    expect(to.calls).toHaveLength(1);
  });

  test('cuts calls that are open at the end of the grace period, writes the outcome, and leaves no claim', async () => {
    const to = provider();
    to.say = () => undefined;
    const runner = worker([{ host: 'a', limit: 2 }], to, { stopGraceMs: 1 });
    const ids = await post('a', 2);
    await runner.start();
    await to.until(() => to.open.size === 2);
    await runner.stop();
    expect(await statesOf(ids)).toEqual(['over: cut', 'over: cut']);
    const { rows } = await pool.query('select count(claim)::int as claims from letter');
    expect(rows).toEqual([{ claims: 0 }]);
  });

  test('gives back claims whose calls have not started, due immediately', async () => {
    const [id] = await post('a');
    const [claim] = await queue.claim(pool, [{ host: 'a', limit: 1, claim_ms: 60_000, free: 1 }]);
    if (claim === undefined) throw new Error('nothing was claimed');
    expect(await queue.release(pool, [claim])).toBe(1);
    const { rows } = await pool.query('select claim, due_at <= now() as due from letter where letter_id = $1', [id]);
    expect(rows).toEqual([{ claim: null, due: true }]);
    expect(await queue.release(pool, [claim])).toBe(0);
  });
});
