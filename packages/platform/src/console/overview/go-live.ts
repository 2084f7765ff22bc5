import { type EventKind, type Micros, ownEventKinds } from '@croupier/contracts';
import type { LocalizedText } from '../../language.ts';
import { type EventFacts, eventNotes, isSerious, type LastError, type Note, type PublishDelay } from './event-notes.ts';
import { noteText } from './note-texts.ts';

/**
 * The progress of this brand through the seven integration steps of docs/reference/interface.md, Integration steps: converts
 * facts to steps.
 *
 * Each step has one of four states, decided by actual calls and events, never set by hand:
 *
 *   not_started   nothing was tried yet
 *   failing       tried, and the latest try failed (or none ever succeeded), or there is a serious problem
 *   warning       it works, but a person must look at it; the notes say why, and which setting helps
 *   done          it works
 *
 * A step can also fall back: if an endpoint of the operator breaks after the go-live, its step turns red. So the list remains
 * useful as a health check after the go-live.
 */
export type StepState = 'not_started' | 'failing' | 'warning' | 'done';

/** Facts about one kind of call: its last success, and its last failure with the reason. */
export interface CallFacts {
  last_success: Micros | null;
  last_error: LastError | null;
}

export interface GoLiveFacts {
  /** Calls of the operator to the platform with a key of this brand. */
  inbound: CallFacts;
  /** Calls of the platform to the operator in which the operator accepted the credentials. */
  outbound: CallFacts;
  user_details: CallFacts;
  consents: CallFacts;
  blocks: CallFacts;
  /** Kinds that were never sent are missing. */
  events: Partial<Record<EventKind, EventFacts>>;
}

export interface Step extends CallFacts {
  step: number;
  item: LocalizedText;
  state: StepState;
  /** Set for steps that publish events, once events have arrived. */
  publish_delay: PublishDelay | null;
  notes: Note[];
}

/** An event kind outside the seven steps, judged in the same way. */
export type FurtherKind = Omit<Step, 'step' | 'item'> & { kind: EventKind };

const stepKinds = [
  { step: 5, kind: 'registration' },
  { step: 6, kind: 'login' },
  { step: 7, kind: 'payment' },
] as const;

export function goLiveSteps(facts: GoLiveFacts): Step[] {
  return [
    authenticationStep(facts.inbound, facts.outbound),
    callStep(2, 'GetUserDetails', facts.user_details),
    callStep(3, 'GetConsents', facts.consents),
    callStep(4, 'GetBlocks', facts.blocks),
    ...stepKinds.map(({ step, kind }) => ({
      step,
      item: noteText(({ steps }) => steps[kind]),
      ...judgeEvents(kind, facts.events[kind]),
    })),
  ];
}

/** Kinds that are sent although no step requires them: casino, sports, bonus, ... */
export function furtherKinds(facts: GoLiveFacts): FurtherKind[] {
  const others: readonly string[] = [...stepKinds.map(({ kind }) => kind), ...ownEventKinds];
  return Object.entries(facts.events)
    .filter(([kind]) => !others.includes(kind))
    .map(([kind, events]) => ({ kind: kind as EventKind, ...judgeEvents(kind as EventKind, events) }));
}

/** True if nothing of the basic integration is missing or broken; warnings do not prevent a go-live. */
export function readyToGoLive(steps: readonly Step[]): boolean {
  return steps.every((step) => step.state === 'done' || step.state === 'warning');
}

/** Green after an authenticated call in each direction; yellow with a note about the missing direction. */
function authenticationStep(inbound: CallFacts, outbound: CallFacts): Step {
  const states = [stateOf(inbound), stateOf(outbound)];
  const notes: Note[] = [];
  if (states[0] === 'not_started' && states[1] !== 'not_started') {
    notes.push({
      code: 'no_call_in',
      message: noteText((texts) => texts.noCallIn),
      setting: null,
    });
  }
  if (states[1] === 'not_started' && states[0] !== 'not_started') {
    notes.push({
      code: 'no_call_out',
      message: noteText((texts) => texts.noCallOut),
      setting: 'operator',
    });
  }
  const failing = states.includes('failing');
  const untouched = states.every((state) => state === 'not_started');
  return {
    step: 1,
    item: noteText(({ steps }) => steps.authentication),
    state: failing ? 'failing' : untouched ? 'not_started' : notes.length > 0 ? 'warning' : 'done',
    last_success: latest(inbound.last_success, outbound.last_success),
    last_error: latestError(inbound, outbound),
    publish_delay: null,
    notes,
  };
}

/** @param endpoint its name in the interface, which is the same in every language */
function callStep(step: number, endpoint: string, facts: CallFacts): Step {
  const { last_success, last_error } = facts;
  return {
    step,
    item: () => endpoint,
    state: stateOf(facts),
    last_success,
    last_error,
    publish_delay: null,
    notes: [],
  };
}

function judgeEvents(kind: EventKind, facts: EventFacts | undefined): Omit<Step, 'step' | 'item'> {
  if (facts === undefined) {
    return { state: 'not_started', last_success: null, last_error: null, publish_delay: null, notes: [] };
  }
  const notes = eventNotes(kind, facts);
  const state = notes.some(isSerious) ? 'failing' : stateOf(facts);
  return {
    state: state === 'done' && notes.length > 0 ? 'warning' : state,
    last_success: facts.last_success,
    last_error: facts.last_error,
    publish_delay: facts.publish_delay,
    notes,
  };
}

function stateOf({ last_success, last_error }: CallFacts): 'not_started' | 'failing' | 'done' {
  if (last_error !== null && (last_success === null || last_error.at > last_success)) return 'failing';
  return last_success === null ? 'not_started' : 'done';
}

function latest(a: Micros | null, b: Micros | null): Micros | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function latestError(a: CallFacts, b: CallFacts): CallFacts['last_error'] {
  if (a.last_error === null || b.last_error === null) return a.last_error ?? b.last_error;
  return a.last_error.at > b.last_error.at ? a.last_error : b.last_error;
}
