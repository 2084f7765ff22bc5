import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOperator } from '@croupier/sandbox';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { eventOf } from './event.ts';
import type { Traffic } from './traffic.ts';

/*
 * Segments with every kind of condition, and players who enter and leave them for other reasons than the simulation's events:
 * tags, blocks and consents from look-ups, and logins whose minute ends.
 */

const and = (...rules: unknown[]) => ({ combinator: 'and', rules });
const compare = (field: string, operator: string, value: unknown) => ({ field, operator, value });

/**
 * A rule on a count without a window. Its answer changes with every fact that it counts, and stays until the next one. So if news is
 * lost, a difference remains until the next news of its kind, no matter when the comparison runs. With a window, the loss would be
 * hidden when the window ends.
 */
const isOdd = (field: string) =>
  and(
    compare(
      field,
      'in',
      Array.from({ length: 400 }, (_, n) => 2 * n + 1),
    ),
  );

/** Segments that lose or gain a member with every fact of a kind. */
const oddCounts = Object.fromEntries(
  [
    'registration',
    'login',
    'logout',
    'deposit',
    'withdrawal',
    'deposit_rejected',
    'deposit_cancelled',
    'casino_bet',
    'casino_win',
    'casino_round',
    'sports_bet',
    'sports_settled',
    'lottery_ticket',
    'bonus_granted',
    'cart',
  ].map((counted) => [`odd_${counted}`, isOdd(`trait.${counted}_count`)]),
);

/** The rule of each segment, in the order in which the segments can be created: those that refer to others come last. */
export const segmentRules: Readonly<Record<string, unknown>> = {
  depositors: and(compare('trait.deposit_count', '>=', 1)),
  deposits_of_days: and(compare('trait.deposit_count_7d', '>=', 2)),
  deposits_of_hours: and(compare('trait.deposit_sum_3h', '>=', 20)),
  declining: and(compare('trait.deposit_count_prev_7d', '>', 0), compare('trait.deposit_count_7d', '=', 0)),
  login_minute: and(compare('trait.login_last_at', 'inLast', 'PT1M')),
  quiet_minute: and(compare('trait.last_event_at', 'notInLast', 'PT1M')),
  rounds_of_minutes: and({ field: 'did.round', match: { mode: 'atLeast', threshold: 2 }, within: 'PT1M' }),
  no_login: and({ field: 'did.login', match: { mode: 'exactly', threshold: 0 }, within: 'PT1M' }),
  big_deposit: and({
    field: 'did.payment',
    match: { mode: 'atLeast', threshold: 1 },
    within: 'P2D',
    value: and(compare('base_amount', '>=', 50)),
  }),
  since: and(compare('trait.login_last_at', 'after', '2026-01-01')),
  days_since: and(compare('trait.days_since_deposit', '>=', 1)),
  named: and(compare('profile.email', 'notNull', undefined)),
  may_write: and(compare('consent.Email', '=', true)),
  open: and(compare('block.Blocked', '!=', true)),
  tagged: and(compare('tag.vip', '=', true)),
  nested: and(compare('segment.tagged', '=', true), {
    combinator: 'or',
    rules: [compare('segment.login_minute', '=', true), compare('segment.depositors', '=', true)],
  }),
  ...oddCounts,
  balance_bands: {
    combinator: 'or',
    rules: Array.from({ length: 100 }, (_, n) => compare('trait.balance_real_money', 'between', [4 * n, 4 * n + 2])),
  },
  odd_custom: {
    combinator: 'or',
    rules: Array.from({ length: 60 }, (_, n) => ({
      field: 'did.custom',
      match: { mode: 'exactly', threshold: 2 * n + 1 },
    })),
  },
  everybody: and(),
};
/** The segments above, one that counts protected players, and one list. */
export const segmentCount = Object.keys(segmentRules).length + 2;

const players = 12;
const pauseMs = 150;
const consents = [{ type: 'Email', opted_in: true }];
const names = Array.from({ length: players }, (_, n) => `member-${n}`);

export interface SegmentLife {
  /** Resolves when the last change was acknowledged. */
  stop(): Promise<void>;
}

export async function liveInSegments(options: {
  installation: Installation;
  operator: SandboxOperator;
  traffic: Traffic;
  seed: string;
  signal: AbortSignal | undefined;
}): Promise<SegmentLife> {
  const { installation, operator, traffic, seed, signal } = options;
  const console = consoleOf(installation);
  for (const user of names) operator.books.addPlayer(user, { blocks: [], consents });
  await Promise.all(names.map((user_id) => traffic.publish(eventOf('registration', { user_id }))));
  await known(console, signal);
  for (const [code, rule] of Object.entries(segmentRules)) await make(console, { code, name: code, rule });
  const protectedToo = { code: 'protected_too', name: 'protected too', rule: and(), include_protected: true };
  await make(console, protectedToo);
  await make(console, { code: 'listed', name: 'listed', user_ids: names.slice(0, players / 2) });
  await inForce(console, signal);
  let stopped = false;
  const living = (async () => {
    const random = seededRandom(`${seed}/segments`);
    while (!stopped) {
      const user_id = names[random.whole(0, players - 1)] as string;
      const yes = random.chance(0.5);
      switch (random.pick(['tag', 'block', 'consent', 'login'] as const)) {
        case 'tag':
          await console.insist('tags', { user_id, tag: 'vip', action: yes ? 'add' : 'remove' });
          break;
        case 'block':
          operator.books.change(user_id, { blocks: [{ type: 'Blocked', active: yes, note: '' }] });
          await traffic.publish(eventOf('blocks_update', { user_id }));
          break;
        case 'consent':
          operator.books.change(user_id, { consents: [{ type: 'Email', opted_in: yes }] });
          await traffic.publish(eventOf('consents_update', { user_id }));
          break;
        case 'login':
          await traffic.publish(eventOf('login', { user_id }));
          break;
      }
      await delay(pauseMs, undefined, { signal });
    }
  })();
  // `stop` reports a failure; until then it is ignored.
  living.catch(() => {});
  return {
    stop: () => {
      stopped = true;
      return living;
    },
  };
}

async function make(console: Console, segment: { code: string; [field: string]: unknown }): Promise<void> {
  await console.post('segments', segment);
  await console.post(`segments/${segment.code}/publish`, {});
}

function known(console: Console, signal: AbortSignal | undefined): Promise<true> {
  const all = async () => {
    const found = await Promise.all(names.map((user) => console.get(`players/${user}`)));
    return found.every((one) => one !== undefined);
  };
  return until('the players of segments to be known', all, { limitMs: 60_000, everyMs: 100, signal });
}

function inForce(console: Console, signal: AbortSignal | undefined): Promise<true> {
  const all = async () => {
    const segments = await console.get<{ items: { state: string }[] }>('segments?limit=200');
    return segments?.items.filter(({ state }) => state === 'live').length === segmentCount;
  };
  return until('the segments to be in force', all, { limitMs: 60_000, everyMs: 100, signal });
}
