import type { DecimalText, Micros } from '@croupier/contracts';
import type { ActiveBonuses } from '../families/bonuses/index.ts';
import type { LastCart } from '../families/carts/index.ts';
import type { NamedKind } from '../families/named-events/index.ts';
import type { OutermostPayment, ShownPayment } from '../families/payments/index.ts';
import type { BiggestWin } from '../families/rounds/index.ts';
import type { Ranking } from '../totals/index.ts';
import type { Formula } from './formula.ts';

/** The type of a trait's value. `breakdown` is a number or amount for each of several names, such as vendors. */
export type TraitKind = 'number' | 'amount' | 'ratio' | 'timestamp' | 'duration' | 'text' | 'breakdown';

/**
 * The unit of a trait. `timestamp` values are Micros; `base_currency` values are amounts in the brand's base currency.
 */
export type Unit = 'count' | 'base_currency' | 'ratio' | 'timestamp' | 'days' | 'years' | 'seconds' | 'id' | 'text';

/**
 * Numbers, days, seconds and timestamps are numbers. Amounts and ratios are exact decimal text. Null means that there
 * is no value ("never").
 */
export type TraitValue = number | DecimalText | Readonly<Record<string, number | DecimalText>> | null;

/**
 * The windows of a trait besides lifetime (docs/reference/decisions.md 3): `every` exists as <name>_24h, <name>_today,
 * <name>_7d, <name>_prev_7d and so on, 1 to 48 hours and 1 to 366 days; `favorite` as <name>_30d and <name>_90d.
 */
export type TraitWindows = 'every' | 'favorite' | 'lifetime';

/**
 * One trait of the catalog. The source describes in data where its value comes from, so that other code can read it
 * in other ways.
 */
export interface Trait {
  readonly name: string;
  readonly kind: TraitKind;
  readonly unit: Unit;
  readonly windows: TraitWindows;
  /** What the trait means, in one line for people. */
  readonly meaning: string;
  /** How it is computed, in terms of events and fields, or of other traits. */
  readonly formula: string;
  readonly source: TraitSource;
  /** Personal data: masked for accounts that may not see it. */
  readonly personal?: true;
}

export type TraitSource =
  /** Columns of totals: the lifetime's for the trait itself, a window's for the trait with that window. */
  | { readonly from: 'totals'; readonly formula: Formula }
  /** A column of the first group of rows in a ranking. */
  | { readonly from: 'favorite'; readonly family: string; readonly ranking: Ranking; readonly show: string }
  /** The group with the latest date. */
  | { readonly from: 'latest'; readonly family: string; readonly group: string; readonly date: string }
  /** A column of the lifetime totals, per group. */
  | { readonly from: 'groups'; readonly family: string; readonly group: string; readonly column: string }
  /** Calendar days in the brand's time zone from the day of a moment until today; null if `unless` holds. */
  | { readonly from: 'since'; readonly moment: MomentSource; readonly unless?: Deposited }
  /** From the date of birth in the operator's details, as of today in the brand's time zone. */
  | { readonly from: 'birth'; readonly show: BirthShow }
  | { readonly from: 'fact'; readonly fact: PlayerFactName }
  | { readonly from: 'report'; readonly report: ReportName }
  /** A field of one payment, such as the first deposit. */
  | { readonly from: 'payment'; readonly payment: OutermostPayment; readonly show: keyof ShownPayment }
  /** From the bonuses that the player has now. `next_expiry_at` also covers offers that the player may claim. */
  | { readonly from: 'active_bonuses'; readonly show: keyof ActiveBonuses }
  /** From the latest cart that was bought. */
  | { readonly from: 'cart'; readonly show: Exclude<keyof LastCart, 'items'> }
  /** The number of items of each name in that cart. */
  | { readonly from: 'cart_items' }
  /** From the biggest casino win. */
  | { readonly from: 'biggest_win'; readonly show: BiggestWinShow }
  /** The last balance of a key, in the base currency. */
  | { readonly from: 'balance'; readonly key: BalanceKey }
  /** The number of the platform's messages: in total, and per campaign. */
  | { readonly from: 'messages'; readonly event: MessageEvent }
  | { readonly from: 'messages_by_campaign'; readonly event: MessageEvent }
  /** The number of custom events, or site events, per name. */
  | { readonly from: 'named_events'; readonly kind: NamedKind };

/** The source of a trait of kind timestamp. */
export type MomentSource =
  | { readonly from: 'totals'; readonly formula: Formula }
  | { readonly from: 'fact'; readonly fact: PlayerFactName };

/** Whether the player has deposited, by the platform's count or the operator's report. */
export interface Deposited {
  readonly formula: Formula;
  readonly report: ReportName;
}

/** What happens to a message: it was sent, the player's screen showed it, the player read it, the player clicked it. */
export const messageEvents = ['received', 'shown', 'read', 'clicked'] as const;
export type MessageEvent = (typeof messageEvents)[number];
export type MessageCounts = Readonly<Record<MessageEvent, number>>;

export type BiggestWinShow = 'at' | 'game_id' | 'vendor_id' | 'multiplier' | 'days_since';

export type BirthShow = 'age' | 'birthday' | 'days_to_birthday';

export type PlayerFactName = 'registered_at' | 'first_event_at' | 'last_event_at';
export type ReportName = 'deposit_count' | 'withdraw_count';
export type BalanceKey = 'real_money' | 'bonus_money';

/** What is known about a player besides totals. */
export interface PlayerFacts {
  readonly facts: Readonly<Record<PlayerFactName, Micros | null>>;
  /** From the operator's details, YYYY-MM-DD. */
  readonly birth_date: string | null;
  readonly reports: ReadonlyMap<ReportName, { value: number; at: Micros }>;
  readonly payments: ReadonlyMap<OutermostPayment, ShownPayment>;
  /** Counts of messages, keyed by campaign ('' means no campaign). Undefined if the caller did not provide them. */
  readonly messages: ReadonlyMap<string, MessageCounts> | undefined;
  readonly activeBonuses: ActiveBonuses | undefined;
  readonly lastCart: LastCart | undefined;
  readonly biggestWin: BiggestWin | undefined;
  /** Balances, keyed by their key. Operators may have more keys than those of traits. */
  readonly balances: ReadonlyMap<string, { value: DecimalText; at: Micros }>;
  /** Counts by the name of the event. */
  readonly namedEvents: Readonly<Record<NamedKind, ReadonlyMap<string, number>>>;
}
