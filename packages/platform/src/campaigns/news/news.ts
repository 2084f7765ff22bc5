import type { Micros } from '@croupier/contracts';
import type { FactRow } from '@croupier/rules';

/*
 * What may start a run, or move one. A row of it is written in the transaction of its cause, and deleted in the transaction of what follows
 * from it.
 */
export type CampaignNews =
  | EventNews
  /** A transition of a segment, not a silent one. */
  | { type: 'segment'; id: string; code: string; transition: 'entered' | 'left'; at: Micros }
  /** A call of `POST campaigns/:code/enter`. */
  | { type: 'api'; campaign_id: number; key: string; data: Readonly<Record<string, unknown>>; at: Micros }
  /** What rules that are waited for ask for changed: they are read again. */
  | { type: 'changed'; what: ChangeKind; at: Micros }
  /** The player is excluded or blocked. */
  | { type: 'protected'; reason: string; at: Micros };

/** What changes without an event of the ledger. */
export type ChangeKind = 'message' | 'offer' | 'record' | 'segment' | 'tag';

export interface EventNews {
  type: 'event';
  /** Its place in the ledger. */
  id: string;
  /** Names what happened, so that two messages about one thing start one run. */
  key: string;
  /** As campaigns name it: event-names.ts. */
  kind: string;
  at: Micros;
  received_at: Micros;
  row: FactRow;
  /** False: older than the brand's trigger age, as after an import. It moves runs and starts none. */
  starts: boolean;
}

/** A moment of the campaign's schedule; `local` is what the clock showed. */
export interface ScheduleCause {
  type: 'schedule';
  local: string;
  at: Micros;
}

/** What starts a run; kept with the run. */
export type RunCause = Exclude<CampaignNews, { type: 'protected' | 'changed' }> | ScheduleCause;

/** Whether news can start a run; the rest only moves runs. */
export function mayStart(news: CampaignNews): news is Exclude<CampaignNews, { type: 'protected' | 'changed' }> {
  return news.type !== 'protected' && news.type !== 'changed';
}

/** Names the cause: at most one run of a campaign for each. */
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
