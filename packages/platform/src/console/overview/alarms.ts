import type { EventKind, Micros } from '@croupier/contracts';
import type { CampaignConcerns, SpoiledRuns } from '../../campaigns/index.ts';
import type { ProcessClock } from '../../chores/index.ts';
import { mostBodies, type QuarantineRemovals } from '../../ingest/index.ts';
import type { LocalizedText } from '../../language.ts';
import type { segmentFailures } from '../../segments/membership/index.ts';
import { type PushConcerns, pushAlarms } from '../push/push-concerns.ts';
import { alarmText, alarmTexts } from './alarm-texts.ts';
import { campaignAlarms, spoiledRunAlarms } from './campaign-alarms.ts';
import { clockAlarms } from './clock-alarms.ts';
import { isOwnKind, isSerious, type Note } from './event-notes.ts';
import { type MoneyConcerns, moneyAlarms } from './money-concerns.ts';
import { kindIn } from './note-texts.ts';
import { type OperatorAlarmFacts, operatorAlarms } from './operator-alarms.ts';

/** Something that a person should look at now. One line on the overview, most urgent first. */
export interface Alarm {
  code: string;
  severity: 'critical' | 'warning';
  message: LocalizedText;
  /** When it began, if known. */
  since: Micros | null;
  /**
   * The list behind the alarm, below /api/console/v1/brands/:brand. The console must have a page for it (ui/page-of-list.ts). Null for an
   * alarm about a process, which no list contains.
   */
  list: string | null;
}

/** Bonus intents that have not ended, by state. */
export type WaitingIntents = readonly { state: string; count: number; oldest_at: Micros | null }[];

export interface AlarmFacts extends OperatorAlarmFacts {
  now: Micros;
  /** The clocks of all processes of the installation. */
  clocks: readonly ProcessClock[];
  /** Receipt of the oldest event that derive has not processed; null if there is none. */
  oldest_pending_at: Micros | null;
  quarantined: number;
  /** Items that the quarantine will delete soon. */
  removals: QuarantineRemovals;
  parked_players: number;
  segments: Awaited<ReturnType<typeof segmentFailures.ofBuckets>>;
  segment_players: Awaited<ReturnType<typeof segmentFailures.ofPlayers>>;
  players_not_synchronized: number;
  intents: WaitingIntents;
  money: MoneyConcerns;
  push: PushConcerns;
  campaigns: CampaignConcerns;
  spoiled_runs: readonly SpoiledRuns[];
  messages: { held: number; oldest_at: Micros | null };
  write_backs: { waiting: number; oldest_waiting_at: Micros | null; failing: number; contradicted: number };
  kinds: readonly {
    kind: EventKind;
    /** Number of events in the last 24 hours. */
    events: number;
    last_received_at: Micros | null;
    notes: readonly Note[];
  }[];
}

const second: Micros = 1_000_000;
const minute: Micros = 60 * second;
const day: Micros = 24 * 60 * minute;

/** The path from receipt to profile should take less than a second; above these values a person must be alerted. */
const lagWarning: Micros = 5 * second;
const lagCritical: Micros = minute;

/** Kinds with fewer events a day naturally have long pauses. */
const silenceNeedsEvents = 100;
/** Silent means no event for this many usual gaps, and at least half an hour, because nights are quieter than days. */
const silentGaps = 20;
const silentAtLeast: Micros = 30 * minute;

const noteCodes: Partial<Record<Note['code'], string>> = {
  late: 'late_events',
  conflicts: 'conflicts',
  orphans: 'orphans',
  zoneless_shifted: 'zoneless_shifted',
  no_partner: 'no_partner',
  unpriced_rounds: 'unpriced_rounds',
  endless_round: 'endless_round',
};

/** Decides which alarms to raise. Pure; the same facts give the same alarms in the same order. */
export function alarmsOf(facts: AlarmFacts): Alarm[] {
  const alarms = [
    ...clockAlarms(facts.clocks),
    ...lagAlarm(facts),
    ...waitingAlarms(facts),
    ...segmentAlarms(facts),
    ...operatorAlarms(facts, facts.now),
    ...syncAlarms(facts),
    ...writeBackAlarms(facts),
    ...messageAlarms(facts),
    ...pushAlarms(facts.push),
    ...intentAlarms(facts),
    ...moneyAlarms(facts.money),
    ...campaignAlarms(facts.campaigns),
    ...spoiledRunAlarms(facts.spoiled_runs),
    ...kindAlarms(facts),
  ];
  return alarms.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity }: Alarm): number {
  return severity === 'critical' ? 0 : 1;
}

function lagAlarm({ now, oldest_pending_at }: AlarmFacts): Alarm[] {
  if (oldest_pending_at === null || now - oldest_pending_at < lagWarning) return [];
  const lag = now - oldest_pending_at;
  return [
    {
      code: 'lag',
      severity: lag >= lagCritical ? 'critical' : 'warning',
      message: alarmText((texts) => texts.lag(Math.round(lag / second))),
      since: oldest_pending_at,
      list: '/feed?verdict=pending',
    },
  ];
}

function segmentAlarms({ segments, segment_players }: AlarmFacts): Alarm[] {
  const alarms: Alarm[] = [];
  const { buckets, since, reason } = segments;
  if (buckets.length > 0) {
    const message = alarmText((texts) => texts.segmentsFailing(buckets.length, reason));
    alarms.push({ code: 'segments_failing', severity: 'critical', message, since, list: '/segments' });
  }
  const { players } = segment_players;
  if (players > 0) {
    const message = alarmText((texts) => texts.segmentPlayersFailing(players, segment_players.reason));
    const { since } = segment_players;
    alarms.push({ code: 'segment_players_failing', severity: 'critical', message, since, list: '/segment-failures' });
  }
  return alarms;
}

function waitingAlarms({ quarantined, parked_players, removals }: AlarmFacts): Alarm[] {
  const alarms: Alarm[] = [];
  if (parked_players > 0) {
    alarms.push({
      code: 'parked',
      severity: 'critical',
      message: alarmText((texts) => texts.parked(parked_players)),
      since: null,
      list: '/parked',
    });
  }
  if (quarantined > 0) {
    alarms.push({
      code: 'quarantine',
      severity: 'warning',
      message: alarmText((texts) => texts.quarantine(quarantined)),
      since: null,
      list: '/quarantine?state=open',
    });
  }
  if (removals.expiring > 0) {
    alarms.push({
      code: 'quarantine_expiring',
      severity: 'warning',
      message: alarmText((texts) => texts.quarantineExpiring(removals.expiring)),
      since: null,
      list: '/quarantine?state=open',
    });
  }
  const { nearly_full } = removals;
  if (nearly_full !== null) {
    alarms.push({
      code: 'quarantine_full',
      severity: 'warning',
      message: alarmText((texts) => texts.quarantineFull(nearly_full, mostBodies)),
      since: null,
      list: '/quarantine?state=open',
    });
  }
  return alarms;
}

function syncAlarms({ players_not_synchronized }: AlarmFacts): Alarm[] {
  const alarms: Alarm[] = [];
  if (players_not_synchronized > 0) {
    alarms.push({
      code: 'sync_problems',
      severity: 'warning',
      message: alarmText((texts) => texts.lookUps(players_not_synchronized)),
      since: null,
      list: '/sync-problems',
    });
  }
  return alarms;
}

/** A write should take a second, plus some retries. After 10 minutes, players are waiting too long for their changes. */
const writesLateAfter: Micros = 10 * minute;

/** Most unknown calls are proven by a bonus event within minutes. */
const unknownWarning: Micros = 60 * minute;

function intentAlarms({ now, intents }: AlarmFacts): Alarm[] {
  return intents.flatMap(({ state, count, oldest_at: since }): Alarm[] => {
    if (since === null) return [];
    const list = `/bonus-intents?state=${state}`;
    if (state === 'needs_person') {
      const message = alarmText((texts) => texts.bonusesNeedPerson(count));
      return [{ code: 'bonuses_need_person', severity: 'critical', message, since, list }];
    }
    if (state !== 'unknown' || now - since < unknownWarning) return [];
    const message = alarmText((texts) => texts.bonusesUnknown(count));
    return [{ code: 'bonuses_unknown', severity: 'warning', message, since, list }];
  });
}

function writeBackAlarms({ now, write_backs }: AlarmFacts): Alarm[] {
  const { waiting, oldest_waiting_at, failing, contradicted } = write_backs;
  const alarms: Alarm[] = [];
  if (contradicted > 0) {
    alarms.push({
      code: 'write_backs_contradicted',
      severity: 'critical',
      message: alarmText((texts) => texts.writeBacksContradicted(contradicted)),
      since: null,
      list: '/write-backs?list=contradicted',
    });
  }
  if (oldest_waiting_at !== null && now - oldest_waiting_at >= writesLateAfter) {
    alarms.push({
      code: 'write_backs_waiting',
      severity: 'warning',
      message: alarmText((texts) => texts.writeBacksWaiting(waiting, failing)),
      since: oldest_waiting_at,
      list: '/write-backs',
    });
  }
  return alarms;
}

/** A look-up takes seconds. If a message is held for longer, players miss what they should see now. */
const messagesLateAfter: Micros = 10 * minute;

function messageAlarms({ now, messages: { held, oldest_at: since } }: AlarmFacts): Alarm[] {
  if (since === null || now - since < messagesLateAfter) return [];
  const minutes = Math.floor((now - since) / minute);
  const message = alarmText((texts) => texts.messagesHeld(held, minutes));
  return [{ code: 'messages_held', severity: 'warning', message, since, list: '/messages?state=held' }];
}

function kindAlarms({ now, kinds }: AlarmFacts): Alarm[] {
  return kinds.flatMap(({ kind, events, last_received_at, notes }) => {
    const alarms: Alarm[] = notes.flatMap((note) => {
      const code = noteCodes[note.code];
      if (code === undefined) return [];
      const list = listOf(code, kind);
      const severity = isSerious(note) ? ('critical' as const) : ('warning' as const);
      const message: LocalizedText = (language) => `${kindIn(kind, language)}: ${note.message(language)}`;
      return [{ code, severity, message, since: null, list }];
    });
    if (last_received_at !== null && !isOwnKind(kind) && isSilent(events, now - last_received_at)) {
      const minutes = Math.round((now - last_received_at) / minute);
      alarms.push({
        code: 'silence',
        severity: 'warning',
        message: (language) => alarmTexts[language].silence(kindIn(kind, language), minutes, events),
        since: last_received_at,
        list: `/feed?kind=${kind}`,
      });
    }
    return alarms;
  });
}

function listOf(code: string, kind: EventKind): string {
  if (code === 'unpriced_rounds') return '/rounds?unpriced=true';
  return code === 'conflicts' || code === 'orphans' ? `/${code}?kind=${kind}` : `/feed?kind=${kind}`;
}

function isSilent(eventsPerDay: number, silence: Micros): boolean {
  if (eventsPerDay < silenceNeedsEvents) return false;
  return silence > Math.max(silentAtLeast, (silentGaps * day) / eventsPerDay);
}
