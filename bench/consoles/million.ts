import { setTimeout as delay } from 'node:timers/promises';
import type { Rule, RuleNode } from '@croupier/rules';
import { startSandboxOperator } from '@croupier/sandbox';
import { seededRules } from '../../packages/platform/testing/segments/seed-totals.ts';
import { consoleCall } from '../console-call.ts';
import { report } from '../figure.ts';
import { type BenchPlatform, startPlatform } from '../platform.ts';
import { openConsole } from './first-view.ts';
import { depositors, enteringPlayer, everybody, million } from './million-engagement.ts';
import { seedConsole } from './million-seed.ts';

/** `CONSOLE_PLAYERS` sets another number. */
const players = Number(process.env.CONSOLE_PLAYERS ?? 1_000_000);
const calls = 20;
const counts = 5;
const views = 5;
const viewMs = 1_500;
const listMs = 300;
const searchMs = 200;
const countMs = 1_000;
/** An open console reads the overview this often. Without pauses, the bench would mostly measure the waits of joined-reads.ts. */
const overviewEveryMs = 2_000;

/** Every list of the console whose rows grow with players or events, as its page first reads it. The overview is measured separately. */
const lists = [
  'feed',
  'feed?kind=payment',
  'feed?verdict=conflict',
  'latest/players',
  'latest/rounds',
  'players',
  'conflicts',
  'orphans',
  'rounds?unpriced=true',
  'rounds?open_longer_than=60',
  'parked',
  'quarantine?state=open',
  'decisions',
  'decisions?outcome=withheld',
  'decisions?reason=no_consent',
  'decisions?outcome=held',
  'transitions',
  'holds',
  'bonus-intents',
  'messages',
  'emails',
  'write-backs',
  'sync-problems',
  'too-old',
  'rollups',
  'games',
  'audit',
  // Few entries of the audit have this action.
  'audit?action=key.revoked',
  'audit?account_id=0',
  'audit/filters',
  'bonus-intents/waiting',
  'called-messages?channel=sms',
  'message-recalls',
  'push-deliveries',
  'lists',
  'budgets',
  'bonus-list',
  'media',
  'templates',
  'segments',
  'campaigns',
  'bulk-actions',
  'campaigns?state=live',
  'erasures',
  'reconciliations',
  'resyncs',
  'rebuilds',
  'history',
  'draws',
  'tags',
  'channel-reports',
  'bonus-intents?bonus_code=WELCOME',
  'emails?campaign_id=million',
  'sent-messages',
  `segments/${everybody}/members`,
  `segments/${everybody}/transitions`,
  `segments/${everybody}/transitions/days`,
  `segments/${everybody}/versions`,
  `segments/${everybody}/differences`,
  `segments/${everybody}/overlap?other=${depositors}`,
  `segments/${everybody}/overlap?other=${depositors}&part=only`,
  `campaigns/${million}/runs`,
  `campaigns/${million}/runs?state=done`,
  `campaigns/${million}/runs?state=failed`,
  `campaigns/${million}/withheld`,
  `campaigns/${million}/results/players?outcome=clicked`,
  `campaigns/${million}/results/players?outcome=bounced`,
  `campaigns/${million}/steps/players?step=send&state=done`,
];
/** Whole computations, which have no limit: their pages show that they are running. */
const computations = [
  `segments/${depositors}/draft/difference`,
  `campaigns/${million}/results`,
  `campaigns/${million}/results/days`,
  'policies',
];
/** Lists of one player. */
const playerLists = [
  '',
  '/timeline',
  '/payments',
  '/rounds',
  '/sessions',
  '/bets',
  '/tickets',
  '/bonuses',
  '/carts',
  '/messages',
  '/bonus-intents',
  '/budgets',
  '/segments',
  '/runs',
  '/write-backs',
  '/balances',
  '/push-devices',
  '/contactability',
];

/** The text to search for a player, for each way of searching. */
const searches: Record<string, (one: Person) => string> = {
  'user_id, beginning': ({ user_id }) => user_id.slice(0, -1),
  'e-mail, whole': ({ email }) => email,
  'e-mail, three letters': ({ email }) => email.slice(0, 3),
  'phone number': ({ mobile_prefix, mobile }) => `+${mobile_prefix} ${mobile}`,
  'phone number without country': ({ mobile }) => mobile,
  'first and last name': ({ first_name, last_name }) => `${first_name} ${last_name}`,
  'last name': ({ last_name }) => last_name,
  nobody: () => 'zzqx',
};

interface Person {
  user_id: string;
  email: string;
  first_name: string;
  last_name: string;
  mobile_prefix: string;
  mobile: string;
}

/** Rules as people build them: those of segments-preview, and counts of events and facts. */
const rules: Record<string, Rule> = {
  ...Object.fromEntries(
    Object.entries(seededRules).map(([name, list]) => [
      name,
      { combinator: 'and', rules: list.map((one) => ({ ...one })) } satisfies Rule,
    ]),
  ),
  deposit_count_30d: only({ field: 'trait.deposit_count_30d', operator: '>=', value: 1 }),
  'deposits ever': only({ field: 'trait.deposit_sum', operator: '>=', value: '20' }),
  'casino bets of a week': only({ field: 'trait.casino_bet_sum_7d', operator: '>', value: '5' }),
  'casino result of 90 days': only({ field: 'trait.casino_ggr_90d', operator: '<', value: '0' }),
  'two payments in 30 days': only({
    field: 'did.payment',
    match: { mode: 'atLeast', threshold: 2 },
    within: 'P30D',
  }),
  'a payment of 40 or more': only({
    field: 'did.payment',
    match: { mode: 'atLeast', threshold: 1 },
    within: 'P30D',
    value: only({ field: 'base_amount', operator: '>=', value: 40 }),
  }),
  'no login in 30 days': only({ field: 'did.login', match: { mode: 'exactly', threshold: 0 }, within: 'P30D' }),
  'five rounds in 30 days': only({ field: 'did.round', match: { mode: 'atLeast', threshold: 5 }, within: 'P30D' }),
  'a bet in 30 days': only({ field: 'did.bet', match: { mode: 'atLeast', threshold: 1 }, within: 'P30D' }),
  'three conditions': {
    combinator: 'and',
    rules: [
      { field: 'trait.deposit_count_30d', operator: '>=', value: 1 },
      { field: 'profile.country', operator: 'in', value: ['MT', 'SE'] },
      { field: 'trait.casino_bet_count_7d', operator: '>=', value: 1 },
    ],
  },
};

function only(rule: RuleNode): Rule {
  return { combinator: 'and', rules: [rule] };
}

/*
 * The console with 1,000,000 players and 20,000,000 facts: each list, the search of players, the count of rules, and what a person
 * sees first. Every player is a copy of one who really played (million-seed.ts).
 */
export async function benchConsoleMillion({ smoke }: { smoke: boolean }): Promise<boolean> {
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  operator.books.addPlayer(enteringPlayer, { blocks: [], consents: [{ type: 'SiteNotification', opted_in: true }] });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url, folder: process.env.CONSOLE_DATA });
  const bench = 'console-million';
  const verdicts: (boolean | undefined)[] = [];
  const judge = async (
    figure: string,
    at_most: number | undefined,
    measure: (n: number) => Promise<number>,
    times = calls,
  ) => {
    const took: number[] = [];
    for (let n = 0; n < times; n++) took.push(await measure(n));
    took.sort((a, b) => a - b);
    report({ bench, figure: `${figure}, p50`, value: quantile(took, 0.5), unit: 'ms' });
    const p95 = { bench, figure: `${figure}, p95`, value: quantile(took, 0.95), unit: 'ms' };
    verdicts.push(report(at_most === undefined ? p95 : { ...p95, at_most }));
  };
  try {
    const startedAt = performance.now();
    const stored = await seedConsole(platform, smoke ? 2_000 : players);
    report({ bench, figure: 'seeding', value: (performance.now() - startedAt) / 1_000, unit: 's' });
    for (const [figure, value] of Object.entries(stored)) report({ bench, figure, value, unit: 'rows' });
    const people = await somePeople(platform);
    const one = (n: number) => people[n % people.length] as Person;
    const browser = await openConsole(platform);
    try {
      await judge('first view: Now', viewMs, () => browser.view('now'), views);
      const page = (n: number) => `players/${encodeURIComponent(one(n).user_id)}`;
      await judge('first view: player', viewMs, (n) => browser.view(page(n)), views);
    } finally {
      await browser.stop();
    }
    await judge('overview', listMs, async () => {
      await delay(overviewEveryMs);
      return timed(platform, 'GET', 'overview');
    });
    for (const list of lists) await judge(list, listMs, () => timed(platform, 'GET', list));
    for (const path of computations) await judge(path, undefined, () => timed(platform, 'GET', path), counts);
    for (const list of playerLists) {
      const path = (n: number) => `players/${encodeURIComponent(one(n).user_id)}${list}`;
      await judge(`player${list}`, listMs, (n) => timed(platform, 'GET', path(n)));
    }
    await judge('audit?user_id', listMs, (n) =>
      timed(platform, 'GET', `audit?user_id=${encodeURIComponent(one(n).user_id)}`),
    );
    const positions = await newestEvents(platform);
    const event = (n: number) => `feed/${positions[n % positions.length]}`;
    await judge('event', listMs, (n) => timed(platform, 'GET', event(n)));
    await judge('event/traits', listMs, (n) => timed(platform, 'GET', `${event(n)}/traits`));
    await judge('event/effects', listMs, (n) => timed(platform, 'GET', `${event(n)}/effects`));
    for (const [name, textOf] of Object.entries(searches)) {
      const search = (n: number) => timed(platform, 'POST', 'players/find', { search: textOf(one(n)) });
      await judge(`search: ${name}`, searchMs, search);
    }
    for (const [name, rule] of Object.entries(rules))
      await judge(`count: ${name}`, countMs, () => timed(platform, 'POST', 'rules/preview', { rule }), counts);
    return smoke || !verdicts.includes(false);
  } finally {
    await platform.stop();
    await operator.stop();
  }
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

async function timed(...call: Parameters<typeof consoleCall>): Promise<number> {
  const startedAt = performance.now();
  await consoleCall(...call);
  return performance.now() - startedAt;
}

/**
 * The positions of the newest events of the first players, who really played. The traits of an event need the bodies of all earlier
 * events of its player, and copies of players have none of their own.
 */
async function newestEvents(platform: BenchPlatform): Promise<string[]> {
  const { rows } = await platform.pool.query<{ user_id: string }>(
    'select user_id from player order by player_id limit $1',
    [calls],
  );
  const positions: string[] = [];
  for (const { user_id } of rows) {
    const path = `feed?user_id=${encodeURIComponent(user_id)}&limit=1`;
    const { items } = await consoleCall<{ items: { position: string }[] }>(platform, 'GET', path);
    for (const { position } of items) {
      const { why } = await consoleCall<{ why: string | null }>(platform, 'GET', `feed/${position}/traits`);
      if (why === null) positions.push(position);
    }
  }
  if (positions.length === 0) throw new Error('no event of these players has traits before and after');
  return positions;
}

/** Returns players at evenly spaced positions in the table of players. */
async function somePeople({ pool }: BenchPlatform): Promise<Person[]> {
  const { rows } = await pool.query<Person>(
    `select user_id, email, first_name, last_name, mobile_prefix, mobile
     from generate_series(0, $1::int - 1) n cross join lateral (
       select * from player join player_profile using (player_id)
       where player_id >= (select min(player_id) + (max(player_id) - min(player_id)) / $1 * n from player)
       order by player_id limit 1) p`,
    [calls],
  );
  return rows;
}
