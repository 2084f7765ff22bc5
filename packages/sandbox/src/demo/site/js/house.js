/*
 * The page's state, and its calls to the casino's own server. Only the server has the key for publishing events; the browser
 * has only a cookie that scripts cannot read.
 */

/** Games, players, and the platform's address; see `GET /api/casino`. */
export const house = await call('GET', 'casino');

/** The signed-in player, and the wallet. */
export let me = await call('GET', 'me');

const listeners = new Set();
/** Registers a listener that is called after every change of `me`. */
export function whenChanged(listener) {
  listeners.add(listener);
}

function setMe(next) {
  me = next;
  for (const listener of listeners) listener(me);
}

async function call(method, path, body) {
  const answer = await fetch(`/api/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

export const signUp = async (names) => setMe(await call('POST', 'sign-up', names));
export const signIn = async (user_id) => setMe(await call('POST', 'sign-in', { user_id }));
export const signOut = async () => setMe(await call('POST', 'sign-out', {}));
export const exclude = async (active) => setMe(await call('POST', 'exclusion', { active }));
export const publishedEvents = () => call('GET', 'events');
export const spin = (game_id, stake) => call('POST', 'spins', { game_id, stake });

export async function deposit(amount, declined) {
  const made = await call('POST', 'deposits', { amount, declined });
  pay(made.wallet);
  return made;
}

/** Sets the wallet as last returned by the server. */
export function pay(wallet) {
  setMe({ ...me, wallet });
}

/** Loads `me` again: the platform may have credited a bonus, or the session may have ended elsewhere. */
export async function reloadMe() {
  const next = await call('GET', 'me').catch(() => me);
  if (JSON.stringify(next) !== JSON.stringify(me)) setMe(next);
}
