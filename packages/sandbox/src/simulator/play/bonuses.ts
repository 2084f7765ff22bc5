import { type Credit, referencesIn } from '../../operator/index.ts';
import type { Casino } from '../casino.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Label } from '../message.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';

/** The life cycle of bonuses from Created to an end state: the casino's own bonuses, and those that the platform credited. */

const offers = [
  ['901', 'WELCOME100', 'WelcomeBonus', 'Casino'],
  ['902', 'RELOAD50', 'ReloadBonus', 'Casino'],
  ['903', 'FREESPINS20', 'FreeSpins', 'Casino'],
  ['904', 'CASHBACK10', 'CashbackBonus', 'Sportsbook'],
] as const;

interface Bonus {
  user_bonus_id: string;
  bonus_id: string;
  bonus_code: string;
  type: string;
  product: string;
  amount: Hundredths;
  crm_references?: Record<string, string>;
  lastAt: number;
}

const hour = 3600;

/** Grants a bonus of the casino itself. */
export function grantBonus(casino: Casino, player: CasinoPlayer): void {
  const [bonus_id, bonus_code, type, product] = casino.random.pick(offers);
  const user_bonus_id = `own-${casino.nextNumber()}`;
  const amount = casino.random.whole(5, 100) * 100;
  casino.books.moveMoney(player.user_id, { bonus: amount });
  run(casino, player, { user_bonus_id, bonus_id, bonus_code, type, product, amount, lastAt: 0 });
}

/**
 * Runs a bonus that the platform credited through the same life cycle. Its events carry the references of the call
 * (docs/reference/decisions.md 6).
 */
export function runCredited(casino: Casino, player: CasinoPlayer, credit: Credit): void {
  const offer = offers.find(([, code]) => code === credit.bonus_code) ?? offers[0];
  run(casino, player, {
    user_bonus_id: `${casino.idPrefix}${credit.user_bonus_id}`,
    bonus_id: offer[0],
    bonus_code: credit.bonus_code,
    type: credit.amount === null ? offer[2] : 'WagerFree',
    product: offer[3],
    amount: Math.round((credit.amount ?? 10) * 100),
    crm_references: referencesIn(credit.headers),
    lastAt: 0,
  });
}

function run(casino: Casino, player: CasinoPlayer, bonus: Bonus): void {
  const { random, plays, books } = casino;
  step(casino, player, bonus, 'Created', 0);
  casino.later(random.skewed(40, 900), () => step(casino, player, bonus, 'Ongoing', 0));
  casino.later(random.skewed(5 * hour, 90 * hour), () => {
    const end = random.pick(['Completed', 'AutoCompleted', 'Forfeited', 'Expired', 'Lost']);
    const turned = end === 'Completed' || end === 'AutoCompleted' ? bonus.amount : 0;
    books.moveMoney(player.user_id, { bonus: -bonus.amount, real: turned });
    step(casino, player, bonus, end, turned);
    if (!plays('bonus_reversed')) return;
    casino.later(random.skewed(hour, 50 * hour), () => {
      books.moveMoney(player.user_id, { real: -turned });
      step(casino, player, bonus, 'Reversed', 0);
    });
  });
}

/** Records and publishes one step. Sometimes it also publishes a second message with the same timestamp and another amount. */
function step(casino: Casino, player: CasinoPlayer, bonus: Bonus, status: string, turnedReal: Hundredths): void {
  const { truth, plays, brand } = casino;
  const { amount, lastAt, ...fields } = bonus;
  const { at, text: timestamp } = casino.stamp('bonus', lastAt);
  bonus.lastAt = at;
  const rate = casino.rate(player.currency, at);
  const publish = (published: Hundredths, label: Label, plain: boolean) => {
    const body = {
      ...fields,
      amount: asNumber(published),
      bonus_turned_real: asNumber(turnedReal),
      locked_amount: 0,
      required_wagering_amount: asNumber(published * 30),
      currency: player.currency,
      exchange_rate: rateAsNumber(rate),
      origin: player.origin,
      status,
      timestamp,
    };
    return casino.publish(player, 'bonus', body, { label, plain });
  };
  const isContradicted = plays('conflict');
  const text = publish(amount, 'event', isContradicted);
  let amountInForce = amount;
  if (isContradicted) {
    const other = publish(amount + 100, 'conflict', true);
    if (fingerprint(brand.brand_id, 'bonus', other) < fingerprint(brand.brand_id, 'bonus', text)) amountInForce += 100;
  }
  const { user_bonus_id, product } = bonus;
  truth
    .book(player.user_id)
    .bonuses.step(user_bonus_id, product, { status, at, amount: amountInForce, turnedReal, rate });
}
