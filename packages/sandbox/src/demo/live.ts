import type { Operator } from '../operator/index.ts';
import { endpoints } from '../operator/index.ts';
import type { Publisher } from '../publisher/index.ts';
import type { DemoOptions } from './demo.ts';
import type { Traffic } from './traffic.ts';

/** Maximum number of players that the page lists. It also shows their total. The demo has 40 players, plus those who signed up. */
const playerLimit = 500;

/**
 * Returns the data of the page: traffic, the operator's calls, and a part of its records. The records are read again on each
 * request.
 */
export function liveView(demo: { operator: Operator; publisher: Publisher; traffic: Traffic; options: DemoOptions }) {
  const { operator, publisher, traffic, options } = demo;
  const { books, calls } = operator;
  return {
    platform_url: options.platformUrl,
    rate: options.rate,
    published: publisher.counts,
    under_way:
      publisher.counts.sent - publisher.counts.acknowledged - publisher.counts.refused - publisher.counts.given_up,
    recent: traffic.recent.map(({ at: _, body, ...message }) => ({ ...message, note: noteOf(body) })),
    calls: endpoints.map((name) => ({ endpoint: name, count: calls.count(name) })).filter((row) => row.count > 0),
    books: { ...books.counts(), offers: books.offers.length },
    rounds: traffic.rounds(),
    ...playersOf(books, traffic.activeUserIds()),
    credits: books.credits
      .slice(-5)
      .map(({ user_id, bonus_code, amount, currency }) => ({ user_id, bonus_code, amount, currency })),
  };
}

/** Returns players in the order of their newest message, newest first. Those without messages follow. */
function playersOf(books: Operator['books'], active: readonly string[]) {
  const players = [];
  const known = active.filter((userId) => books.player(userId) !== undefined);
  const userIds = new Set([...known, ...books.userIds()]);
  for (const userId of userIds) {
    if (players.length >= playerLimit) break;
    const player = books.player(userId);
    if (player === undefined) continue;
    const { first_name, last_name, country, is_blocked, is_excluded } = player.details;
    players.push({
      user_id: userId,
      name: `${first_name} ${last_name}`,
      country,
      state: is_excluded ? 'excluded' : is_blocked ? 'blocked' : 'active',
      consents: player.consents.filter((consent) => consent.opted_in).map((consent) => consent.type),
      wallet: { currency: player.wallet.currency, real: player.wallet.real / 100, bonus: player.wallet.bonus / 100 },
    });
  }
  return { players, players_total: userIds.size };
}

/** Returns type, status, amount and currency from the body of a message, as far as it contains them. */
function noteOf(body: string): string {
  try {
    const { status, type, amount, currency } = JSON.parse(body) as Record<string, unknown>;
    return [type, status, amount, currency]
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .join(' ');
  } catch {
    return 'malformed';
  }
}
