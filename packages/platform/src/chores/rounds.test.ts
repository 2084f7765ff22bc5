import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { Rounds, type RoundsOptions } from './rounds.ts';

const pollMs = 250;
const restMs = 25;
const words = { away: 'the chore waits', again: 'the chore continues', failed: 'the chore is at fault' };
const databaseAway = Object.assign(new Error('terminating connection'), { code: '57P01' });
const faultOfOurs = new TypeError('undefined is not a function');

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

type Outcome = Error | { claimed: number };

/** Rounds that last `tookMs`. It records when they began and ended, and what was logged. */
function setup(options: Partial<RoundsOptions<{ claimed: number }>> & { tookMs?: number } = {}) {
  const { tookMs = 0, ...others } = options;
  const began: number[] = [];
  const ended: number[] = [];
  const said: string[] = [];
  /** The outcomes of the next rounds. After them nothing is found. */
  const outcomes: Outcome[] = [];
  const to = { write: (line: string) => void said.push(JSON.parse(line).msg) };
  const rounds = new Rounds({
    async runOnce() {
      began.push(Date.now());
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
      ended.push(Date.now());
      const outcome = outcomes.shift() ?? { claimed: 0 };
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    pollMs,
    restMs,
    words,
    log: createLog({ level: 'info', role: 'test', to }),
    ...others,
  });
  return { rounds, began, ended, said, outcomes };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a round begins', () => {
  test('at the start, and pollMs after the end of the previous one', async () => {
    const { rounds, began } = setup({ tookMs: 10 });
    await rounds.start();
    await pass(600);
    expect(began).toEqual([0, 260, 520]);
    await rounds.stop();
  });

  test('immediately if woken while idle', async () => {
    const { rounds, began } = setup();
    await rounds.start();
    await pass(100);
    rounds.wake();
    await pass(10);
    expect(began).toEqual([0, 100]);
    await rounds.stop();
  });

  test('once more, after the rest, however often it was woken during a round', async () => {
    const { rounds, began } = setup({ tookMs: 100 });
    await rounds.start();
    for (let wakes = 0; wakes < 9; wakes++) {
      await pass(10);
      rounds.wake();
    }
    await pass(250);
    expect(began).toEqual([0, 125]);
    await rounds.stop();
  });

  test('never while another one runs, and at most once per rest, under many wakes', async () => {
    const { rounds, began, ended } = setup({ tookMs: 5 });
    await rounds.start();
    for (let ms = 0; ms < 290; ms++) {
      rounds.wake();
      await pass(1);
    }
    expect(began).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270]);
    expect(ended).toEqual(began.map((at) => at + 5));
    await rounds.stop();
  });

  test('after the rest while rounds report more work, and immediately without a rest', async () => {
    const full = { isMore: ({ claimed }: { claimed: number }) => claimed === 2 };
    for (const [rest, expected] of [[restMs, [0, 25, 50, 300]] as const, [0, [0, 0, 0, 250]] as const]) {
      vi.setSystemTime(0);
      const { rounds, began, outcomes } = setup({ ...full, restMs: rest });
      outcomes.push({ claimed: 2 }, { claimed: 2 }, { claimed: 1 });
      await rounds.start();
      await pass(350);
      expect(began).toEqual(expected);
      await rounds.stop();
    }
  });
});

describe('a round that fails', () => {
  test('is followed by the next one after pollMs, even if woken', async () => {
    const { rounds, began, outcomes } = setup();
    outcomes.push(databaseAway, databaseAway);
    await rounds.start();
    for (let ms = 0; ms < 540; ms++) {
      rounds.wake();
      await pass(1);
    }
    expect(began).toEqual([0, 250, 500, 525]);
    await rounds.stop();
  });

  test('because the database is unavailable is logged once, and the recovery is logged once', async () => {
    const { rounds, said, outcomes } = setup();
    outcomes.push(databaseAway, databaseAway, databaseAway, { claimed: 0 }, { claimed: 0 }, databaseAway);
    await rounds.start();
    await pass(700);
    expect(said).toEqual([words.away]);
    await pass(800);
    expect(said).toEqual([words.away, words.again, words.away, words.again]);
    await rounds.stop();
  });

  test('because of a bug is logged each time', async () => {
    const { rounds, said, outcomes } = setup();
    outcomes.push(faultOfOurs, faultOfOurs);
    await rounds.start();
    await pass(600);
    expect(said).toEqual([words.failed, words.failed]);
    await rounds.stop();
  });
});

describe('a chore with a guard', () => {
  test('is held while the clock is wrong, even if woken, and continues within 10 s', async () => {
    const guard = { wrong: true, isWrong: () => guard.wrong };
    const { rounds, began, said } = setup({ name: 'upkeep', guard, pollMs: 3_600_000 });
    await rounds.start();
    for (let seconds = 0; seconds < 25; seconds++) {
      rounds.wake();
      await pass(1_000);
    }
    expect(began).toEqual([]);
    guard.wrong = false;
    await pass(10_000);
    expect(began).toEqual([30_000]);
    guard.wrong = true;
    rounds.wake();
    await pass(restMs);
    await pass(1_000);
    expect(began).toEqual([30_000]);
    await rounds.stop();
    const held = "a chore is held until the clock of this process agrees with the database's clock";
    expect(said).toEqual([held, "a chore continues: the clock of this process agrees with the database's clock", held]);
  });

  test('can be stopped immediately while it is held', async () => {
    const { rounds, began } = setup({ name: 'upkeep', guard: { isWrong: () => true } });
    await rounds.start();
    await pass(100);
    await rounds.stop();
    expect([began, vi.getTimerCount(), Date.now()]).toEqual([[], 0, 100]);
  });
});

describe('start', () => {
  test.each([{ claimed: 0 }, databaseAway])(
    'resolves after the first round if that is awaited, even if it fails',
    async (outcome) => {
      const { rounds, ended, outcomes } = setup({ isFirstAwaited: true, tookMs: 40 });
      outcomes.push(outcome);
      const started = rounds.start().then(() => Date.now());
      await pass(100);
      expect([await started, ended]).toEqual([40, [40]]);
      await rounds.stop();
    },
  );

  test('resolves immediately if the first round is held', async () => {
    const { rounds } = setup({ isFirstAwaited: true, guard: { isWrong: () => true } });
    await rounds.start();
    await rounds.stop();
  });
});

describe('stop', () => {
  test('waits for the running round, and begins no other', async () => {
    const { rounds, began, ended } = setup({ tookMs: 100 });
    await rounds.start();
    await pass(40);
    rounds.wake();
    const stopped = rounds.stop().then(() => Date.now());
    await pass(1_000);
    expect(await stopped).toBe(100);
    expect([began, ended]).toEqual([[0], [100]]);
  });

  test.each([
    ['a rest', 10, { claimed: 0 }],
    ['idleness', 100, { claimed: 0 }],
    ['holding back after a failure', 100, databaseAway],
  ])('ends %s immediately', async (_, atMs, outcome) => {
    const { rounds, began, outcomes } = setup();
    outcomes.push(outcome);
    await rounds.start();
    await pass(atMs);
    await rounds.stop();
    expect(Date.now()).toBe(atMs);
    expect(vi.getTimerCount()).toBe(0);
    rounds.wake();
    await pass(1_000);
    expect(began).toEqual([0]);
  });

  test('has no effect before the start or a second time; a later start continues', async () => {
    const { rounds, began } = setup();
    await rounds.stop();
    rounds.wake();
    await pass(300);
    expect(began).toEqual([]);
    await rounds.start();
    await rounds.stop();
    await rounds.stop();
    await rounds.start();
    expect(began).toEqual([300, 300]);
    await rounds.stop();
  });
});
