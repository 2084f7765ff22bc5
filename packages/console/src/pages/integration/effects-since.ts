import { entryKey, type TimelineEntry } from '../player/timeline-words.ts';

/** The data of the console API about a player since an event. It has only the fields that are used here. */
export interface Followed {
  /** The entries of the timeline, without events, because other events have effects of their own. */
  timeline: readonly TimelineEntry[];
  runs: readonly {
    run_id: number;
    campaign: string;
    steps: readonly { id: string; state: string; at: string; reason: string | null }[];
  }[];
}

export interface Effect {
  key: string;
  entry: TimelineEntry;
  /** True if the event caused it, directly or through other effects. */
  isCausedByIt: boolean;
}

/**
 * Returns everything that followed an event, the earliest first. Pure.
 *
 * Causes form chains. The event changes a segment, and the segment starts a run of a campaign. The steps of the run
 * send a message and order a bonus, each after a decision. The chain is followed to its end.
 */
export function effectsSince(
  { timeline, runs }: Followed,
  event: { position: string; since: string },
): readonly Effect[] {
  const isLater = ({ at }: TimelineEntry) => Date.parse(at) >= Date.parse(event.since);
  const steps = runs.flatMap(({ run_id, campaign, steps }) =>
    steps.map(({ id, ...step }): TimelineEntry => ({ type: 'step', run_id, campaign, step: id, ...step })),
  );
  const entries = [...timeline, ...steps].filter(isLater);
  const known = new Set([`event ${event.position}`]);
  const caused = new Set<TimelineEntry>();
  for (let before = -1; before < caused.size; ) {
    before = caused.size;
    for (const entry of entries) {
      if (caused.has(entry) || !known.has(causeOf(entry) ?? '')) continue;
      caused.add(entry);
      for (const name of namesOf(entry)) known.add(name);
    }
  }
  // Entries of one transaction have the same time. Among them, a cause is sorted before its effects.
  const inOrder = [...caused];
  const placeOf = ({ entry }: Effect) => inOrder.indexOf(entry);
  return entries
    .map((entry) => ({
      key: entry.type === 'step' ? `step ${entry.run_id} ${entry.step} ${entry.at}` : entryKey(entry),
      entry,
      isCausedByIt: caused.has(entry),
    }))
    .sort((a, b) => compare(a.entry.at, b.entry.at) || placeOf(a) - placeOf(b) || compare(a.key, b.key));
}

/** Compares two keys or two moments. The platform writes all moments with the same number of digits. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the names by which other entries refer to this one as their cause. */
function namesOf(entry: TimelineEntry): string[] {
  switch (entry.type) {
    case 'segment':
      return [`segment ${entry.code}`];
    case 'run':
      return [`run ${entry.run_id}`, `campaign ${entry.campaign}`];
    case 'message':
      return [`message ${entry.message_id}`];
    case 'bonus_intent':
      return [`intent ${entry.intent_id}`];
    default:
      return [];
  }
}

/** Returns the name of the entry's cause, or undefined if the platform does not state it. */
function causeOf(entry: TimelineEntry): string | undefined {
  switch (entry.type) {
    case 'segment': {
      const { type, id } = entry.cause as { type: string; id?: string };
      return named(type, id);
    }
    case 'run':
      return named(String(entry.cause), entry.cause_id as string | null);
    case 'step':
      return `run ${entry.run_id}`;
    case 'decision': {
      const { kind, id } = entry.cause as { kind: string; id: string };
      // The cause of a run also names the step: `12/send`.
      return kind === 'run' ? `run ${id.split('/', 1)[0]}` : named(kind, id);
    }
    case 'message':
      return entry.campaign_id == null ? undefined : `campaign ${entry.campaign_id}`;
    case 'bonus_intent':
      return String(entry.created_by);
    case 'tag':
      return String(entry.by);
    default:
      return undefined;
  }
}

/** Returns the name of a cause. Causes write a position in the ledger as `1:2:3`, but the feed writes `1-2-3`. */
const named = (kind: string, id: string | null | undefined): string | undefined =>
  id == null ? undefined : `${kind} ${kind === 'event' ? id.replaceAll(':', '-') : id}`;
