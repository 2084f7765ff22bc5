import type { Catalog, PlayerView, Rule } from '@croupier/rules';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advance,
  type Campaign,
  type Context,
  dueOf,
  type Input,
  isInShare,
  mayChange,
  newRun,
  place,
  type Run,
} from '../src/index.ts';
import { runStates } from '../src/run.ts';
import { reactions } from '../src/state.ts';

const start = Date.parse('2026-06-17T12:00:00Z') * 1000;
const player: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [] };
const always: Rule = { combinator: 'and', rules: [] };
const never: Rule = { ...always, not: true };
const rule = fc.constantFrom(always, never);
const catalog: Catalog = { field: () => undefined, fact: () => undefined };

type Body = Record<string, unknown>;
const leaf = fc.oneof(
  fc.constant<Body>({ send: { channel: 'site', template: 'hello' } }),
  fc.constant<Body>({ credit: { bonus_code: 'TEN' } }),
  fc.constant<Body>({ offer: { bonus_code: 'TEN', expires_in: 'P1D' } }),
  fc.constant<Body>({ tag: 'seen' }),
  fc.constant<Body>({ exit: {} }),
  fc.constant<Body>({ wait: { for: 'PT1H' } }),
  fc.constant<Body>({ wait: { until: '18:00' } }),
  fc.constant<Body>({ wait: { event: 'login', timeout: 'P1D' } }),
  rule.map((one): Body => ({ wait: { rule: one, timeout: 'P1D' } })),
);
const { steps } = fc.letrec<{ steps: Body[] }>((tie) => ({
  steps: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc
        .tuple(rule, tie('steps'), tie('steps'))
        .map(([when, inner, otherwise]): Body => ({ branch: [{ when, steps: inner }, { otherwise }] })),
      fc.tuple(fc.boolean(), tie('steps')).map(
        ([control, inner]): Body => ({
          split: [
            { name: 'a', share: 50, control },
            { name: 'b', share: 50, steps: inner },
          ],
        }),
      ),
    ),
    { maxLength: 4 },
  ),
}));

const campaign = fc
  .record({ steps, exit_when: fc.option(rule, { nil: undefined }), goal: fc.boolean() })
  .map(({ steps: bodies, exit_when, goal }): Campaign => {
    const document = {
      code: 'any',
      name: 'Any',
      entry: { api: true },
      ...(exit_when !== undefined && { exit_when }),
      ...(goal && { goal: { event: 'bet', within: 'P1D' } }),
      steps: numbered(bodies, { last: 0 }),
    };
    return document as unknown as Campaign;
  });

/** Gives each step an id, including nested steps. */
function numbered(bodies: readonly Body[], count: { last: number }): Body[] {
  return bodies.map((body) => {
    const id = `s${++count.last}`;
    const inner = Object.entries(body).map(([kind, value]) => {
      if (kind !== 'branch' && kind !== 'split') return [kind, value];
      const arms = value as Body[];
      return [kind, arms.map((arm) => Object.fromEntries(Object.entries(arm).map(withNumbers)))];
    });
    return { id, ...Object.fromEntries(inner) };
  });

  function withNumbers([name, value]: [string, unknown]): [string, unknown] {
    return [name, name === 'steps' || name === 'otherwise' ? numbered(value as Body[], count) : value];
  }
}

const event = fc.constantFrom('login', 'bet', 'payment');
/** Generates inputs. A verdict names the step at which the run is held, or another step. */
const maker = fc.oneof(
  fc.constantFrom<Input>(
    { kind: 'begin' },
    { kind: 'due' },
    { kind: 'changed' },
    { kind: 'cause_withdrawn' },
    { kind: 'stopped' },
    { kind: 'resumed' },
    { kind: 'protected', reason: 'excluded' },
  ),
  event.map((kind): Input => ({ kind: 'event', event: { id: 'e', kind, at: start, row: { at: start } } })),
  fc.tuple(fc.constantFrom('', '', '', 's1', 's2'), fc.constantFrom('allowed', 'allowed', 'withheld', 'hold')).map(
    ([step, outcome]): Input => ({
      kind: 'verdict',
      step,
      verdict:
        outcome === 'allowed'
          ? { outcome }
          : outcome === 'withheld'
            ? { outcome, reason: 'no_consent' }
            : { outcome: 'hold', reason: 'unknown', until: null, for: 'gate' },
    }),
  ),
);

function contextOf(document: Campaign, at: number): Context {
  return {
    campaign: document,
    at,
    zone: 'UTC',
    brandZone: 'UTC',
    player,
    catalog,
    seed: 'any 7',
    enteredAt: start,
    causedAt: start,
  };
}

/** An input without a step is for the current step of the run. */
function withCurrentStep(input: Input, run: Run): Input {
  return input.kind === 'verdict' && input.step === '' ? { ...input, step: run.step ?? 'none' } : input;
}

const ends = new Set(['done', 'goal_reached', 'exited', 'failed']);

test('no input throws in any state; equal inputs give equal moves; each effect occurs once, even if every input is repeated', () => {
  fc.assert(
    fc.property(campaign, fc.array(maker, { maxLength: 30 }), (document, inputs) => {
      let run = newRun();
      const effects: string[] = [];
      for (const [count, made] of [{ kind: 'begin' } as const, ...inputs].entries()) {
        const context = contextOf(document, start + count * 60_000_000);
        const input = withCurrentStep(made, run);
        for (const _repeat of [1, 2]) {
          const before = structuredClone(run);
          const move = advance(run, input, context);
          expect(run).toEqual(before);
          expect(advance(run, input, context)).toEqual(move);
          if (ends.has(run.state)) {
            expect(move).toEqual({ run: expect.anything(), effects: [], heldEffect: null, records: [] });
            if (run.goalUntil === null) expect(move.run).toEqual(run);
            else expect([run.state, 'goal_reached']).toContain(move.run.state);
          }
          if (move.run.state !== 'done' && move.run.state !== 'exited') expect(move.run.goalUntil).toBeNull();
          effects.push(...move.effects.map(({ step }) => step));
          run = move.run;
        }
      }
      expect(new Set(effects).size).toBe(effects.length);
    }),
    { numRuns: 1_000 },
  );
});

test('an input that cannot change a run by its kind changes nothing and orders nothing', () => {
  fc.assert(
    fc.property(campaign, fc.array(maker, { maxLength: 30 }), (document, inputs) => {
      let run = newRun();
      for (const [count, made] of [{ kind: 'begin' } as const, ...inputs].entries()) {
        const input = withCurrentStep(made, run);
        const move = advance(run, input, contextOf(document, start + count * 60_000_000));
        if (!mayChange(document, run, input)) {
          expect(move).toEqual({ run, effects: [], heldEffect: null, records: [] });
          expect(move.run).toBe(run);
        }
        run = move.run;
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an input `due` before the due time of the run changes nothing, also if the run is held until then', () => {
  const held = fc.record({ isHeld: fc.boolean(), early: fc.integer({ min: 1, max: 3_600_000_000 }) });
  let checked = 0;
  fc.assert(
    fc.property(campaign, fc.array(maker, { maxLength: 30 }), held, (document, inputs, { isHeld, early }) => {
      let run = newRun();
      for (const [count, made] of [{ kind: 'begin' } as const, ...inputs].entries()) {
        const at = start + count * 60_000_000;
        const until = at + 3_600_000_000;
        let input = withCurrentStep(made, run);
        if (isHeld && input.kind === 'verdict' && input.verdict.outcome === 'hold')
          input = { ...input, verdict: { outcome: 'hold', reason: 'quiet_hours', until, for: 'quiet_hours' } };
        run = advance(run, input, contextOf(document, at)).run;
        const due = dueOf(run);
        if (due === null) continue;
        checked++;
        const move = advance(run, { kind: 'due' }, contextOf(document, due - early));
        expect(move).toEqual({ run, effects: [], heldEffect: null, records: [] });
      }
    }),
    { numRuns: 1_000 },
  );
  expect(checked).toBeGreaterThan(100);
});

// The property about `mayChange` is meaningful only if `mayChange` returns false for some inputs.
const login: Input = { kind: 'event', event: { id: 'e', kind: 'login', at: start, row: { at: start } } };
const cannotChange: [string, Body, Partial<Run>, Input][] = [
  ['an event while it waits for another', { wait: { event: 'bet', timeout: 'P1D' } }, { state: 'waiting' }, login],
  ['a change while it waits for time', { wait: { for: 'PT1H' } }, { state: 'waiting' }, { kind: 'changed' }],
  ['an event while it is held', { tag: 'seen' }, { state: 'held' }, login],
  [
    'a withdrawn cause after an effect',
    { tag: 'seen' },
    { state: 'held', hadEffect: true },
    { kind: 'cause_withdrawn' },
  ],
  ['an event after its end', { tag: 'seen' }, { state: 'done', step: null }, login],
];

test.each(cannotChange)('a run cannot be changed by %s', (_name, body, state, input) => {
  const document = { code: 'any', name: 'Any', entry: { api: true }, steps: [{ id: 's1', ...body }] };
  const run: Run = { ...newRun(), step: 's1', ...state };
  expect(mayChange(document as unknown as Campaign, run, input)).toBe(false);
  expect(advance(run, input, contextOf(document as unknown as Campaign, start)).run).toBe(run);
});

test('every run ends once its waits are over and its effects are allowed, and no step is missing', () => {
  fc.assert(
    fc.property(campaign, (document) => {
      let at = start;
      let move = advance(newRun(), { kind: 'begin' }, contextOf(document, at));
      for (let count = 0; count < 2_000 && !ends.has(move.run.state); count++) {
        const { run, heldEffect } = move;
        if (heldEffect !== null) {
          const input: Input = { kind: 'verdict', step: heldEffect.step, verdict: { outcome: 'allowed' } };
          move = advance(run, input, contextOf(document, at));
        } else {
          expect(run.state).toBe('waiting');
          at = run.wait?.until ?? Number.NaN;
          move = advance(run, { kind: 'due' }, contextOf(document, at));
        }
      }
      expect(['done', 'exited']).toContain(move.run.state);
      expect(move.run.step).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});

test('the table of states and inputs defines a reaction for each state and input', () => {
  const kinds = [
    'begin',
    'due',
    'event',
    'changed',
    'verdict',
    'protected',
    'cause_withdrawn',
    'stopped',
    'resumed',
    'moved',
  ];
  for (const state of runStates) expect(Object.keys(reactions[state]).toSorted()).toEqual(kinds.toSorted());
});

test('a share contains its percentage of the players, and they stay in it when it grows', () => {
  const seeds = Array.from({ length: 20_000 }, (_, n) => `brand campaign ${n}`);
  for (const percent of [1, 10, 50]) {
    const part = seeds.filter((seed) => isInShare(seed, percent)).length / seeds.length;
    expect(Math.abs(part - percent / 100)).toBeLessThan(0.02);
    expect(seeds.every((seed) => !isInShare(seed, percent) || isInShare(seed, percent + 5))).toBe(true);
  }
  expect(seeds.every((seed) => place(seed) >= 0 && place(seed) < 10_000)).toBe(true);
});
