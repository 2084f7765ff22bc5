import type { EventOf, MessageReport, Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';

/** One report about a message: a row of `message_event`. */
export interface Report {
  player_id: number;
  what: MessageReport;
  at: Micros;
  /**
   * Two reports are the same if their bodies are equal. The stage that writes reports to the ledger gives a repeated
   * report the body of the first.
   */
  fingerprint: string;
  event_id: string;
  channel: string;
  provider: string;
  /** Empty if the report has none. */
  message_id: string;
  campaign_id: string;
  reason: string;
  link: string;
}

/** When each thing first happened to a message: a row of `message_outcome`. */
export type MessageOutcome = {
  player_id: number;
  message_id: string;
  channel: string;
  campaign_id: string;
} & Record<`${MessageReport}_at`, Micros | null>;

const never: Record<`${MessageReport}_at`, Micros | null> = {
  delivered_at: null,
  shown_at: null,
  opened_at: null,
  clicked_at: null,
  bounced_at: null,
  complained_at: null,
  unsubscribed_at: null,
  replied_at: null,
  reached_at: null,
  not_reached_at: null,
};

export function reportOf(source: DerivedEvent<'message_event'>): Report {
  const { player_id, event } = source;
  const { timestamp: at, what, event_id, channel, provider } = event as EventOf<'message_event'>;
  const { message_id = '', campaign_id = '', reason = '', link = '' } = event as EventOf<'message_event'>;
  const fingerprint = fingerprintOf(source);
  return { player_id, what, at, fingerprint, event_id, channel, provider, message_id, campaign_id, reason, link };
}

/** The distinct reports of a batch. Pure. */
export function distinctReports(sources: readonly DerivedEvent<'message_event'>[]): Report[] {
  return [...new Map(sources.map((source) => [keyOf(reportOf(source)), reportOf(source)])).values()];
}

/** @param fresh keys of the reports that were not stored before */
export function repeatedReports(
  sources: readonly DerivedEvent<'message_event'>[],
  fresh: ReadonlySet<string>,
): Map<DerivedEvent, Verdict> {
  const seen = new Set<string>();
  const verdicts = new Map<DerivedEvent, Verdict>();
  for (const source of sources) {
    const key = keyOf(reportOf(source));
    if (!fresh.has(key) || seen.has(key)) verdicts.set(source, 'repeat');
    seen.add(key);
  }
  return verdicts;
}

export function keyOf({ player_id, fingerprint }: Pick<Report, 'player_id' | 'fingerprint'>): string {
  return `${player_id} ${fingerprint}`;
}

/**
 * What reports say about their messages. Only first times are stored, so their order does not matter. Reports of one
 * message have the same channel and campaign. If they ever differ, the text that sorts first is used.
 */
export function outcomesOf(reports: readonly Report[]): MessageOutcome[] {
  const outcomes = new Map<string, MessageOutcome>();
  for (const { player_id, message_id, channel, campaign_id, what, at } of reports) {
    if (message_id === '') continue;
    const key = `${player_id} ${message_id}`;
    const held = outcomes.get(key) ?? { player_id, message_id, channel, campaign_id, ...never };
    const before = held[`${what}_at`];
    outcomes.set(key, {
      ...held,
      channel: firstOf(held.channel, channel),
      campaign_id: firstOf(held.campaign_id, campaign_id),
      [`${what}_at`]: before === null ? at : Math.min(before, at),
    });
  }
  return [...outcomes.values()];
}

/** Compares ASCII texts as `least` of PostgreSQL does. */
function firstOf(a: string, b: string): string {
  return a <= b ? a : b;
}
