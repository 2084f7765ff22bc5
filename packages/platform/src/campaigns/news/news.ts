import type { Micros } from '@croupier/contracts';
import type { FactRow } from '@croupier/rules';

/*
 * News may start a run, or move one. A row is written in the transaction of its cause, and deleted in the transaction that
 * processes it.
 */
export type CampaignNews =
  | EventNews
  /** A transition of a segment that is not silent. */
  | { type: 'segment'; id: string; code: string; transition: 'entered' | 'left'; at: Micros }
  /** A call of `POST campaigns/:code/enter`. */
  | { type: 'api'; campaign_id: number; key: string; data: Readonly<Record<string, unknown>>; at: Micros }
  /** Something changed on which a rule wait depends; the rule is evaluated again. */
  | { type: 'changed'; what: ChangeKind; at: Micros }
  /** The player is excluded or blocked. */
  | { type: 'protected'; reason: string; at: Micros };

/** Changes without an event in the ledger. */
export type ChangeKind = 'message' | 'offer' | 'record' | 'segment' | 'tag';

export interface EventNews {
  type: 'event';
  /** The position of the event in the ledger. */
  id: string;
  /** Identifies what happened, so that two messages about one thing start one run. */
  key: string;
  /** The name that campaigns use: event-names.ts. */
  kind: string;
  at: Micros;
  received_at: Micros;
  row: FactRow;
  /**
   * False if the event is older than the brand's trigger age, as after an import. It then moves runs, but does not
   * start any.
   */
  starts: boolean;
}

/** A time of the campaign's schedule; `local` is the local clock time. */
export interface ScheduleCause {
  type: 'schedule';
  local: string;
  at: Micros;
}

/** The cause of a run; stored with the run. */
export type RunCause = Exclude<CampaignNews, { type: 'protected' | 'changed' }> | ScheduleCause;

/** Whether news can start a run; other news only moves runs. */
export function mayStart(news: CampaignNews): news is Exclude<CampaignNews, { type: 'protected' | 'changed' }> {
  return news.type !== 'protected' && news.type !== 'changed';
}

/** Identifies the cause: each cause starts at most one run of a campaign. */
export function causeKey(cause: RunCause): string {
  switch (cause.type) {
    case 'event':
      return `event ${cause.key}`;
    case 'segment':
      return `segment ${cause.id}`;
    case 'api':
      return `api ${cause.key}`;
    case 'schedule':
      return `schedule ${cause.local}`;
    default:
      return cause satisfies never;
  }
}
