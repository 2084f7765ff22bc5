import { fingerprint } from '@croupier/contracts';
import type { BrandSettings } from '../../../../src/brands/index.ts';
import type { CasinoBody, GameRoundBody, RoundBody } from './history.ts';

/*
 * A simple implementation of rounds, for tests. It computes them from all bodies of one player at once, and shares no code with
 * the incremental implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and
 * rates of history.ts.
 */

export interface PlainRound {
  ids: string;
  first_at: number;
  last_at: number;
  played: boolean;
  counted: boolean;
  closed: boolean;
  unpriced: boolean;
  bet_count: number;
  win_count: number;
  bet_sum: bigint;
  win_sum: bigint;
  conflicts: number;
  orphans: number;
  /** `Bet Approved a1 @5: in_force`, sorted. */
  activities: string[];
  message: number | null;
}

/** What all rounds add to totals, by `column vendor game at`: counts and sums in millionths, without zeros. */
export type PlainTotals = Map<string, bigint>;

/** One bet or win that counts. */
export interface PlainMoment {
  word: 'bet' | 'win';
  vendor_id: string;
  game_id: string;
  at: number;
  /** Null if the round is unpriced. */
  size: bigint | null;
  /** All bets of its round. */
  round_bet: bigint;
}

export interface PlainResult {
  rounds: PlainRound[];
  totals: PlainTotals;
  moments: PlainMoment[];
}

interface Plain {
  at: number;
  print: string;
}
type PlainActivity = CasinoBody & Plain & { status: string; state: string };
type PlainMessage = GameRoundBody & Plain;
interface PlainCluster {
  activities: PlainActivity[];
  messages: PlainMessage[];
}

const gap = 72 * 3_600_000_000;
const mostVersions = 20;
const fields = ['real_bet', 'bonus_bet', 'real_win', 'bonus_win'] as const;

export function plainRounds(brandId: number, bodies: readonly RoundBody[], settings: BrandSettings): PlainResult {
  const used = bodies.filter(({ kind }) => settings.rounds_from === 'auto' || settings.rounds_from === kind);
  const events = new Map(
    used.map((body) => {
      const { kind, ...fields } = body;
      const print = fingerprint(brandId, kind, fields);
      return [print, { ...body, print, at: Date.parse(body.timestamp) * 1000 }] as const;
    }),
  );
  const all = [...events.values()].sort((a, b) => a.at - b.at || (a.print < b.print ? -1 : 1));
  const activities = keptActivities(
    all.flatMap((event) =>
      event.kind === 'casino' ? [{ ...event, status: event.status ?? 'Approved', state: 'in_force' }] : [],
    ),
    settings,
  );
  const messages = all.flatMap((event) => (event.kind === 'gameround' ? [event] : []));
  const totals: PlainTotals = new Map();
  const moments: PlainMoment[] = [];
  const clusters = clustersOf(activities, messages);
  resolve(clusters, activities, settings);
  const rounds = clusters.map((cluster) => plainRound(cluster, settings.base_currency, totals, moments));
  for (const [name, value] of totals) if (value === 0n) totals.delete(name);
  return { rounds, totals, moments };
}

function keyOf(activity: PlainActivity, settings: BrandSettings): string {
  const fields: readonly string[] = settings.casino_activity_key;
  return [...new Set([...fields, 'status'])]
    .sort()
    .map((field) => String(activity[field as keyof PlainActivity]))
    .join('|');
}

function keptActivities(activities: readonly PlainActivity[], settings: BrandSettings): PlainActivity[] {
  return [...Map.groupBy(activities, (activity) => keyOf(activity, settings)).values()].flatMap((versions) => {
    const retained = [...new Map(versions.toReversed().map((version) => [moneyOf(version), version])).values()];
    const ordered = versions.filter((version) => retained.includes(version)).slice(0, mostVersions);
    for (const version of ordered.slice(1)) version.state = 'superseded';
    return ordered;
  });
}

function moneyOf({ amount, currency, exchange_rate }: CasinoBody): string {
  return `${amount} ${currency} ${currency === 'EUR' ? 1 : exchange_rate}`;
}

function idsOf({ vendor_id, game_id, round_id }: RoundBody): string {
  return `${vendor_id} ${game_id} ${round_id}`;
}

function clustersOf(activities: readonly PlainActivity[], messages: readonly PlainMessage[]): PlainCluster[] {
  const groups = Map.groupBy<string, PlainActivity | PlainMessage>([...activities, ...messages], idsOf);
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => a.at - b.at);
    const clusters: (PlainActivity | PlainMessage)[][] = [];
    for (const [i, event] of ordered.entries()) {
      const before = ordered[i - 1];
      if (before === undefined || event.at - before.at > gap) clusters.push([]);
      clusters.at(-1)?.push(event);
    }
    return clusters.map((cluster) => ({
      activities: cluster.flatMap((event) => (event.kind === 'casino' ? [event] : [])),
      messages: cluster
        .flatMap((event) => (event.kind === 'gameround' ? [event] : []))
        .sort((a, b) => a.at - b.at || (a.print < b.print ? -1 : 1)),
    }));
  });
}

function resolve(
  clusters: readonly PlainCluster[],
  activities: readonly PlainActivity[],
  settings: BrandSettings,
): void {
  const { rollback_by_round, casino_activity_key } = settings;
  const shared = (['round_id', 'game_id'] as const).filter((field) => casino_activity_key.includes(field));
  const groups = rollback_by_round
    ? clusters.flatMap((cluster) => [...Map.groupBy(cluster.activities, ({ type }) => type).values()])
    : Map.groupBy(activities, (a) =>
        [a.vendor_id, a.activity_id, a.type, ...shared.map((f) => a[f])].join('|'),
      ).values();
  for (const group of groups) {
    const standing = group.filter(({ state }) => state !== 'superseded');
    const hasRollback = standing.some(({ status }) => status === 'Rollback');
    const hasApproved = standing.some(({ status }) => status === 'Approved');
    for (const activity of standing) {
      if (activity.status === 'Approved') activity.state = hasRollback ? 'rolled_back' : 'in_force';
      else activity.state = hasApproved ? 'in_force' : 'orphan';
    }
  }
}

function plainRound(cluster: PlainCluster, base: string, totals: PlainTotals, moments: PlainMoment[]): PlainRound {
  const { activities, messages } = cluster;
  const any = (activities[0] ?? messages[0]) as RoundBody;
  const approved = activities.filter(({ status, state }) => status === 'Approved' && state !== 'superseded');
  const inForce = approved.filter(({ state }) => state === 'in_force');
  const message = messages[0];
  const priced = message === undefined ? null : price(message, approved, base);
  const unpriced = message !== undefined && priced === null;
  const times = approved.length > 0 ? approved : message !== undefined ? [message] : activities;
  const first_at = Math.min(...times.map(({ at }) => at));
  const sums = { bet: 0n, win: 0n };
  const counts = { bet: 0, win: 0 };
  const add = (column: string, at: number, value: bigint) => {
    const name = `${column} ${any.vendor_id} ${any.game_id} ${at}`;
    totals.set(name, (totals.get(name) ?? 0n) + value);
  };
  const own: PlainMoment[] = [];
  const count = (word: 'bet' | 'win', at: number, size: bigint) => {
    const { vendor_id, game_id } = any;
    add(`${word}_count`, at, 1n);
    const moment = { word, vendor_id, game_id, at, size: unpriced ? null : size, round_bet: 0n };
    own.push(moment);
    moments.push(moment);
  };
  for (const word of ['bet', 'win'] as const) {
    // A win of 0 does not count as a win.
    const own = inForce.filter(({ type, amount }) => type.toLowerCase() === word && (type === 'Bet' || amount > 0));
    const told = (part: 'real' | 'bonus') => message !== undefined && carries(message, `${part}_${word}`);
    const addSum = (part: string, at: number, value: bigint) => {
      if (unpriced) return;
      sums[word] += value;
      add(`${part}_${word}_sum`, at, value);
    };
    for (const activity of own) {
      const { real, bonus, locked } = split(activity);
      const rate = activity.currency === base ? 10_000n : BigInt(Math.round(activity.exchange_rate * 10_000));
      count(word, activity.at, (real + bonus + locked) * rate);
      if (!told('real')) addSum('real', activity.at, real * rate);
      if (!told('real')) addSum('locked', activity.at, locked * rate);
      if (!told('bonus')) addSum('bonus', activity.at, bonus * rate);
    }
    counts[word] = own.length;
    if (message === undefined) continue;
    // Money in the message belongs to the hour and day of the last bet or win.
    const moved = own.length === 0 ? message.at : Math.max(...own.map(({ at }) => at));
    for (const part of ['real', 'bonus'] as const) {
      if (priced !== null) addSum(part, moved, priced[`${part}_${word}`]);
    }
    const isMore = (['real', 'bonus'] as const).some((part) => {
      return (message[`${part}_${word}_user`] ?? 0) > 0 || (message[`${part}_${word}_base`] ?? 0) > 0;
    });
    if (own.length === 0 && isMore) {
      counts[word] = 1;
      count(word, message.at, priced === null ? 0n : priced[`real_${word}`] + priced[`bonus_${word}`]);
    }
  }
  for (const moment of own) moment.round_bet = sums.bet;
  const counted = inForce.length > 0 || message !== undefined;
  if (counted) add('round_count', first_at, 1n);
  return {
    ids: idsOf(any),
    first_at,
    last_at: approved.length === 0 && message !== undefined ? message.at : Math.max(...times.map(({ at }) => at)),
    played: approved.length > 0 || message !== undefined,
    counted,
    closed: message !== undefined || inForce.some(({ type, is_round_end }) => is_round_end || type === 'Loss'),
    unpriced,
    bet_count: counts.bet,
    win_count: counts.win,
    bet_sum: sums.bet,
    win_sum: sums.win,
    conflicts: activities.filter(({ state }) => state === 'superseded').length + contradictions(messages),
    orphans: activities.filter(({ state }) => state === 'orphan').length,
    activities: activities.map((a) => `${a.type} ${a.status} ${a.activity_id} ${a.amount} @${a.at}: ${a.state}`).sort(),
    message: message?.at ?? null,
  };
}

/** The number of versions of a message whose money differs from the version in force. Each run of messages is counted separately. */
function contradictions(messages: readonly PlainMessage[]): number {
  const money = (message: PlainMessage) =>
    [message.user_currency, ...fields.flatMap((part) => [message[`${part}_user`], message[`${part}_base`]])].join('|');
  const [first] = messages;
  if (first === undefined) return 0;
  let count = 0;
  let run: PlainMessage[] = [];
  const close = () => {
    count += [...new Set(run.map(money))].filter((other) => other !== money(first)).length;
    run = [];
  };
  for (const message of messages) {
    const last = run.at(-1);
    if (last !== undefined && message.at - last.at > gap) close();
    run.push(message);
  }
  close();
  return count;
}

function carries(message: PlainMessage, part: (typeof fields)[number]): boolean {
  return message[`${part}_user`] !== undefined || message[`${part}_base`] !== undefined;
}

/** Millionths of the base currency by part; null if one of them cannot be computed. */
function price(message: PlainMessage, approved: readonly PlainActivity[], base: string) {
  const { user_currency } = message;
  const known = approved
    .toSorted((a, b) => a.at - b.at || (a.print < b.print ? -1 : 1))
    .find((a) => a.currency === user_currency);
  const rate = user_currency === base ? 1 : known?.exchange_rate;
  const amounts = { real_bet: 0n, bonus_bet: 0n, real_win: 0n, bonus_win: 0n };
  for (const part of fields) {
    const user = message[`${part}_user`];
    const given = message[`${part}_base`];
    if (given !== undefined) amounts[part] = cents(given) * 10_000n;
    else if (user === undefined || user === 0) continue;
    else if (rate === undefined) return null;
    else amounts[part] = cents(user) * BigInt(Math.round(rate * 10_000));
  }
  return amounts;
}

/** In cents. A bet is split into bonus, then locked, as far as the amount reaches; a win into its parts if they add up. */
function split(activity: PlainActivity): { real: bigint; bonus: bigint; locked: bigint } {
  const amount = cents(activity.amount);
  const bonus = cents(activity.bonus_wager_amount ?? 0);
  const locked = cents(activity.locked_wager_amount ?? 0);
  if (activity.type === 'Win') {
    const fits = cents(activity.wager_amount ?? 0) + bonus + locked === amount;
    return fits ? { real: amount - bonus - locked, bonus, locked } : { real: amount, bonus: 0n, locked: 0n };
  }
  const ofBonus = least(bonus, amount);
  const ofLocked = least(locked, amount - ofBonus);
  return { real: amount - ofBonus - ofLocked, bonus: ofBonus, locked: ofLocked };
}

function cents(amount: number): bigint {
  return BigInt(Math.round(amount * 100));
}

function least(a: bigint, b: bigint): bigint {
  return [a, b].sort((x, y) => (x < y ? -1 : 1))[0] ?? a;
}
