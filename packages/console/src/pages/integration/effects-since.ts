/** What the console API says of a player since an event; the fields that are needed here. */
export interface Followed {
  timeline: readonly TimelineEntry[];
  runs: readonly {
    run_id: number;
    campaign: string;
    state: string;
    reason: string | null;
    entered_at: string;
    cause: { type: string; id?: string };
    steps: readonly { id: string; state: string; at: string; reason: string | null }[];
  }[];
  decisions: readonly {
    decision_id: number;
    channel: string;
    purpose: string;
    outcome: string;
    reason: string | null;
    decided_at: string;
  }[];
}

interface TimelineEntry {
  type: string;
  at: string;
  [field: string]: unknown;
}

export interface Effect {
  key: string;
  at: string;
  /** `segment`, `run`, `decision`, `message`, `bonus`, or what else the timeline names. */
  kind: string;
  what: string;
  state?: string;
  reason?: string | null;
  /** Below the brand. */
  link?: string;
  /** True where the effect names the event as its cause. */
  isCausedByIt: boolean;
}

/** Entries of the timeline that are causes of their own, or that the runs and decisions tell in more detail. */
const notEffects: ReadonlySet<string> = new Set(['event', 'run', 'decision', 'staff']);

/** Pure: everything that followed an event, the earliest first. Later events of the player are left out: they are causes of their own. */
export function effectsSince(
  { timeline, runs, decisions }: Followed,
  event: { position: string; since: string },
): Effect[] {
  const isLater = (at: string) => Date.parse(at) >= Date.parse(event.since);
  const effects = [
    ...timeline
      .filter(({ type, at }) => !notEffects.has(type) && isLater(at))
      .map((entry) => ofTimeline(entry, event.position)),
    ...runs
      .filter(({ entered_at }) => isLater(entered_at))
      .flatMap((run): Effect[] => {
        const common = {
          kind: 'run',
          link: `campaigns/${run.campaign}`,
          isCausedByIt: isSame(run.cause.id, event.position),
        };
        return [
          {
            ...common,
            key: `run ${run.run_id}`,
            at: run.entered_at,
            what: run.campaign,
            state: run.state,
            reason: run.reason,
          },
          ...run.steps.map((step) => ({
            ...common,
            key: `run ${run.run_id} ${step.id} ${step.at}`,
            at: step.at,
            what: `${run.campaign} → ${step.id}`,
            state: step.state,
            reason: step.reason,
          })),
        ];
      }),
    ...decisions
      .filter(({ decided_at }) => isLater(decided_at))
      .map(
        (decision): Effect => ({
          key: `decision ${decision.decision_id}`,
          at: decision.decided_at,
          kind: 'decision',
          what: `${decision.channel}, ${decision.purpose}`,
          state: decision.outcome,
          reason: decision.reason,
          isCausedByIt: false,
        }),
      ),
  ];
  return effects.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.key.localeCompare(b.key));
}

function ofTimeline(entry: TimelineEntry, position: string): Effect {
  const { type, at } = entry;
  const base = { key: JSON.stringify(entry), at, kind: type, isCausedByIt: isSame(causeOf(entry), position) };
  const text = (...names: string[]) =>
    names
      .map((name) => entry[name])
      .filter(Boolean)
      .join(' ');
  const reason = text('reason') || text('source') || null;
  switch (type) {
    case 'segment':
      return { ...base, what: text('code'), state: text('transition'), link: `segments/${text('code')}` };
    case 'bonus_intent':
      return {
        ...base,
        kind: 'bonus',
        what: text('bonus_code', 'amount', 'currency'),
        state: text('state'),
        reason,
        link: `rewards/intents/${text('intent_id')}`,
      };
    case 'message':
      return { ...base, what: text('channel', 'event'), state: text('state'), reason };
    case 'refresh':
      return { ...base, what: text('look_up'), state: text('outcome'), reason };
    case 'change':
      return { ...base, what: text('changed'), state: text('state'), reason };
    default:
      return { ...base, what: text('kind', 'consent_type', 'tag', 'action'), reason };
  }
}

/** Causes name a position `1:2:3`, the feed names it `1-2-3`. */
function isSame(cause: unknown, position: string): boolean {
  return typeof cause === 'string' && cause.replaceAll(':', '-') === position;
}

function causeOf({ cause }: TimelineEntry): unknown {
  return typeof cause === 'object' && cause !== null && 'id' in cause ? cause.id : undefined;
}
