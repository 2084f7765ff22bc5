import { beforeEach, describe, expect, test } from 'vitest';
import { casino, none, setupHistory } from '../../../testing/derive/history/history.ts';
import { day } from './too-old.ts';

/*
 * Rows of `casino_activity` point to all rounds under one key. If a brand reuses its round ids, an old and a new round have the same key.
 * The rows that point to the old round are removed from the live tables and the baseline at once, although the baseline may not contain the
 * new round yet.
 */
const history = await setupHistory();
const { clock, pool, tell, nextDay, differences, playerId } = history;

async function counted(user: string): Promise<{ rounds: number; pointers: number }> {
  const { rows } = await pool.query(
    `select (select count(*) from live.round where player_id = $1) as rounds,
            (select count(*) from live.casino_activity where player_id = $1) as pointers`,
    [await playerId(user)],
  );
  return rows[0];
}

const win = (user: string) => casino(user, 'again', clock.now(), { activity_id: 'win', type: 'Win', amount: 3 });

describe('an old round with the same key as a young one', () => {
  beforeEach(() => nextDay(30));

  test('the old pointers are removed if only the ledger has the young round', async () => {
    await tell(casino('ann', 'again', clock.now(), { amount: 5 }));
    await nextDay(4);
    clock.advance(17 * day);
    await tell(win('ann'));
    expect(await nextDay()).toMatchObject({ pruned: 1 });
    expect(await counted('ann')).toEqual({ rounds: 1, pointers: 1 });
    expect(await differences()).toEqual(none);
    await nextDay(20);
    expect(await counted('ann')).toEqual({ rounds: 0, pointers: 0 });
    expect(await differences()).toEqual(none);
  });

  test('the old pointers are removed with the last round if the baseline also has the young round', async () => {
    await tell(casino('bob', 'again', clock.now(), { amount: 5 }));
    await nextDay(10);
    await tell(win('bob'));
    expect(await nextDay(10)).toMatchObject({ pruned: 1 });
    expect(await counted('bob')).toEqual({ rounds: 1, pointers: 2 });
    expect(await differences()).toEqual(none);
    await nextDay(10);
    expect(await counted('bob')).toEqual({ rounds: 0, pointers: 0 });
    expect(await differences()).toEqual(none);
  });
});
