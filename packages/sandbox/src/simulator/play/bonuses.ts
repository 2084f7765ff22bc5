import type { Credit } from '../../operator/index.ts';
import type { Casino } from '../casino.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';

/** Bonuses on their way from Created to one of their ends; the casino's own, and those that the platform credited. */

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

/** The casino grants a bonus of its own. */
export function grantBonus(casino: Casino, player: CasinoPlayer): void {
  const [bonus_id, bonus_code, type, product] = casino.random.pick(offers);
  const user_bonus_id = `own-${casino.nextNumber()}`;
  const amount = casino.random.whole(5, 100) * 100;
  casino.books.moveMoney(player.user_id, { bonus: amount });
  run(casino, player, { user_bonus_id, bonus_id, bonus_code, type, product, amount, lastAt: 0 });
}

/** The platform had a bonus credited: the same way, with the references of the call sent back (decisions.md 6). */
export function runCredited(casino: Casino, player: CasinoPlayer, credit: Credit): void {
  const offer = offers.find(([, code]) => code === credit.bonus_code) ?? offers[0];
  run(casino, player, {
    user_bonus_id: `${casino.idPrefix}${credit.user_bonus_id}`,
    bonus_id: offer[0],
    bonus_code: credit.bonus_code,
    type: credit.amount === null ? offer[2] : 'WagerFree',
    product: offer[3],
    amount: Math.round((credit.amount ?? 10) * 100),
    crm_references: references(credit.headers),
    lastAt: 0,
  });
}

function run(casino: Casino, player: CasinoPlayer, bonus: Bonus): void {
  const { random } = casino;
  tell(casino, player, bonus, 'Created', 0);
  casino.later(random.skewed(40, 900), () => tell(casino, player, bonus, 'Ongoing', 0));
  casino.later(random.skewed(5 * hour, 90 * hour), () => {
    const end = random.pick(['Completed', 'AutoCompleted', 'Forfeited', 'Expired', 'Lost']);
    const turned = end === 'Completed' || end === 'AutoCompleted' ? bonus.amount : 0;
    casino.books.moveMoney(player.user_id, { bonus: -bonus.amount, real: turned });
    tell(casino, player, bonus, end, turned);
  });
}

function tell(casino: Casino, player: CasinoPlayer, bonus: Bonus, status: string, turned: Hundredths): void {
  const { amount, lastAt, ...fields } = bonus;
  const stamp = casino.stamp('bonus', lastAt);
  bonus.lastAt = stamp.at;
  casino.tell(player, 'bonus', {
    ...fields,
    amount: asNumber(amount),
    bonus_turned_real: asNumber(turned),
    locked_amount: 0,
    required_wagering_amount: asNumber(amount * 30),
    currency: player.currency,
    exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
    origin: player.origin,
    status,
    timestamp: stamp.text,
  });
}

/** The names under which the headers come back; their prefix (`X-Crm-`) is the brand's choice. */
const referenceNames: Record<string, string> = {
  id: 'id',
  activityid: 'activity_id',
  actionid: 'action_id',
  actiongroupid: 'action_group_id',
  triggerhash: 'trigger_hash',
};

function references(headers: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const part = /^x-[a-z]+-([a-z]+)$/.exec(name)?.[1];
    const reference = part === undefined ? undefined : referenceNames[part];
    if (reference !== undefined) found[reference] = value;
  }
  return found;
}
