import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOperator } from '@croupier/sandbox';
import { judgeAudit } from '../checker/audit.ts';
import type { ShownIntent } from '../checker/bonuses.ts';
import { judgeProtection, judgeVisible } from '../checker/protection.ts';
import { judgeWithdrawals, type Withdrawal, withdraw } from '../checker/withdrawals.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { orderBonuses } from '../load/bonus-orders.ts';
import { eventOf } from '../load/event.ts';
import type { Run, Scenario } from '../scenario.ts';
import { allLookedUp, type Stage, setStage } from './stage.ts';

const rate = 60;
/** Number of players. Half of them are excluded while bonuses are ordered for all of them. */
const players = 100;
/** Number of players whose blocks cannot be looked up. */
const unknown = 10;
const codes = ['WELCOME100', 'CASHBACK10'];
/** If an offer is not dropped within this time, it counts as never dropped. */
const maxWaitMs = 10_000;
const watchEveryMs = 50;
const consents = [{ type: 'Email', opted_in: true }];

/**
 * Players are excluded, cannot be looked up, and withdraw consents that the operator does not store, while bonuses are ordered for
 * all of them.
 */
export const protection: Scenario = {
  name: 'protection',
  story: 'players are excluded, unknown, or withdraw consents, while bonuses are ordered for all of them',
  short: { seconds: 6, least: { calls: 50, excluded: 50 } },
  async run(run) {
    await using stage = await setStage(run);
    const { installation, operator } = stage;
    const console = consoleOf(installation);
    const users = await introduce(stage, run);

    const excluded = new Map<string, number>();
    const excluding = exclude(stage, { run, console, users: users.open.filter((_, n) => n % 2 === 0), excluded });
    const ordering = orderBonuses({
      console,
      users: [...users.open, ...users.hidden],
      codes,
      count: Math.round(run.seconds * rate),
      rate,
      seed: run.seed,
      signal: run.signal,
    });
    const leaving = withdrawMany(stage, { run, console, users: users.open.filter((_, n) => n % 4 === 1) });
    const [dropped, withdrawals] = await Promise.all([excluding, leaving, ordering]);

    const calls = [...operator.calls.list('bonus_credit'), ...operator.calls.list('bonus_credit_funds')];
    const intents = await until('every intent to have its first answer', () => answered(console), {
      limitMs: maxWaitMs,
      everyMs: 250,
      signal: run.signal,
    });
    const holds = await console.list<{ cause: { id: string } }>('holds');
    const held = new Set(holds.map(({ cause }) => cause.id));
    const evidence = { calls, excluded, hidden: users.hidden, intents, held, dropped, allowance: run.allowance };
    return [
      judgeProtection(evidence),
      judgeVisible(evidence),
      judgeWithdrawals(withdrawals),
      await judgeAudit(installation),
    ];
  },
};

/** All intents. Undefined while an intent was just ordered and has no result yet. */
async function answered(console: Console): Promise<ShownIntent[] | undefined> {
  const intents = await console.list<ShownIntent>('bonus-intents');
  return intents.some(({ state, reason }) => state === 'pending' && !reason) ? undefined : intents;
}

async function introduce({ installation, operator, traffic }: Stage, run: Run) {
  const named = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what}-${n}`);
  const open = named('open', players);
  const hidden = named('hidden', unknown);
  operator.dials.set('userblocks', { faults: [{ fault: 'status', status: 500, users: hidden }] });
  for (const user of [...open, ...hidden]) operator.books.addPlayer(user, { blocks: [], consents });
  const registrations = [...open, ...hidden].map((user_id) => eventOf('registration', { user_id }));
  await Promise.all(registrations.map((message) => traffic.publish(message)));
  await allLookedUp(installation, { lookUps: players * 3 + unknown * 2, signal: run.signal });
  return { open, hidden };
}

/** Excludes one player after the other; each has an offer that must be dropped. Returns how long the offers were shown. */
async function exclude(
  { operator, traffic }: Stage,
  options: { run: Run; console: Console; users: readonly string[]; excluded: Map<string, number> },
): Promise<number[]> {
  const { run, console, users, excluded } = options;
  const excludeAll = async () => {
    for (const user_id of users) {
      await console.post(`players/${user_id}/bonus-credits`, { bonus_code: 'FREESPINS20', offer: true });
      operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: 'by the player' }] });
      await traffic.publish(eventOf('blocks_update', { user_id }));
      excluded.set(user_id, Date.now());
      await delay((run.seconds * 1000) / users.length / 2, undefined, { signal: run.signal });
    }
  };
  // Both are awaited together, so that an error of either one ends the scenario with its reason.
  const [dropped] = await Promise.all([
    watchOffers(console, excluded, { players: users.length, signal: run.signal }),
    excludeAll(),
  ]);
  return dropped;
}

/**
 * How long the offers of excluded players are shown after the acknowledgment, in milliseconds; Infinity if one is still shown
 * after `maxWaitMs`. Reads one list of all offers: one list for each player used so much CPU that the offers were dropped later.
 */
async function watchOffers(
  console: Console,
  excluded: ReadonlyMap<string, number>,
  { players, signal }: { players: number; signal: AbortSignal | undefined },
): Promise<number[]> {
  const dropped = new Map<string, number>();
  while (dropped.size < players) {
    await delay(watchEveryMs, undefined, { signal });
    const waiting = [...excluded].filter(([user_id]) => !dropped.has(user_id));
    const offers = await console.list<{ user_id: string }>('bonus-intents?state=offered');
    const shown = new Set(offers.map(({ user_id }) => user_id));
    for (const [user_id, since] of waiting) {
      const ms = Date.now() - since;
      if (!shown.has(user_id)) dropped.set(user_id, ms);
      else if (ms > maxWaitMs) dropped.set(user_id, Number.POSITIVE_INFINITY);
    }
  }
  return [...dropped.values()];
}

/** Each player unsubscribes with the link of an e-mail while the operator refuses to store it. Then the operator works again. */
async function withdrawMany(
  stage: Stage,
  { run, console, users }: { run: Run; console: Console; users: readonly string[] },
): Promise<Withdrawal[]> {
  const { installation, operator, traffic } = stage;
  operator.dials.set('userconsents_write', { faults: [{ fault: 'status', status: 500, when: 'before_effect' }] });
  const withdrawals: Withdrawal[] = [];
  for (const user_id of users) withdrawals.push(await withdraw({ installation, console, operator, traffic, user_id }));
  operator.dials.clear('userconsents_write');
  const books = ({ user_id }: Withdrawal) => storedAs(operator, user_id);
  await until('the operator to store every withdrawal', () => withdrawals.every((one) => books(one) === false), {
    limitMs: 60_000,
    everyMs: 100,
    signal: run.signal,
  }).catch(() => undefined);
  return withdrawals.map((one) => ({ ...one, stored: books(one) === false }));
}

function storedAs({ books }: SandboxOperator, user_id: string): boolean | undefined {
  return books.player(user_id)?.consents.find(({ type }) => type === 'Email')?.opted_in;
}
