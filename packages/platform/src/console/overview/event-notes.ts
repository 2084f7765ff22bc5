import { type EventKind, type FieldError, type Micros, ownEventKinds } from '@croupier/contracts';
import { type BrandSettings, isInEffect } from '../../brands/index.ts';
import { mostUnpriced } from '../../derive/index.ts';
import type { LocalizedText } from '../../language.ts';
import { type NoteTexts, noteText } from './note-texts.ts';

/** docs/reference/interface.md, Delivery rules 1: published within 1 second of taking place. */
export const publishTargetMicros: Micros = 1_000_000;

/** For events of one kind in the last 24 hours, without imports. */
export interface PublishDelay {
  p50: Micros;
  p99: Micros;
  target: Micros;
  events: number;
}

/** The last failed call or refused event. */
export interface LastError {
  at: Micros;
  message: string;
  /** The errors of a refused event, by field. */
  errors?: readonly FieldError[];
}

/** Facts about the events of one kind: state over all time, counts of the last 24 hours. */
export interface EventFacts {
  last_success: Micros | null;
  last_error: LastError | null;
  events: number;
  conflicts: number;
  orphans: number;
  /** Bodies of this kind in quarantine that need a person. */
  quarantined: number;
  publish_delay: PublishDelay | null;
  /** For payments: those without a payment_id. */
  without_id: number;
  zoneless: { events: number; shifted: { hours: number; events: number }[] };
  /**
   * For game rounds, if activities are sent as well: recent rounds, and those that only one of the two endpoints has reported.
   */
  partners?: { rounds: number; alone: number } | undefined;
  /** For game rounds: how many count without amounts, up to `mostUnpriced`. */
  unpriced_rounds?: number;
  /** For casino events: the number of bets and wins of a round that has far too many; null if there is none. */
  endless_round?: number | null;
}

/** Something that works, but that a person must look at. */
export interface Note {
  code:
    | 'no_call_in'
    | 'no_call_out'
    | 'late'
    | 'conflicts'
    | 'orphans'
    | 'quarantined'
    | 'zoneless_shifted'
    | 'no_partner'
    | 'unpriced_rounds'
    | 'endless_round'
    | 'payments_without_id';
  message: LocalizedText;
  /** The brand setting that would help; null if the operator has to change something. */
  setting: string | null;
}

/** docs/reference/decisions.md 2.4: conflicts or orphans above this share of an endpoint's events turn its step yellow. */
const toleratedShare = 0.001;
/** docs/reference/decisions.md 2.7: above this share of rounds without a partner the overview warns. */
const toleratedAlone = 0.01;
/** With fewer rounds, a share is not meaningful. */
const partnersAtLeast = 100;
/** With fewer events without a zone, a cluster may be chance. */
const zonelessAtLeast = 20;
/** From this share of the events without a zone on, delays of one whole hour count as a cluster. Late retries cause far fewer. */
const zonelessCluster = 0.5;

/** Settings that help against contradictions of a kind. */
const settingsOnConflicts: Partial<Record<EventKind, keyof BrandSettings>> = { casino: 'casino_activity_key' };
const settingsOnOrphans: Partial<Record<EventKind, keyof BrandSettings>> = { casino: 'rollback_by_round' };

/** The notes about the events of one kind. Pure; empty if there are none. */
export function eventNotes(kind: EventKind, facts: EventFacts): Note[] {
  const notes: Note[] = [];
  const delay = isOwnKind(kind) ? null : facts.publish_delay;
  if (delay !== null && delay.p99 > delay.target) {
    notes.push({
      code: 'late',
      message: noteText((texts) => texts.late(seconds(delay.p99), seconds(delay.target))),
      setting: null,
    });
  }
  if (facts.conflicts > facts.events * toleratedShare) {
    const { advice, setting } = remedyOf('adviceOnConflicts', kind);
    notes.push({
      code: 'conflicts',
      message: noteText((texts) => texts.conflicts(share(texts, facts.conflicts, facts.events), advice(texts))),
      setting,
    });
  }
  if (facts.orphans > facts.events * toleratedShare) {
    const { advice, setting } = remedyOf('adviceOnOrphans', kind);
    const message = noteText((texts) => texts.orphans(share(texts, facts.orphans, facts.events), advice(texts)));
    notes.push({ code: 'orphans', message, setting });
  }
  if (facts.quarantined > 0) {
    notes.push({
      code: 'quarantined',
      message: noteText((texts) => texts.quarantined(facts.quarantined)),
      setting: null,
    });
  }
  if (facts.without_id > facts.events * toleratedShare) {
    notes.push({
      code: 'payments_without_id',
      message: noteText((texts) => texts.paymentsWithoutId(share(texts, facts.without_id, facts.events))),
      setting: null,
    });
  }
  const cluster = zonelessShift(facts.zoneless);
  if (cluster !== null) {
    notes.push({
      code: 'zoneless_shifted',
      message: noteText((texts) => texts.zonelessShifted(cluster)),
      setting: 'zoneless_timestamps',
    });
  }
  const { rounds = 0, alone = 0 } = facts.partners ?? {};
  if (rounds >= partnersAtLeast && alone > rounds * toleratedAlone) {
    notes.push({
      code: 'no_partner',
      message: noteText((texts) => texts.noPartner(alone, rounds, percent(alone, rounds))),
      setting: 'rounds_from',
    });
  }
  const unpriced = facts.unpriced_rounds ?? 0;
  if (unpriced > 0) {
    notes.push({
      code: 'unpriced_rounds',
      message: noteText((texts) => texts.unpricedRounds(unpriced, unpriced >= mostUnpriced)),
      setting: null,
    });
  }
  const { endless_round } = facts;
  if (endless_round !== undefined && endless_round !== null) {
    notes.push({
      code: 'endless_round',
      message: noteText((texts) => texts.endlessRound(endless_round)),
      setting: null,
    });
  }
  return notes;
}

/**
 * True for events that the platform itself sends. Their timestamp is the time of what they report, and they are sent once that
 * is certain. So the operator does not cause their delay, and a pause between them is not silence.
 */
export function isOwnKind(kind: EventKind): boolean {
  return (ownEventKinds as readonly EventKind[]).includes(kind);
}

/** Notes about serious problems, which turn a step red. */
export function isSerious({ code }: Note): boolean {
  return code === 'endless_round';
}

interface Remedy {
  advice: (texts: NoteTexts) => string;
  setting: keyof BrandSettings | null;
}

/** A setting that is not in effect yet must not be suggested, because changing it would not help. */
function remedyOf(about: 'adviceOnConflicts' | 'adviceOnOrphans', kind: EventKind): Remedy {
  const settings = about === 'adviceOnConflicts' ? settingsOnConflicts : settingsOnOrphans;
  const setting = settings[kind] ?? null;
  if (setting !== null && !isInEffect(setting)) return { advice: (texts) => texts.adviceOfOthers, setting: null };
  return {
    advice: (texts) => (texts[about] as Partial<Record<EventKind, string>>)[kind] ?? texts.adviceOfOthers,
    setting,
  };
}

/**
 * The whole hour at which the delays of events without a zone cluster; null if they do not (docs/reference/decisions.md 1,
 * "Timestamps").
 */
export function zonelessShift({ events, shifted }: EventFacts['zoneless']): number | null {
  if (events < zonelessAtLeast) return null;
  const largest = shifted.reduce((a, b) => (b.events > a.events ? b : a), { hours: 0, events: 0 });
  return largest.hours !== 0 && largest.events >= events * zonelessCluster ? largest.hours : null;
}

function share(texts: NoteTexts, part: number, whole: number): string {
  return texts.share(part, whole, percent(part, whole));
}

function percent(part: number, whole: number): string {
  return ((100 * part) / Math.max(1, whole)).toFixed(2);
}

/** Writes "2 min" instead of "120 s". From one minute on, the limits of the measured delays are whole minutes. */
function seconds(micros: Micros): string {
  const all = micros / 1_000_000;
  return all >= 60 && all % 60 === 0 ? `${all / 60} min` : `${all} s`;
}
