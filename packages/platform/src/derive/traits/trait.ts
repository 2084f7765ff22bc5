import type { DecimalText, Micros } from '@croupier/contracts';
import type { ActiveBonuses } from '../families/bonuses/index.ts';
import type { LastCart } from '../families/carts/index.ts';
import type { NamedKind } from '../families/named-events/index.ts';
import type { OutermostPayment, ShownPayment } from '../families/payments/index.ts';
import type { BiggestWin } from '../families/rounds/index.ts';
import type { Ranking } from '../totals/index.ts';
import type { Formula } from './formula.ts';

/** What kind of value a trait has. `breakdown` is a number or amount for each of several names, such as vendors. */
export type TraitKind = 'number' | 'amount' | 'ratio' | 'timestamp' | 'duration' | 'text' | 'breakdown';

/** What a trait is measured in. `timestamp` values are Micros; `base_currency` values are amounts in the brand's base currency. */
export type Unit = 'count' | 'base_currency' | 'ratio' | 'timestamp' | 'days' | 'years' | 'seconds' | 'id' | 'text';

/**
 * Numbers, days, seconds and timestamps are numbers; amounts and ratios exact decimal text; null where there is nothing to say
 * ("never").
 */
export type TraitValue = number | DecimalText | Readonly<Record<string, number | DecimalText>> | null;

/**
 * Which windows a trait has beside lifetime (docs/reference/decisions.md 3): `every` exists as <name>_24h, <name>_today, <name>_7d,
 * <name>_prev_7d and so on, 1 to 48 hours and 1 to 366 days; `favourite` as <name>_30d and <name>_90d.
 */
export type TraitWindows = 'every' | 'favourite' | 'lifetime';

/** One trait of the catalogue. The source says in data where its value comes from, so that it can be read in other ways, too. */
export interface Trait {
  readonly name: string;
  readonly kind: TraitKind;
  readonly unit: Unit;
  readonly windows: TraitWindows;
  /** One line, for people. */
  readonly meaning: string;
  /** How it is computed, in terms of events and fields, or of other traits. */
  readonly formula: string;
  readonly source: TraitSource;
  /** Tells who somebody is: masked for those who may not see personal data. */
  readonly personal?: true;
}

export type TraitSource =
  /** Columns of totals: the lifetime's for the trait itself, a window's for the trait with that window. */
  | { readonly from: 'totals'; readonly formula: Formula }
  /** A column of the group of rows that comes first in a ranking. */
  | { readonly from: 'favourite'; readonly family: string; readonly ranking: Ranking; readonly show: string }
  /** The group with the latest date. */
  | { readonly from: 'latest'; readonly family: string; readonly group: string; readonly date: string }
  /** A column of the lifetime, group by group. */
  | { readonly from: 'groups'; readonly family: string; readonly group: string; readonly column: string }
  /** Calendar days of the brand's time zone from the day of a moment until today; none once `unless` is the case. */
  | { readonly from: 'since'; readonly moment: MomentSource; readonly unless?: Deposited }
  /** Of the date of birth in the operator's details, today in the brand's time zone. */
  | { readonly from: 'birth'; readonly show: BirthShow }
  | { readonly from: 'fact'; readonly fact: PlayerFactName }
  | { readonly from: 'report'; readonly report: ReportName }
  /** What one payment shows, such as the first deposit. */
  | { readonly from: 'payment'; readonly payment: OutermostPayment; readonly show: keyof ShownPayment }
  /** Of the bonuses that the player has now; its next expiry is also that of an offer which the player may claim. */
  | { readonly from: 'active_bonuses'; readonly show: keyof ActiveBonuses }
  /** Of the latest cart that was bought. */
  | { readonly from: 'cart'; readonly show: Exclude<keyof LastCart, 'items'> }
  /** How many items of each name it had. */
  | { readonly from: 'cart_items' }
  /** Of the biggest casino win. */
  | { readonly from: 'biggest_win'; readonly show: BiggestWinShow }
  /** The last balance of a key, in the base currency. */
  | { readonly from: 'balance'; readonly key: BalanceKey }
  /** How many of the platform's messages: in all, and of each campaign. */
  | { readonly from: 'messages'; readonly event: MessageEvent }
  | { readonly from: 'messages_by_campaign'; readonly event: MessageEvent }
  /** How many custom events, or site events, of each name. */
  | { readonly from: 'named_events'; readonly kind: NamedKind };

/** Where a trait of kind timestamp comes from. */
export type MomentSource =
  | { readonly from: 'totals'; readonly formula: Formula }
  | { readonly from: 'fact'; readonly fact: PlayerFactName };

/** Whether the player has deposited: as counted, or as the operator reports. */
export interface Deposited {
  readonly formula: Formula;
  readonly report: ReportName;
}

/** What becomes of a message: it went out, the player's screen has shown it, the player has read it, the player has clicked it. */
export const messageEvents = ['received', 'shown', 'read', 'clicked'] as const;
export type MessageEvent = (typeof messageEvents)[number];
export type MessageCounts = Readonly<Record<MessageEvent, number>>;

export type BiggestWinShow = 'at' | 'game_id' | 'vendor_id' | 'multiplier' | 'days_since';

export type BirthShow = 'age' | 'birthday' | 'days_to_birthday';

export type PlayerFactName = 'registered_at' | 'first_event_at' | 'last_event_at';
export type ReportName = 'deposit_count' | 'withdraw_count';
export type BalanceKey = 'real_money' | 'bonus_money';

/** What is known of a player beside totals. */
export interface PlayerFacts {
  readonly facts: Readonly<Record<PlayerFactName, Micros | null>>;
  /** Of the operator's details, YYYY-MM-DD. */
  readonly birth_date: string | null;
  readonly reports: ReadonlyMap<ReportName, { value: number; at: Micros }>;
  readonly payments: ReadonlyMap<OutermostPayment, ShownPayment>;
  /** By campaign, '' for none; undefined where whoever asks did not bring them along. */
  readonly messages: ReadonlyMap<string, MessageCounts> | undefined;
  readonly activeBonuses: ActiveBonuses | undefined;
  readonly lastCart: LastCart | undefined;
  readonly biggestWin: BiggestWin | undefined;
  /** By key; operators may have more keys than those of traits. */
  readonly balances: ReadonlyMap<string, { value: DecimalText; at: Micros }>;
  /** Counts by the name of the event. */
  readonly namedEvents: Readonly<Record<NamedKind, ReadonlyMap<string, number>>>;
}
