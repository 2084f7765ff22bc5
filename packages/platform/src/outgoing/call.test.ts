import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { type Calls, carryOut } from './call.ts';
import { done, type Outcome } from './outcome.ts';

/** Records what happens to one claim, in order. */
function setup(changes: Partial<Calls<string, string, string>> = {}, { lateMs = 0, holds = true } = {}) {
  const happened: string[] = [];
  const said: string[] = [];
  const aborted = new AbortController();
  const calls: Calls<string, string, string> = {
    begin: async (claim) => ({ outcome: 'started', open: `call of ${claim}` }),
    async send(open) {
      happened.push(`sent ${open}`);
      return 'answer';
    },
    async finish(_, answer): Promise<Outcome> {
      happened.push(`finished with ${answer}`);
      return done;
    },
    callMs: () => 10_000,
    ...changes,
  };
  const run = () =>
    carryOut('a claim', calls, {
      claimedAt: performance.now() - lateMs,
      signal: aborted.signal,
      freeSlot: () => happened.push('slot free'),
      log: createLog({ level: 'info', role: 'test', to: { write: (line: string) => void said.push(line) } }),
      async holdsFor(ms) {
        happened.push(`asked for ${ms} ms`);
        return holds;
      },
    });
  return { run, happened, said, aborted };
}

describe('a call', () => {
  test('is sent after it has started, and finished with its answer', async () => {
    const { run, happened } = setup();
    expect(await run()).toEqual(done);
    expect(happened).toEqual(['sent call of a claim', 'finished with answer']);
  });

  test('is not sent if begin returns another outcome for the work', async () => {
    const snooze = { outcome: 'snooze', reason: 'stale', in_ms: 5 } as const;
    const { run, happened } = setup({ begin: async () => snooze });
    expect(await run()).toEqual(snooze);
    expect(happened).toEqual([]);
  });
});

describe('a call that has to wait before its first byte', () => {
  /** Connecting takes this many milliseconds by the clock of the process. After that, the call is no longer allowed. */
  function slowConnection(ms: number) {
    let now = 1_000_000;
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    return setup({
      isStillAllowed: async () => ++looks === 1,
      async send(_, { maySend }) {
        now += ms;
        return (await maySend()) ? 'answer' : null;
      },
    });
  }
  afterEach(() => void vi.restoreAllMocks());

  test('is checked again, and is not made if it is no longer allowed', async () => {
    const { run, happened } = slowConnection(100);
    await run();
    expect(happened).toEqual(['finished with null']);
  });

  test('is not checked again if it waited for nothing', async () => {
    const { run, happened } = slowConnection(1);
    await run();
    expect(happened).toEqual(['finished with answer']);
  });
});

describe('a final check that takes long', () => {
  /** Each check takes this many milliseconds by the clock of the process. */
  function slowLooks(lookMs: number[], holds: boolean) {
    let now = 1_000_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const taken = [...lookMs];
    return setup(
      {
        async isStillAllowed() {
          now += taken.shift() ?? 0;
          return true;
        },
      },
      { holds },
    );
  }
  afterEach(() => void vi.restoreAllMocks());

  test('prevents the call if the claim would expire during it', async () => {
    const { run, happened } = slowLooks([30_000], false);
    await run();
    expect(happened).toEqual(['asked for 10000 ms', 'finished with null']);
  });

  test('is repeated, because its answer is out of date', async () => {
    const { run, happened } = slowLooks([5_000, 10], true);
    await run();
    expect(happened).toEqual(['asked for 10000 ms', 'sent call of a claim', 'finished with answer']);
  });

  test('leaves the call to a later claim if each repeat also takes long', async () => {
    const { run, happened } = slowLooks([5_000, 5_000, 5_000, 5_000], true);
    await run();
    expect(happened.at(-1)).toBe('finished with null');
    expect(happened).not.toContain('sent call of a claim');
  });
});

describe('a process that was blocked for a while', () => {
  test('checks whether the claim outlasts the call, and makes no call otherwise', async () => {
    const late = setup({}, { lateMs: 1_100, holds: false });
    await late.run();
    expect(late.happened).toEqual(['asked for 10000 ms', 'finished with null']);
    const inTime = setup({}, { lateMs: 1_100, holds: true });
    await inTime.run();
    expect(inTime.happened).toEqual(['asked for 10000 ms', 'sent call of a claim', 'finished with answer']);
  });

  test('makes the call anyway if a late call does no harm', async () => {
    const { callMs: _, ...harmless } = { callMs: undefined };
    const { run, happened } = setup({ ...harmless, callMs: undefined as never }, { lateMs: 60_000, holds: false });
    await run();
    expect(happened).toContain('sent call of a claim');
  });
});

describe('a call that is no longer allowed', () => {
  test.each<[string, () => Promise<boolean>]>([
    ['when the last check says so', async () => false],
    ['when the last check fails', () => Promise.reject(new Error('the database is away'))],
  ])('%s, the call is not made and its outcome is known', async (_name, isStillAllowed) => {
    const { run, happened } = setup({ isStillAllowed });
    await run();
    expect(happened).toEqual(['finished with null']);
  });

  test('is checked right before it is made, and made if still allowed', async () => {
    const { run, happened } = setup({ isStillAllowed: async () => happened.push('last look') > 0 }, { lateMs: 2_000 });
    await run();
    expect(happened).toEqual(['asked for 10000 ms', 'last look', 'sent call of a claim', 'finished with answer']);
  });
});

describe('an outcome that the database cannot store', () => {
  const refuse = (times: number, error: Error) => {
    let tries = 0;
    const finish = async (): Promise<Outcome> => {
      tries++;
      if (tries <= times) throw error;
      return done;
    };
    return { finish, tries: () => tries };
  };
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

  test('is written once the database accepts it', async () => {
    const { finish, tries } = refuse(1, deadlock);
    expect(await setup({ finish, finishTries: 3 }).run()).toEqual(done);
    expect(tries()).toBe(2);
  });

  test('is logged when its tries are used up, or immediately if it can never be stored', async () => {
    const { finish, tries } = refuse(9, deadlock);
    const once = setup({ finish, finishTries: 1, unwritten: (open, answer) => ({ open, answer }) });
    await expect(once.run()).rejects.toThrow('deadlock');
    expect(tries()).toBe(1);
    expect(JSON.parse(once.said[0] ?? '{}')).toMatchObject({ open: 'call of a claim', answer: 'answer' });

    const unfit = refuse(9, Object.assign(new Error('invalid byte sequence'), { code: '22021' }));
    await expect(setup({ finish: unfit.finish, finishTries: 25 }).run()).rejects.toThrow('invalid byte');
    expect(unfit.tries()).toBe(1);
  });

  test('is tried at most once more when the process stops', async () => {
    const { finish, tries } = refuse(9, deadlock);
    const { run, aborted } = setup({ finish, finishTries: 25 });
    const running = run();
    aborted.abort();
    await expect(running).rejects.toThrow('deadlock');
    expect(tries()).toBeLessThanOrEqual(2);
  });
});
