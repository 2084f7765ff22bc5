import type { Campaign } from './document.ts';
import type { Range } from './forecast.ts';

/** When a campaign halts automatically, until a person resumes it. An absent limit does not apply. */
export interface HaltLimits {
  /** Highest percentage of runs that fail, of all runs that ended or requested an effect. */
  failed?: number;
  /**
   * Highest percentage of runs with a withheld effect, of all runs that requested an effect. Players of the brand's control group
   * do not count.
   */
  withheld?: number;
  /** Highest percentage of players who withdraw a consent after they enter the campaign, of all players with a message. */
  unsubscribed?: number;
  /** Highest percentage of players who report a message as spam, of all players with a message. */
  complained?: number;
  /** Highest number of runs that enter within a day. A resume restarts the count; a new version or share does not. */
  entered_per_day?: number;
  /** Percentages are ignored until there are this many runs. Default: 50. */
  after?: number;
}

/**
 * The newest effects and ends of runs since the campaign was started or resumed, or its share changed. Runs that only wait do not
 * count.
 */
export interface HaltCounts {
  /** The number of runs that ended or requested an effect. `failed` counts those of them that failed. */
  ran: number;
  failed: number;
  /** The number of runs that requested an effect. `withheld` counts those of them with a withheld effect. */
  asked: number;
  withheld: number;
  /** The number of players with a message. `unsubscribed` counts those of them who withdrew a consent. */
  reached: number;
  unsubscribed: number;
  /** The number of players with a message who reported a message as spam. */
  complained: number;
  /** Runs that entered in the last day and since the last resume. Counting stops at one above the limit. */
  entered_in_a_day: number;
}

const usualAfter = 50;
/**
 * A campaign with a share below 100 percent has these limits, unless its document has others. Often, half of the players have no consent.
 * But if nearly all effects are withheld, the campaign has the wrong channel, purpose or budget.
 */
const limitsOfRamp: HaltLimits = { failed: 10, withheld: 90 };

/** Fewer entries than this are never worth a halt. */
const fewestPerDay = usualAfter;

/**
 * Proposes the limit `entered_per_day` from a forecast. It is twice the highest count: one of 40 days exceeds the forecast by chance, and
 * days before holidays do, too. It is rounded up to two digits. Pure.
 */
export function proposedEntriesPerDay(days: readonly Pick<Range, 'high'>[]): number {
  const most = 2 * Math.max(0, ...days.map(({ high }) => high));
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most))) - 1);
  return Math.max(fewestPerDay, Math.ceil(most / unit) * unit);
}

/** The limits of a campaign, or null if it never halts. @param share percent of the players who may enter */
export function haltLimits({ halt }: Pick<Campaign, 'halt'>, share: number): HaltLimits | null {
  return share < 100 ? { ...limitsOfRamp, ...halt } : (halt ?? null);
}

/** Why a campaign has to halt, as text for people; null if it continues. Pure. */
export function haltReason(limits: HaltLimits, counts: HaltCounts): string | null {
  const { after = usualAfter } = limits;
  const isAbove = (limit: number | undefined, count: number, all: number): limit is number =>
    limit !== undefined && all >= after && count * 100 > limit * all;
  const { failed, withheld, unsubscribed, complained, entered_per_day } = limits;
  if (isAbove(failed, counts.failed, counts.ran))
    return `${counts.failed} of ${counts.ran} runs failed; the limit is ${failed} percent`;
  if (isAbove(withheld, counts.withheld, counts.asked))
    return `${counts.withheld} of ${counts.asked} runs had an effect withheld; the limit is ${withheld} percent`;
  if (isAbove(unsubscribed, counts.unsubscribed, counts.reached))
    return `${counts.unsubscribed} of ${counts.reached} players withdrew a consent; the limit is ${unsubscribed} percent`;
  if (isAbove(complained, counts.complained, counts.reached))
    return `${counts.complained} of ${counts.reached} players reported a message as spam; the limit is ${complained} percent`;
  if (entered_per_day !== undefined && counts.entered_in_a_day > entered_per_day)
    return `more than ${entered_per_day} runs entered within a day; this is the limit`;
  return null;
}
