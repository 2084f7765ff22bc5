import type { Campaign } from '@croupier/campaigns';
import { type EventKind, type MessageReport, messageReports } from '@croupier/contracts';
import type { Rule } from '@croupier/rules';
import Type, { type Static } from 'typebox';
import type { WrittenTemplate } from '../channels/index.ts';
import type { LedgerEntry } from '../ledger/index.ts';

/*
 * A scenario as data: a player, a list of events and other steps, and the expected results. docs/guides/campaigns.md describes
 * the format.
 */

const moment = Type.String({ description: 'RFC 3339, such as 2026-05-04T12:00:00Z' });
const duration = Type.String({ pattern: '^P', description: 'ISO 8601, such as PT2H' });
const fields = Type.Record(Type.String(), Type.Unknown());
const strict = { additionalProperties: false };

export const playerSchema = Type.Object(
  {
    user_id: Type.Optional(Type.String({ minLength: 1 })),
    /** Details as in the operator's API, in snake_case; `time_zone` is the player's zone. */
    profile: Type.Optional(fields),
    consents: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    blocks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    tags: Type.Optional(Type.Array(Type.String())),
    excluded: Type.Optional(Type.Boolean()),
    blocked: Type.Optional(Type.Boolean()),
    /** False: the operator's look-ups do not answer. */
    known: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type PlayerState = Static<typeof playerSchema>;

/** The player at the start. */
const startSchema = Type.Object(
  {
    ...playerSchema.properties,
    /** Starting values of traits by name, such as deposit_count_7d. */
    traits: Type.Optional(fields),
  },
  strict,
);
export type StartState = Static<typeof startSchema>;

const expectedSchema = Type.Object(
  {
    ...Object.fromEntries(
      [
        'entered',
        'left',
        'sent',
        'listed',
        'credited',
        'offered',
        'tagged',
        'untagged',
        'waiting',
        'went_on',
        'branched',
        'chose',
        'control',
        'held',
        'withheld',
        'resumed',
        'moved',
        'done',
        'goal_reached',
        'exited',
        'failed',
        'halted',
      ].map((name) => [name, Type.Optional(Type.Union([Type.String(), Type.Boolean()]))]),
    ),
    campaign: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    channel: Type.Optional(Type.String()),
    template: Type.Optional(Type.String()),
    bonus_code: Type.Optional(Type.String()),
    variant: Type.Optional(Type.String()),
    version: Type.Optional(Type.Number()),
    until: Type.Optional(moment),
    at: Type.Optional(moment),
    /** Text that the message must contain. */
    text: Type.Optional(Type.String()),
  },
  strict,
);
export type Expected = Static<typeof expectedSchema> & Partial<Record<Outcome, string | boolean>>;

export const outcomes = [
  'entered',
  'left',
  'sent',
  'listed',
  'credited',
  'offered',
  'tagged',
  'untagged',
  'waiting',
  'went_on',
  'branched',
  'chose',
  'control',
  'held',
  'withheld',
  'resumed',
  'moved',
  'done',
  'goal_reached',
  'exited',
  'failed',
  'halted',
] as const;
export type Outcome = (typeof outcomes)[number];

const step = <T extends Record<string, ReturnType<typeof Type.Unsafe> | object>>(properties: T) =>
  Type.Object(properties as never, strict);

export const stepSchema = Type.Union([
  step({
    event: Type.String(),
    body: Type.Optional(fields),
    /** How long ago it happened; if omitted, it happens now. */
    late: Type.Optional(duration),
    /** How many times it is published. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  }),
  step({ after: duration }),
  step({ until: moment }),
  step({ player: playerSchema }),
  step({
    enter: Type.Object(
      { campaign: Type.Optional(Type.String()), key: Type.String(), data: Type.Optional(fields) },
      strict,
    ),
  }),
  step({
    publish: Type.Object({ campaign: Type.Unknown(), move_runs: Type.Optional(Type.Boolean()) }, strict),
  }),
  step({ pause: Type.String() }),
  step({ resume: Type.String() }),
  step({ stop: Type.String() }),
  /** A report about the last message that the player got at a step, as a provider sends it. */
  step({ report: Type.Object({ about: Type.String(), what: Type.Enum([...messageReports]) }, strict) }),
  step({ ramp: Type.Object({ campaign: Type.String(), share: Type.Integer({ minimum: 0, maximum: 100 }) }, strict) }),
  step({ expect: Type.Union([Type.Literal('nothing'), Type.Array(expectedSchema, { minItems: 1 })]) }),
]);

export type ScenarioStep =
  | { event: string; body?: Record<string, unknown>; late?: string; times?: number }
  | { after: string }
  | { until: string }
  | { player: PlayerState }
  | { enter: { campaign?: string; key: string; data?: Record<string, unknown> } }
  | { publish: { campaign: Campaign; move_runs?: boolean } }
  | { pause: string }
  | { resume: string }
  | { stop: string }
  | { report: { about: string; what: MessageReport } }
  | { ramp: { campaign: string; share: number } }
  | { expect: 'nothing' | Expected[] };

export const scenarioSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    campaigns: Type.Array(Type.Unknown()),
    templates: Type.Optional(Type.Array(Type.Unknown())),
    segments: Type.Optional(Type.Array(Type.Unknown())),
    /** The segment whose transitions the timeline shows; it is one of `segments`. */
    watched: Type.Optional(Type.String()),
    /** Brand settings, as in the configuration file. */
    brand: Type.Optional(fields),
    /** When the scenario starts. */
    at: Type.Optional(moment),
    player: Type.Optional(startSchema),
    steps: Type.Array(stepSchema, { minItems: 1, maxItems: 1_000 }),
  },
  strict,
);

export interface Scenario {
  name: string;
  campaigns: Campaign[];
  templates?: WrittenTemplate[];
  segments?: { code: string; name?: string; rule: Rule; include_protected?: boolean }[];
  watched?: string;
  brand?: Record<string, unknown>;
  at?: string;
  player?: StartState;
  /**
   * What happened to the player before, in the order of the ledger. If set, the player is a copy, and omitted values are
   * unknown.
   */
  past?: readonly PastEvent[];
  steps: ScenarioStep[];
}

export type PastEvent = Pick<LedgerEntry, 'kind' | 'body' | 'received_at'>;

/** Maps the name of a fact in campaigns to the kind of event that creates it. */
const factKinds: Readonly<Record<string, EventKind>> = { round: 'gameround', bet: 'sports', ticket: 'lottery' };

export function kindOfEvent(name: string): EventKind {
  return factKinds[name] ?? (name as EventKind);
}
