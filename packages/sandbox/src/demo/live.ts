import type { Operator } from '../operator/index.ts';
import { endpoints } from '../operator/index.ts';
import type { Publisher } from '../publisher/index.ts';
import type { Message } from '../simulator/index.ts';
import type { DemoOptions } from './demo.ts';

/** Maximum number of players on the page. The demo has 40, and those who signed up. */
const playerLimit = 500;

/**
 * Returns the data of the page: traffic, the operator's calls, and a part of its records. The records are read again on each
 * request.
 */
export function liveView(demo: { operator: Operator; publisher: Publisher; recent: Message[]; options: DemoOptions }) {
  const { operator, publisher, recent, options } = demo;
  const { books, calls } = operator;
  return {
    platform_url: options.platformUrl,
    rate: options.rate,
    published: publisher.counts,
    under_way:
      publisher.counts.sent - publisher.counts.acknowledged - publisher.counts.refused - publisher.counts.given_up,
    recent: recent.map(({ at: _, body, ...message }) => ({ ...message, note: noteOf(body) })),
    calls: endpoints.map((name) => ({ endpoint: name, count: calls.count(name) })).filter((row) => row.count > 0),
    books: { ...books.counts(), offers: books.offers.length },
    players: playersOf(books),
    credits: books.credits
      .slice(-5)
      .map(({ user_id, bonus_code, amount, currency }) => ({ user_id, bonus_code, amount, currency })),
  };
}

function playersOf(books: Operator['books']) {
  const players = [];
  for (const userId of books.userIds()) {
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
  return players;
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
