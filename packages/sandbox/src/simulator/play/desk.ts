import type { PlayerChanges } from '../../operator/index.ts';
import type { Casino } from '../casino.ts';
import { asNumber, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';

/** The front desk: registrations, logins and logouts, changes of details, consents and blocks, balances, custom events. */

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
] as const;

const exclusionDays = [1, 7, 30] as const;
const day = 86_400;

export function arrive(casino: Casino, player: CasinoPlayer): void {
  const { random, books, truth, plays } = casino;
  const at = casino.stamp('registration');
  books.addPlayer(player.user_id, {
    details: {
      currency: player.currency,
      origin: player.origin,
      ...(player.registers ? { registration_date: at.text } : {}),
    },
    wallet: { currency: player.currency, real: player.registers ? 0 : random.whole(0, 200) * 100, bonus: 0 },
  });
  player.known = true;
  if (!player.registers) return;

  truth.book(player.user_id).registered(at.at);
  const body = { ...where(casino), url_referer: 'https://affiliate.test/?c=42', origin: player.origin };
  casino.publish(player, 'registration', { timestamp: at.text, ...body });
  if (plays('restamped')) {
    casino.later(random.skewed(90, 1800), () => {
      const again = casino.stamp('registration', at.at);
      casino.publish(player, 'registration', { timestamp: again.text, ...body }, { label: 'restamped' });
    });
  }
}

export function logIn(casino: Casino, player: CasinoPlayer): void {
  const { books, truth } = casino;
  const impersonated = casino.plays('impersonated');
  const stamp = casino.stamp('login', player.lastLoginAt);
  player.lastLoginAt = stamp.at;
  truth.book(player.user_id).logins.loggedIn(stamp.at, impersonated);
  player.sid = `sid-${player.user_id}-${casino.nextNumber()}`;
  books.signIn(player.user_id, player.sid);
  casino.publish(player, 'login', {
    timestamp: stamp.text,
    ...where(casino),
    origin: player.origin,
    ...(impersonated ? { is_impersonated: true } : casino.random.chance(0.5) ? { is_impersonated: false } : {}),
  });
}

export function logOut(casino: Casino, player: CasinoPlayer): void {
  if (player.sid !== null) casino.books.signOut(player.sid);
  player.sid = null;
  const { at, text: timestamp } = casino.stamp('logout', player.lastNoticeAt);
  player.lastNoticeAt = at;
  casino.truth.book(player.user_id).logins.loggedOut();
  casino.publish(player, 'logout', { timestamp, origin: player.origin });
}

export function changeDetails(casino: Casino, player: CasinoPlayer): void {
  const { random, books } = casino;
  const change: PlayerChanges['details'] = random.pick([
    { mobile: String(random.whole(100_000_000, 999_999_999)) },
    { verified_at: new Date(casino.now() / 1000).toISOString() },
    { segmentation: { vip_level: random.whole(0, 5), special_segmentation: 'weekend' } },
  ]);
  books.change(player.user_id, { details: change ?? {} });
}

export function changeConsents(casino: Casino, player: CasinoPlayer): void {
  const { random, books } = casino;
  const type = random.pick(['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification']);
  const now = books.player(player.user_id)?.consents.find((consent) => consent.type === type);
  books.change(player.user_id, { consents: [{ type, opted_in: !(now?.opted_in ?? false) }] });
}

/**
 * Blocks a player for some days, because the player takes a break, or staff block the account. The block ends
 * automatically. A blocked player does not play.
 */
export function block(casino: Casino, player: CasinoPlayer): void {
  const { random, books } = casino;
  const type = random.pick(['Excluded', 'Blocked']);
  const note = type === 'Excluded' ? 'self-exclusion' : 'documents under review';
  const seconds = random.pick(exclusionDays) * day;
  books.change(player.user_id, { blocks: [{ type, active: true, note }] });
  casino.later(seconds, () => {
    books.change(player.user_id, { blocks: [{ type, active: false, note: '' }] });
  });
}

/** Publishes that a record of the player has changed. The listener of the records calls it (`simulation.ts`). */
export function publishChange(casino: Casino, player: CasinoPlayer, what: 'details' | 'consents' | 'blocks'): void {
  const kind = what === 'details' ? 'user_update' : what === 'consents' ? 'consents_update' : 'blocks_update';
  casino.publish(player, kind, { timestamp: casino.stamp(kind).text, origin: player.origin });
}

export function publishBalances(casino: Casino, player: CasinoPlayer): void {
  const { at, text: timestamp } = casino.stamp('balances', player.lastNoticeAt);
  player.lastNoticeAt = at;
  const wallet = casino.books.player(player.user_id)?.wallet;
  if (wallet === undefined) return;
  const rate = casino.rate(player.currency, at);
  const { notices } = casino.truth.book(player.user_id);
  const balance = (key: string, amount: number) => {
    notices.balance(key, at, Math.max(0, amount), player.currency, rate);
    return {
      amount: asNumber(Math.max(0, amount)),
      currency: player.currency,
      key,
      exchange_rate: rateAsNumber(rate),
    };
  };
  const balances = [balance('real_money', wallet.real), balance('bonus_money', wallet.bonus)];
  casino.publish(player, 'balances', { origin: player.origin, timestamp, balances });
}

export function publishCustom(casino: Casino, player: CasinoPlayer): void {
  const { random } = casino;
  const customEvent = random.pick([
    { notification_type: 'level_up', data: { level: random.whole(2, 40), product: 'Casino' } },
    {
      notification_type: 'tournament_joined',
      data: { tournament_id: `t-${random.whole(1, 9)}`, fee: 2.5, vip: false },
    },
    { notification_type: 'wheel_spun', data: { prize: random.pick(['none', 'cash']), count: random.whole(1, 3) } },
  ]);
  const { at, text: timestamp } = casino.stamp('custom', player.lastNoticeAt);
  player.lastNoticeAt = at;
  casino.truth.book(player.user_id).notices.custom(customEvent.notification_type);
  casino.publish(player, 'custom', { ...customEvent, origin: player.origin, timestamp });
}

function where(casino: Casino) {
  const { random } = casino;
  return { ip_address: `198.51.100.${random.whole(1, 254)}`, user_agent: random.pick(agents) };
}
