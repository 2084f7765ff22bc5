import { balanceTraits } from './balances.ts';
import { bonusTraits } from './bonuses.ts';
import { cartTraits } from './carts.ts';
import { casinoTraits } from './casino.ts';
import { fundsTraits } from './funds.ts';
import { loginTraits } from './logins.ts';
import { lotteryTraits } from './lottery.ts';
import { messageTraits } from './messages.ts';
import { namedEventTraits } from './named-events.ts';
import { paymentTraits } from './payments.ts';
import { playTraits } from './play.ts';
import { playerTraits } from './player.ts';
import { sessionTraits } from './sessions.ts';
import { sportsTraits } from './sports.ts';
import type { Trait } from './trait.ts';

/** The traits of a family under their title. */
export interface TraitChapter {
  readonly title: string;
  readonly traits: readonly Trait[];
}

export const traitChapters: readonly TraitChapter[] = [
  { title: 'Player', traits: playerTraits },
  { title: 'Logins', traits: loginTraits },
  { title: 'Sessions', traits: sessionTraits },
  { title: 'Payments', traits: paymentTraits },
  { title: 'Balances', traits: balanceTraits },
  { title: 'All products', traits: playTraits },
  { title: 'Casino', traits: casinoTraits },
  { title: 'Sports', traits: sportsTraits },
  { title: 'Lottery', traits: lotteryTraits },
  { title: 'Bonuses', traits: bonusTraits },
  { title: 'Funds', traits: fundsTraits },
  { title: 'Carts', traits: cartTraits },
  { title: 'Custom events and site events', traits: namedEventTraits },
  { title: 'Messages', traits: messageTraits },
];

/**
 * All traits of a player: the one list that code, API, console and docs read. Windows and money terms are those of
 * docs/reference/decisions.md 3.
 */
export const traitCatalog: readonly Trait[] = traitChapters.flatMap(({ traits }) => traits);

/** Names of traits with personal data. */
export const personalTraits: ReadonlySet<string> = new Set(
  traitCatalog.filter(({ personal }) => personal === true).map(({ name }) => name),
);
