import { operatorEventKinds } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { type BrandSettings, brandSettingsSchema, isInEffect } from '../../brands/index.ts';
import { type EventFacts, eventNotes, zonelessShift } from './event-notes.ts';
import { type CallFacts, furtherKinds, type GoLiveFacts, goLiveSteps, readyToGoLive, type Step } from './go-live.ts';

const second = 1_000_000;
const never: CallFacts = { last_success: null, last_error: null };
const fine: CallFacts = { last_success: 100, last_error: null };
const broken: CallFacts = { last_success: 100, last_error: { at: 200, message: '500 Internal Server Error' } };
const healed: CallFacts = { last_success: 300, last_error: { at: 200, message: '500 Internal Server Error' } };

const someEvents: EventFacts = {
  last_success: 100,
  last_error: null,
  events: 10_000,
  conflicts: 0,
  orphans: 0,
  quarantined: 0,
  without_id: 0,
  publish_delay: { p50: second / 10, p99: second / 2, target: second, events: 10_000 },
  zoneless: { events: 0, shifted: [] },
};

const untouched: GoLiveFacts = {
  inbound: never,
  outbound: never,
  user_details: never,
  consents: never,
  blocks: never,
  events: {},
};

function stepOf(number: number, facts: Partial<GoLiveFacts>): Step {
  const step = goLiveSteps({ ...untouched, ...facts })[number - 1];
  if (step === undefined) throw new Error(`there is no step ${number}`);
  return step;
}

function paymentStep(facts: Partial<EventFacts>): Step {
  return stepOf(7, { events: { payment: { ...someEvents, ...facts } } });
}

test('payments without payment_id turn their step yellow; a few of many do not', () => {
  const step = paymentStep({ without_id: 11 });
  expect(step).toMatchObject({ state: 'warning', notes: [{ code: 'payments_without_id', setting: null }] });
  expect(step.notes[0]?.message('en')).toContain('11 of 10,000 events (0.11 %) have no payment_id');
  expect(paymentStep({ without_id: 10 })).toMatchObject({ state: 'done', notes: [] });
});

test('events of the platform itself are never late, because the operator does not publish them', () => {
  const late = { ...someEvents, publish_delay: { p50: second, p99: 600 * second, target: second, events: 10_000 } };
  expect(eventNotes('payment', late).map(({ code }) => code)).toEqual(['late']);
  expect(eventNotes('funds_credited', late)).toEqual([]);
});

describe('the seven steps', () => {
  test('are in the order of the interface and start as not started', () => {
    const steps = goLiveSteps(untouched);
    expect(steps.map(({ step, item, state }) => [step, item('en'), state])).toEqual([
      [1, 'Authentication and headers', 'not_started'],
      [2, 'GetUserDetails', 'not_started'],
      [3, 'GetConsents', 'not_started'],
      [4, 'GetBlocks', 'not_started'],
      [5, 'Publish registrations', 'not_started'],
      [6, 'Publish logins', 'not_started'],
      [7, 'Publish payments', 'not_started'],
    ]);
    expect(steps.map(({ item }) => item('de')).slice(4)).toEqual([
      'Registrierungen senden',
      'Anmeldungen senden',
      'Zahlungen senden',
    ]);
    expect(readyToGoLive(steps)).toBe(false);
  });

  test.each([
    { name: 'neither direction', inbound: never, outbound: never, state: 'not_started', notes: [] },
    { name: 'only the operator called', inbound: fine, outbound: never, state: 'warning', notes: ['no_call_out'] },
    { name: 'only the platform called', inbound: never, outbound: fine, state: 'warning', notes: ['no_call_in'] },
    { name: 'both directions', inbound: fine, outbound: fine, state: 'done', notes: [] },
    { name: 'the operator refuses the platform now', inbound: fine, outbound: broken, state: 'failing', notes: [] },
    { name: 'the operator refused the platform once', inbound: fine, outbound: healed, state: 'done', notes: [] },
  ])('step 1, $name: $state', ({ inbound, outbound, state, notes }) => {
    const step = stepOf(1, { inbound, outbound });
    expect(step.state).toBe(state);
    expect(step.notes.map((note) => note.code)).toEqual(notes);
  });

  test.each([
    { calls: never, state: 'not_started' },
    { calls: fine, state: 'done' },
    { calls: broken, state: 'failing' },
    { calls: healed, state: 'done' },
    { calls: { last_success: null, last_error: { at: 5, message: 'refused' } }, state: 'failing' },
  ])('steps 2 to 4 follow their latest call: $state', ({ calls, state }) => {
    expect(stepOf(2, { user_details: calls }).state).toBe(state);
    expect(stepOf(3, { consents: calls }).state).toBe(state);
    expect(stepOf(4, { blocks: calls }).state).toBe(state);
  });

  const hourly = (hours: number, events: number) => ({ events: 100, shifted: [{ hours, events }] });
  test.each([
    { name: 'no problems', facts: {}, state: 'done', note: null },
    { name: 'conflicts at 0.1 %', facts: { conflicts: 10 }, state: 'done', note: null },
    { name: 'conflicts above 0.1 %', facts: { conflicts: 11 }, state: 'warning', note: 'conflicts' },
    { name: 'orphans above 0.1 %', facts: { orphans: 11 }, state: 'warning', note: 'orphans' },
    {
      name: 'p99 at the target',
      facts: { publish_delay: { p50: 1, p99: second, target: second, events: 5 } },
      state: 'done',
      note: null,
    },
    {
      name: 'p99 beyond the target',
      facts: { publish_delay: { p50: 1, p99: 2 * second, target: second, events: 5 } },
      state: 'warning',
      note: 'late',
    },
    { name: 'events in quarantine', facts: { quarantined: 1 }, state: 'warning', note: 'quarantined' },
    {
      name: 'zone-less times two hours off',
      facts: { zoneless: hourly(2, 60) },
      state: 'warning',
      note: 'zoneless_shifted',
    },
    {
      name: 'the latest one refused',
      facts: { last_error: { at: 101, message: 'amount is missing' } },
      state: 'failing',
      note: null,
    },
  ])('a step that publishes, $name: $state', ({ facts, state, note }) => {
    const step = paymentStep(facts);
    expect(step.state).toBe(state);
    expect(step.notes.map((each) => each.code)).toEqual(note === null ? [] : [note]);
  });

  test('warnings do not prevent a go-live; a failing step does', () => {
    const facts: GoLiveFacts = {
      inbound: fine,
      outbound: fine,
      user_details: fine,
      consents: fine,
      blocks: fine,
      events: { registration: someEvents, login: someEvents, payment: { ...someEvents, orphans: 500 } },
    };
    expect(readyToGoLive(goLiveSteps(facts))).toBe(true);
    expect(readyToGoLive(goLiveSteps({ ...facts, blocks: broken }))).toBe(false);
  });
});

test('casino is not a step, but is judged like one', () => {
  const [casino, ...others] = furtherKinds({
    ...untouched,
    events: { casino: { ...someEvents, conflicts: 20, orphans: 20 }, payment: someEvents },
  });
  expect(others).toEqual([]);
  expect(casino?.kind).toBe('casino');
  expect(casino?.state).toBe('warning');
  expect(casino?.notes.map((note) => note.setting)).toEqual(['casino_activity_key', 'rollback_by_round']);
});

test.each([
  { rounds: 1_000, alone: 10, notes: [] },
  { rounds: 1_000, alone: 11, notes: ['rounds_from'] },
  { rounds: 99, alone: 99, notes: [] },
])('$alone of $rounds rounds without a partner: $notes', ({ notes, ...partners }) => {
  expect(eventNotes('gameround', { ...someEvents, partners }).map((note) => note.setting)).toEqual(notes);
});

test('a round that never ends turns casino red', () => {
  const events = { casino: { ...someEvents, endless_round: 1_000 } };
  expect(furtherKinds({ ...untouched, events }).map(({ state, notes }) => [state, notes[0]?.code])).toEqual([
    ['failing', 'endless_round'],
  ]);
});

test.each(operatorEventKinds)('more than 0.1 %% of conflicts, or of orphans, turn %s yellow', (kind) => {
  for (const code of ['conflicts', 'orphans'] as const) {
    const judged = (count: number) => {
      const facts = { ...untouched, events: { [kind]: { ...someEvents, [code]: count } } };
      const steps = [...goLiveSteps(facts), ...furtherKinds(facts)].filter(
        ({ publish_delay }) => publish_delay !== null,
      );
      return steps.map(({ state, notes }) => [state, ...notes.map((note) => note.code)]);
    };
    expect(judged(10)).toEqual([['done']]);
    expect(judged(11)).toEqual([['warning', code]]);
  }
});

test.each(operatorEventKinds)('advice about %s never names a setting without an effect', (kind) => {
  const zoneless = { events: 100, shifted: [{ hours: 2, events: 100 }] };
  const notes = eventNotes(kind, { ...someEvents, conflicts: 20, orphans: 20, quarantined: 1, zoneless });
  expect(notes.map((note) => note.code)).toEqual(['conflicts', 'orphans', 'quarantined', 'zoneless_shifted']);
  const notInEffect = Object.keys(brandSettingsSchema.properties).filter(
    (setting) => !isInEffect(setting as keyof BrandSettings),
  );
  for (const { setting } of notes) expect(notInEffect).not.toContain(setting);
});

describe('timestamps without a zone', () => {
  test.each([
    { name: 'too few to say', facts: { events: 19, shifted: [{ hours: 2, events: 19 }] }, hours: null },
    { name: 'half of them two hours early', facts: { events: 20, shifted: [{ hours: 2, events: 10 }] }, hours: 2 },
    { name: 'an hour ahead of the clock', facts: { events: 50, shifted: [{ hours: -1, events: 50 }] }, hours: -1 },
    {
      name: 'scattered by retries',
      facts: {
        events: 50,
        shifted: [
          { hours: 1, events: 9 },
          { hours: 2, events: 8 },
        ],
      },
      hours: null,
    },
    { name: 'none shifted', facts: { events: 50, shifted: [] }, hours: null },
  ])('$name', ({ facts, hours }) => {
    expect(zonelessShift(facts)).toBe(hours);
  });
});
