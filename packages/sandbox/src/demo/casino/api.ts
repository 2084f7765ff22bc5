import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Wallet } from '../../operator/index.ts';
import { deposit, depositLimits } from './cashier.ts';
import type { Casino } from './casino.ts';
import { play, units } from './play.ts';
import { games, lines, stakes } from './slot.ts';

/**
 * The API of the casino's page on the casino's own server, below `/api/`. The session id is in a cookie that scripts cannot
 * read. `GET me` returns it to the page, which sets it as `window.sid` (docs/reference/interface.md, Endpoints D).
 *
 *   GET   casino     the games, and the players who can sign in
 *   GET   me         the signed-in player, and the wallet
 *   POST  sign-up {first_name, last_name, offers} | sign-in {user_id} | sign-out
 *   POST  deposits {amount, declined?}        whole euros
 *   POST  spins {game_id, stake}              stake in hundredths
 *   POST  exclusion {active}
 *   GET   events                              events about this player that were published to the platform
 */
export interface Page {
  casino: Casino;
  /** What the browser needs to know about the platform. */
  platform: { url: string; brand: string; test_user_id: string };
}

interface Visit extends Page {
  body: Record<string, unknown>;
  userAgent: string;
  sid: string | null;
  /** The signed-in player. Null if no player is signed in. */
  userId: string | null;
}

interface Answer {
  status?: number;
  body: unknown;
  /** The new session id for the cookie. Null deletes the cookie. */
  sid?: string | null;
}

const bodyLimit = 10_000;
const cookieName = 'casino_sid';
const platformUnavailable: Answer = {
  status: 503,
  body: { error: 'The platform is not available. Try again in a moment.' },
};

const actions: Record<string, (visit: Visit) => Answer> = {
  'GET casino': ({ casino, platform }) => ({
    body: {
      platform,
      players: casino.accounts.regulars,
      games: games.map(({ odds: _, ...game }) => game),
      lines,
      stakes,
      deposit_limits: depositLimits,
    },
  }),
  'GET me': me,
  'POST sign-up': (visit) => {
    const { accounts, events } = visit.casino;
    const first_name = keyOf(visit.body.first_name);
    const last_name = keyOf(visit.body.last_name);
    if (first_name === null || last_name === null)
      return refused('Please enter both names, with at most 40 letters each.');
    if (!events.hasRoom()) return platformUnavailable;
    const userId = accounts.signUp({ first_name, last_name, offers: visit.body.offers === true });
    if (userId === null) return { status: 503, body: { error: 'This casino is full. Restart the sandbox.' } };
    return signIn(visit, userId);
  },
  'POST sign-in': (visit) =>
    visit.casino.events.hasRoom() ? signIn(visit, String(visit.body.user_id ?? '')) : platformUnavailable,
  'POST sign-out': ({ casino, sid }) => {
    if (sid !== null) casino.accounts.signOut(sid);
    return { body: { signed_in: false }, sid: null };
  },
  'POST deposits': signedIn(({ casino, body }, userId) => {
    const { amount, declined } = body;
    const { least, most } = depositLimits;
    if (!Number.isInteger(amount) || Number(amount) < least || Number(amount) > most)
      return refused(`Deposit ${least} to ${most} euros, in whole euros.`);
    const { wallet, ...made } = deposit(casino, userId, Number(amount), declined === true);
    return { body: { ...made, wallet: present(wallet) } };
  }),
  'POST spins': signedIn(({ casino, body }, userId) => {
    const game = games.find((one) => one.game_id === body.game_id);
    const stake = stakes.find((one) => one === body.stake);
    if (game === undefined || stake === undefined) return refused('This game or stake does not exist.');
    const played = play(casino.books, casino.events, userId, game, stake);
    if (played === null) return refused('Not enough money in the wallet. Please deposit first.');
    return { body: { ...played, wallet: present(played.wallet) } };
  }),
  'POST exclusion': (visit) => {
    const { userId, body, casino } = visit;
    if (userId === null) return notSignedIn;
    casino.accounts.exclude(userId, body.active === true);
    return me(visit);
  },
  'GET events': ({ casino, userId }) =>
    userId === null ? notSignedIn : { body: { events: casino.events.of(userId), user_id: userId } },
};

const notSignedIn: Answer = { status: 401, body: { error: 'Please sign in first.' } };

/** Answers one call of the page. */
export async function handleApi(page: Page, req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const action = actions[`${req.method} ${path.slice('/api/'.length)}`];
  if (action === undefined) return send(res, { status: 404, body: { error: 'This call does not exist.' } });
  const body = req.method === 'GET' ? {} : await readJson(req);
  if (body === null) return send(res, refused('The value must be a JSON object.'));
  const sid = cookieOf(req);
  const userId = sid === null ? null : (page.casino.books.userOfSid(sid) ?? null);
  const userAgent = String(req.headers['user-agent'] ?? '');
  return send(res, action({ ...page, body, sid, userId, userAgent }));
}

function me({ casino, sid, userId }: Visit): Answer {
  const player = userId === null ? undefined : casino.books.player(userId);
  if (player === undefined) return { body: { signed_in: false } };
  const { user_id, first_name, last_name, is_excluded, is_blocked } = player.details;
  return {
    body: {
      signed_in: true,
      sid,
      user_id,
      first_name,
      last_name,
      is_excluded,
      is_blocked,
      wallet: present(player.wallet),
    },
  };
}

function signIn(visit: Visit, userId: string): Answer {
  const sid = visit.casino.accounts.signIn(userId, visit.userAgent);
  if (sid === null) return refused('There is no player with this name.');
  if (visit.sid !== null) visit.casino.accounts.signOut(visit.sid);
  return { ...me({ ...visit, sid, userId }), sid };
}

/**
 * Runs `act` only for a player who is signed in and neither excluded nor blocked, and only if the publisher has room for the
 * events.
 */
function signedIn(act: (visit: Visit, userId: string) => Answer): (visit: Visit) => Answer {
  return (visit) => {
    const details = visit.userId === null ? undefined : visit.casino.books.player(visit.userId)?.details;
    if (visit.userId === null || details === undefined) return notSignedIn;
    if (details.is_excluded || details.is_blocked)
      return {
        status: 403,
        body: { error: 'You have excluded yourself. You cannot play, and the casino does not contact you.' },
      };
    return visit.casino.events.hasRoom() ? act(visit, visit.userId) : platformUnavailable;
  };
}

function present(wallet: Wallet | undefined) {
  return { currency: wallet?.currency ?? 'EUR', real: units(wallet?.real ?? 0), bonus: units(wallet?.bonus ?? 0) };
}

function refused(error: string): Answer {
  return { status: 400, body: { error } };
}

function keyOf(value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim() : '';
  return name.length >= 1 && name.length <= 40 ? name : null;
}

function cookieOf(req: IncomingMessage): string | null {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{1,100})`).exec(req.headers.cookie ?? '')?.[1] ?? null;
}

/**
 * Returns null if the body is too large or is not a JSON object. The content type must be application/json, because a form on
 * another site cannot send that type.
 */
async function readJson(req: IncomingMessage): Promise<Record<string, unknown> | null> {
  if (!String(req.headers['content-type']).startsWith('application/json')) return null;
  let text = '';
  for await (const piece of req as AsyncIterable<Buffer>) {
    text += piece.toString('utf8');
    if (text.length > bodyLimit) return null;
  }
  try {
    const parsed: unknown = JSON.parse(text || '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function send(res: ServerResponse, { status = 200, body, sid }: Answer): void {
  const cookie = sid === undefined ? {} : { 'set-cookie': cookieText(sid) };
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...cookie });
  res.end(JSON.stringify(body));
}

function cookieText(sid: string | null): string {
  return `${cookieName}=${sid ?? ''}; Path=/; HttpOnly; SameSite=Strict${sid === null ? '; Max-Age=0' : ''}`;
}
