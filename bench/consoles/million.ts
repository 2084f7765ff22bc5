import { startSandboxOperator } from '@croupier/sandbox';
import { report } from '../figure.ts';
import { derivedRate } from '../load/derived-rate.ts';
import { adminToken, type BenchPlatform, startPlatform } from '../platform.ts';
import { seedPlayers, templatesOf } from '../seed-players.ts';

/** `CONSOLE_PLAYERS` sets another number. */
const players = Number(process.env.CONSOLE_PLAYERS ?? 1_000_000);
const calls = 20;
const listMs = 300;
const searchMs = 200;
const countMs = 1_000;

/** Every list of the console whose rows grow with players or events, as its page first reads it. */
const lists = [
  'overview',
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
];
/** Lists of one player. */
const playerLists = ['', '/timeline', '/payments', '/rounds', '/sessions', '/bets', '/tickets', '/bonuses', '/carts'];

const rules = [
  { field: 'trait.deposit_sum', operator: '>=', value: '20' },
  { field: 'trait.deposit_count_30d', operator: '>=', value: 1 },
  { field: 'trait.casino_bet_sum_7d', operator: '>', value: '5' },
];

/*
 * Lists of the console with 1,000,000 players and 20,000,000 facts: p95 of each list, of the search of players, and of the count of a rule.
 * Every player is a copy of one who really played (seed-players.ts).
 */
export async function benchConsoleMillion({ smoke }: { smoke: boolean }): Promise<boolean> {
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'bench' } });
  const platform = await startPlatform({ worker: true, operatorUrl: operator.url });
  const bench = 'console-million';
  try {
    await derivedRate(platform, { seconds: smoke ? 1 : 4, seed: 0 });
    const { rows } = await platform.pool.query<{ brand_id: number }>('select brand_id from brand');
    const brandId = rows[0]?.brand_id ?? 0;
    const templates = await templatesOf(platform.pool, brandId);
    const startedAt = performance.now();
    const count = smoke ? 5_000 : players;
    await seedPlayers(platform.pool, { brandId, templates, count, named: [] });
    await platform.pool.query('vacuum analyze');
    report({ bench, figure: 'seeding', value: (performance.now() - startedAt) / 1_000, unit: 's' });
    const known = await platform.pool.query<{ user_id: string }>(
      'select user_id from player where brand_id = $1 order by player_id desc limit $2',
      [brandId, calls],
    );
    const ids = known.rows.map(({ user_id }) => user_id);
    const verdicts: (boolean | undefined)[] = [];
    const judge = async (figure: string, at_most: number, call: (n: number) => Promise<Answer>) => {
      const value = await p95(call);
      verdicts.push(report({ bench, figure, value, unit: 'ms', at_most }));
    };
    for (const list of lists) await judge(list, listMs, () => get(platform, list));
    for (const list of playerLists) {
      const path = (n: number) => `players/${encodeURIComponent(ids[n % ids.length] ?? '')}${list}`;
      await judge(`player${list}`, listMs, (n) => get(platform, path(n)));
    }
    await judge('search', searchMs, (n) =>
      post(platform, 'players/find', { search: ids[n % ids.length]?.slice(0, -1) }),
    );
    for (const rule of rules)
      await judge(`count ${rule.field}`, countMs, () =>
        post(platform, 'rules/preview', { rule: { combinator: 'and', rules: [rule] } }),
      );
    return smoke || !verdicts.includes(false);
  } finally {
    await platform.stop();
    await operator.stop();
  }
}

interface Answer {
  status: number;
  text: string;
}

async function p95(call: (n: number) => Promise<Answer>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < calls; n++) {
    const startedAt = performance.now();
    const { status, text } = await call(n);
    times.push(performance.now() - startedAt);
    if (status === 200) continue;
    process.stderr.write(`${status} ${text}\n`);
    return Number.POSITIVE_INFINITY;
  }
  return times.toSorted((a, b) => a - b)[Math.floor(calls * 0.95) - 1] ?? 0;
}

const at = (platform: BenchPlatform, path: string) =>
  `http://127.0.0.1:${platform.port}/api/console/v1/brands/bench/${path}`;
const authorization = `Bearer ${adminToken}`;

async function get(platform: BenchPlatform, path: string): Promise<Answer> {
  const answer = await fetch(at(platform, path), { headers: { authorization } });
  return { status: answer.status, text: await answer.text() };
}

async function post(platform: BenchPlatform, path: string, body: unknown): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(at(platform, path), { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}
