import type { EventKind, Micros } from '@croupier/contracts';
import type { CampaignConcerns } from '../../campaigns/index.ts';
import type { ProcessClock } from '../../chores/index.ts';
import { mostBodies, type QuarantineRemovals } from '../../ingest/index.ts';
import type { readFailingBuckets } from '../../segments/membership/index.ts';
import { type PushConcerns, pushAlarms } from '../push/push-concerns.ts';
import { campaignAlarms } from './campaign-alarms.ts';
import { clockAlarms } from './clock-alarms.ts';
import { isGrave, isOwnKind, type Note } from './event-notes.ts';
import { type MoneyConcerns, moneyAlarms } from './money-concerns.ts';
import { type OperatorAlarmFacts, operatorAlarms } from './operator-alarms.ts';

/** Something that a person should look at now. One line on the overview, most urgent first. */
export interface Alarm {
  code: string;
  severity: 'critical' | 'warning';
  message: string;
  /** When it began, as far as that is known. */
  since: Micros | null;
  /** The list behind the number, below /api/console/v1/brands/:brand. */
  list: string | null;
}

/** Bonus intents that have not ended, by state. */
export type WaitingIntents = readonly { state: string; count: number; oldest_at: Micros | null }[];

export interface AlarmFacts extends OperatorAlarmFacts {
  now: Micros;
  /** Of every process of the installation. */
  clocks: readonly ProcessClock[];
  /** Receipt of the oldest event that derive has not come to; null when there is none. */
  oldest_pending_at: Micros | null;
  quarantined: number;
  /** What the quarantine removes soon. */
  removals: QuarantineRemovals;
  parked_players: number;
  segments: Awaited<ReturnType<typeof readFailingBuckets>>;
  players_not_synchronised: number;
  /** Changed consents and blocks that the operator has not stored, or answers to have stored and has not. */
  intents: WaitingIntents;
  money: MoneyConcerns;
  push: PushConcerns;
  campaigns: CampaignConcerns;
  messages: { held: number; oldest_at: Micros | null };
  write_backs: { waiting: number; oldest_waiting_at: Micros | null; failing: number; contradicted: number };
  kinds: readonly {
    kind: EventKind;
    /** In the last 24 hours. */
    events: number;
    last_received_at: Micros | null;
    notes: readonly Note[];
  }[];
}

const second: Micros = 1_000_000;
const minute: Micros = 60 * second;
const day: Micros = 24 * 60 * minute;

/** The whole way from receipt to profile is promised within a second; above these a person has to know. */
const lagWarning: Micros = 5 * second;
const lagCritical: Micros = minute;

/** A kind with fewer events a day has long pauses by nature. */
const silenceNeedsEvents = 100;
/** Silent = no event for so many of its usual gaps, and at least half an hour: nights are quieter than days. */
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

/** Decides what to raise. Pure; the same facts give the same alarms in the same order. */
export function alarmsOf(facts: AlarmFacts): Alarm[] {
  const alarms = [
    ...clockAlarms(facts.clocks),
    ...lagAlarm(facts),
    ...waitingAlarms(facts),
    ...segmentAlarms(facts.segments),
    ...operatorAlarms(facts, facts.now),
    ...syncAlarms(facts),
    ...writeBackAlarms(facts),
    ...messageAlarms(facts),
    ...pushAlarms(facts.push),
    ...intentAlarms(facts),
    ...moneyAlarms(facts.money),
    ...campaignAlarms(facts.campaigns),
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
      message: `Profiles are ${Math.round(lag / second)} s behind the events received. Nothing is lost.`,
      since: oldest_pending_at,
      list: null,
    },
  ];
}

function segmentAlarms({ buckets, since, reason }: AlarmFacts['segments']): Alarm[] {
  if (buckets.length === 0) return [];
  const message = `Segments of ${buckets.length} in 64 of the players are not brought up to date, because that fails: ${reason}. They are tried again every 5 s; nothing is lost.`;
  return [{ code: 'segments_failing', severity: 'critical', message, since, list: null }];
}

function waitingAlarms({ quarantined, parked_players, removals }: AlarmFacts): Alarm[] {
  const alarms: Alarm[] = [];
  if (parked_players > 0) {
    alarms.push({
      code: 'parked',
      severity: 'critical',
      message: `Events of ${parked_players} players cannot be applied. They wait and are tried again.`,
      since: null,
      list: '/parked',
    });
  }
  if (quarantined > 0) {
    alarms.push({
      code: 'quarantine',
      severity: 'warning',
      message: `${quarantined} events could not be accepted and wait for a person.`,
      since: null,
      list: '/quarantine?state=open',
    });
  }
  if (removals.expiring > 0) {
    alarms.push({
      code: 'quarantine_expiring',
      severity: 'warning',
      message: `${removals.expiring} events that wait in quarantine are removed within 7 days, because nobody dealt with them (setting quarantine_days).`,
      since: null,
      list: '/quarantine?state=open',
    });
  }
  if (removals.nearly_full !== null) {
    alarms.push({
      code: 'quarantine_full',
      severity: 'warning',
      message: `The quarantine holds ${removals.nearly_full} of at most ${mostBodies} events; beyond that the oldest are removed, those that were dealt with first.`,
      since: null,
      list: '/quarantine?state=open',
    });
  }
  return alarms;
}

function syncAlarms({ players_not_synchronised }: AlarmFacts): Alarm[] {
  const alarms: Alarm[] = [];
  if (players_not_synchronised > 0) {
    alarms.push({
      code: 'sync_problems',
      severity: 'warning',
      message: `${players_not_synchronised} look-ups wait for another try or for the operator to know the player.`,
      since: null,
      list: '/sync-problems',
    });
  }
  return alarms;
}

/** A write has a second, and then some tries of its own. Longer than this, and players wait for what they asked for. */
const writesLateAfter: Micros = 10 * minute;

/** Most unknown calls are proven by a bonus event within minutes. */
const unknownWarning: Micros = 60 * minute;

function intentAlarms({ now, intents }: AlarmFacts): Alarm[] {
  return intents.flatMap(({ state, count, oldest_at: since }): Alarm[] => {
    if (since === null) return [];
    const list = `/bonus-intents?state=${state}`;
    if (state === 'needs_person') {
      const message = `${count} bonuses may or may not have been credited; only the operator's books can tell.`;
      return [{ code: 'bonuses_need_person', severity: 'critical', message, since, list }];
    }
    if (state !== 'unknown' || now - since < unknownWarning) return [];
    const message = `${count} bonus calls have an unknown outcome, the oldest for over an hour.`;
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
      message: `The operator answers that it has stored ${contradicted} consents or blocks, and its records say the opposite. Here they count.`,
      since: null,
      list: '/write-backs?list=contradicted',
    });
  }
  if (oldest_waiting_at !== null && now - oldest_waiting_at >= writesLateAfter) {
    alarms.push({
      code: 'write_backs_waiting',
      severity: 'warning',
      message: `${waiting} changed consents or blocks are not stored at the operator, ${failing} of them were refused or unanswered. Here they count.`,
      since: oldest_waiting_at,
      list: '/write-backs',
    });
  }
  return alarms;
}

/** A look-up takes seconds. Held for longer, and players miss what they should see now. */
const messagesLateAfter: Micros = 10 * minute;

function messageAlarms({ now, messages: { held, oldest_at: since } }: AlarmFacts): Alarm[] {
  if (since === null || now - since < messagesLateAfter) return [];
  const minutes = Math.floor((now - since) / minute);
  const message = `${held} messages of the site are held, the oldest for ${minutes} min: of their players too little is known to show them.`;
  return [{ code: 'messages_held', severity: 'warning', message, since, list: '/messages?state=held' }];
}

function kindAlarms({ now, kinds }: AlarmFacts): Alarm[] {
  return kinds.flatMap(({ kind, events, last_received_at, notes }) => {
    const alarms: Alarm[] = notes.flatMap((note) => {
      const code = noteCodes[note.code];
      if (code === undefined) return [];
      const list = listOf(code, kind);
      const severity = isGrave(note) ? ('critical' as const) : ('warning' as const);
      return [{ code, severity, message: `${kind}: ${note.message}`, since: null, list }];
    });
    if (last_received_at !== null && !isOwnKind(kind) && isSilent(events, now - last_received_at)) {
      const minutes = Math.round((now - last_received_at) / minute);
      alarms.push({
        code: 'silence',
        severity: 'warning',
        message: `No ${kind} event for ${minutes} min, after ${events} within a day.`,
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
