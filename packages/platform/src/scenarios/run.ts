import { type EventKind, eventKinds, type Micros, messages, readTimestampText } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Vault } from '../brands/index.ts';
import { CampaignRefused, enterPlayer, pause, ramp, refuseUnenterable, resume, stop } from '../campaigns/index.ts';
import { UnfitTemplate } from '../channels/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { SegmentRefused } from '../segments/membership/index.ts';
import { judge } from './judge.ts';
import { nextMomentOf } from './next-moment.ts';
import {
  answerLookUps,
  insertPlayer,
  refuseUnknownConsents,
  setPlayer,
  startPlayer,
  usualConsents,
  withdrawConsent,
} from './player.ts';
import { rolledBack } from './rolled-back.ts';
import { kindOfEvent, type PlayerState, type Scenario, type ScenarioStep } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import { createStages, type Stages } from './stages.ts';
import { moment } from './text.ts';
import type { TimelineEntry, TimelineLine } from './timeline.ts';
import { lastMessageAt, TimelineReader } from './timeline-reader.ts';
import { Transitions } from './transitions.ts';

export interface ScenarioResult {
  name: string;
  lines: TimelineLine[];
  /** One sentence for each failed expectation; an error in the scenario counts as one. */
  failures: string[];
  /** The errors by JSON path, if the scenario has wrong values. */
  errors?: readonly { path: string; message: string }[];
}

const usualStart = '2026-05-04T12:00:00Z';
/**
 * Maximum number of moments at which only the passing of time changes something. Without a maximum, a scenario whose
 * look-ups are never answered would run for days.
 */
const mostMoments = 5_000;

/**
 * Runs a scenario with its own clock, through the platform's stages, in a transaction that is rolled back: nothing is written,
 * and nothing is sent.
 */
export async function runScenario(
  { pool, vault, log, signal }: { pool: Pool; vault: Vault; log: Logger; signal?: AbortSignal },
  scenario: Scenario,
): Promise<ScenarioResult> {
  const lines: TimelineLine[] = [];
  const failures: string[] = [];
  let errors: ScenarioResult['errors'];
  try {
    await rolledBack(
      pool,
      async (inside) => {
        const actor = await Actor.begin({ pool: inside, vault, log }, scenario, lines);
        for (const step of scenario.steps) failures.push(...(await actor.perform(step)));
        // A scenario without expectations, as from the console API, only shows what happens.
        if (scenario.steps.some((step) => 'expect' in step)) failures.push(...actor.judgeRest());
      },
      signal,
    );
  } catch (error) {
    const sentence = mistakeIn(error);
    if (sentence === undefined) throw error;
    failures.push(sentence);
    if (error instanceof ScenarioError && error.errors.length > 0) errors = error.errors;
    lines.push({ kind: 'failed', at: lastMoment(lines), text: sentence });
  }
  return { name: scenario.name, lines, failures, ...(errors !== undefined && { errors }) };
}

function lastMoment(lines: readonly TimelineLine[]): Micros {
  const last = lines.at(-1);
  if (last === undefined) return readMoment(usualStart);
  return last.kind === 'came' ? last.entry.at : last.at;
}

/** The error in the scenario, its campaign, template or segment; undefined if the platform failed. */
function mistakeIn(error: unknown): string | undefined {
  if (error instanceof ScenarioError) return error.message;
  if (error instanceof CampaignRefused || error instanceof SegmentRefused || error instanceof UnfitTemplate) {
    const { errors = [] } = error as { errors?: readonly { path: string; message: string }[] };
    return [error.message, ...errors.map(({ path, message }) => `${path} ${message}`)].join('; ');
  }
  return undefined;
}

interface Deps {
  pool: Pool;
  vault: Vault;
  log: Logger;
}

class Actor {
  readonly #pool: Pool;
  readonly #stages: Stages;
  readonly #reader: TimelineReader;
  readonly #transitions: Transitions | undefined;
  readonly #lines: TimelineLine[];
  readonly #userId: string;
  readonly #playerId: number;
  readonly #clock: { at: Micros };
  readonly #campaigns: readonly string[];
  #player: PlayerState;
  #events = 0;
  /** Entries since the last expectation. */
  #came: TimelineEntry[] = [];

  static async begin(deps: Deps, scenario: Scenario, lines: TimelineLine[]): Promise<Actor> {
    const clock = { at: readMoment(scenario.at ?? usualStart) };
    const stages = await createStages({ ...deps, clock: () => clock.at }, scenario.brand);
    const { user_id = 'player', traits, ...player } = scenario.player ?? {};
    const playerId = await insertPlayer(deps.pool, stages.brand, user_id, clock.at);
    const actor = new Actor({ ...deps, stages, lines, user_id, playerId, player, clock, scenario });
    // A copied player has only known values, without defaults.
    const usual = scenario.past === undefined ? usualConsents : {};
    // A copied player has the consents of a real one, whose operator may have additional types.
    if (scenario.past === undefined) refuseUnknownConsents(stages.brand, player.consents);
    await actor.#setPlayer({ ...player, consents: { ...usual, ...player.consents } });
    if (traits !== undefined) {
      const isCopied = scenario.past !== undefined;
      await startPlayer(deps.pool, stages.brand, { playerId, traits, isCopied, at: clock.at });
    }
    await stages.derivePast(user_id, scenario.past ?? []);
    for (const template of scenario.templates ?? []) await stages.addTemplate(template);
    for (const segment of scenario.segments ?? []) await stages.addSegment(segment);
    for (const campaign of scenario.campaigns) await stages.publish(campaign, { movesRuns: false });
    await actor.#follow();
    return actor;
  }

  constructor(of: {
    pool: Pool;
    stages: Stages;
    lines: TimelineLine[];
    user_id: string;
    playerId: number;
    player: PlayerState;
    clock: { at: Micros };
    scenario: Scenario;
  }) {
    this.#pool = of.pool;
    this.#stages = of.stages;
    this.#lines = of.lines;
    this.#userId = of.user_id;
    this.#playerId = of.playerId;
    this.#player = of.player;
    this.#clock = of.clock;
    this.#campaigns = of.scenario.campaigns.map(({ code }) => code);
    this.#reader = new TimelineReader({ pool: of.pool, playerId: of.playerId });
    const { watched: segment } = of.scenario;
    const { brand, rules } = of.stages;
    this.#transitions =
      segment === undefined
        ? undefined
        : new Transitions({ pool: of.pool, brand, rules, playerId: of.playerId, segment });
  }

  /** @returns expectations that were not met */
  async perform(step: ScenarioStep): Promise<string[]> {
    const { at } = this.#clock;
    if ('expect' in step) return this.#expect(step.expect);
    if ('after' in step) await this.#moveTo(at + lengthOf(step.after), step.after);
    else if ('until' in step) await this.#moveTo(readMoment(step.until), step.until);
    else {
      this.#given(describeStep(step));
      await this.#change(step);
      await this.#follow();
    }
    return [];
  }

  /** @returns effects after the last expectation, which no expectation lists */
  judgeRest(): string[] {
    return this.#expect([]);
  }

  async #change(
    step: Exclude<ScenarioStep, { expect: unknown } | { after: string } | { until: string }>,
  ): Promise<void> {
    const { find, by } = this.#stages;
    if ('event' in step) for (let count = 0; count < (step.times ?? 1); count++) this.#append(step);
    else if ('player' in step) {
      refuseUnknownConsents(this.#stages.brand, step.player.consents);
      await this.#setPlayer(step.player);
    } else if ('report' in step) await this.#report(step.report);
    else if ('publish' in step)
      await this.#stages.publish(step.publish.campaign, { movesRuns: step.publish.move_runs ?? false });
    else if ('enter' in step) {
      const { campaign: code = this.#campaigns[0] ?? '', key, data = {} } = step.enter;
      const campaign = await find(code);
      await transaction(this.#pool, async (tx) => {
        await refuseUnenterable(tx, campaign);
        await enterPlayer(tx, campaign, { player_id: this.#playerId, key, data, at: this.#clock.at });
      });
    } else
      await transaction(this.#pool, async (tx) => {
        if ('pause' in step) await pause(tx, await find(step.pause, tx));
        else if ('resume' in step) await resume(tx, await find(step.resume, tx), by());
        else if ('stop' in step) await stop(tx, await find(step.stop, tx), by());
        else await ramp(tx, await find(step.ramp.campaign, tx), step.ramp.share, by());
      });
  }

  #append({ event, body = {}, late }: Extract<ScenarioStep, { event: string }>): void {
    const kind = kindOfEvent(event);
    if (!eventKinds.includes(kind))
      throw new ScenarioError(`unknown event ${event}; the events are ${eventKinds.join(', ')}`);
    const timestamp = timestamptzText(this.#clock.at - (late === undefined ? 0 : lengthOf(late)));
    const { base_currency } = this.#stages.brand.settings;
    this.#events++;
    this.#stages.append(kind, this.#userId, {
      ...usualBody(kind, { base_currency, number: this.#events }),
      timestamp: timestamp.replace(' ', 'T'),
      ...body,
      user_id: this.#userId,
    });
  }

  async #report({ about, what }: Extract<ScenarioStep, { report: unknown }>['report']): Promise<void> {
    const { brand } = this.#stages;
    const message = await lastMessageAt(this.#pool, this.#playerId, about);
    if (message === null) throw new ScenarioError(`report: the player got no message at the step ${about}`);
    this.#append({ event: 'message_event', body: { what, provider: 'scenario', ...message } });
    if (what === 'complained' || what === 'unsubscribed')
      await withdrawConsent(this.#pool, brand, this.#playerId, message.channel, this.#clock.at);
  }

  async #setPlayer(state: PlayerState): Promise<void> {
    this.#player = { ...this.#player, ...state };
    await setPlayer(this.#pool, this.#stages.brand, this.#playerId, state, this.#clock.at);
  }

  async #moveTo(end: Micros, said: string): Promise<void> {
    if (end < this.#clock.at)
      throw new ScenarioError(`until ${said}: the clock is already at ${moment(this.#clock.at)}`);
    this.#given(`until ${moment(end)}`);
    for (let count = 0; this.#clock.at < end; count++) {
      if (count === mostMoments) throw new ScenarioError(`more than ${mostMoments} points in time until ${said}`);
      this.#clock.at = await nextMomentOf(this.#pool, this.#stages.brand, this.#playerId, this.#clock.at, end);
      await this.#follow();
    }
  }

  async #follow(): Promise<void> {
    const { brand } = this.#stages;
    const { at } = this.#clock;
    const isKnown = this.#player.known !== false;
    if (isKnown) await answerLookUps(this.#pool, brand, this.#playerId, at);
    await this.#stages.follow();
    const moved = (await this.#transitions?.next(at)) ?? [];
    const entries = [...moved, ...(await this.#reader.next(at, brand.brand_id))];
    this.#came.push(...entries);
    for (const entry of entries) this.#lines.push({ kind: 'came', entry });
  }

  #expect(expected: Extract<ScenarioStep, { expect: unknown }>['expect']): string[] {
    const failures = judge(expected, this.#came);
    this.#came = [];
    for (const text of failures) this.#lines.push({ kind: 'failed', at: this.#clock.at, text });
    return failures;
  }

  #given(text: string): void {
    this.#lines.push({ kind: 'given', at: this.#clock.at, text });
  }
}

function describeStep(step: ScenarioStep): string {
  return Object.entries(step)
    .map(([name, value]) => {
      if (name === 'publish') return `publish ${(value as { campaign: { code: string } }).campaign.code}`;
      return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join(' ');
}

/** The required fields of an event, as in the first sample of its kind, in the base currency. */
export function usualBody(
  kind: EventKind,
  { base_currency, number }: { base_currency: string; number: number },
): Record<string, unknown> {
  const { samples, schema } = messages[kind] as {
    samples: Record<string, object>;
    schema: { required: readonly string[] };
  };
  const [sample = {}] = Object.values(samples);
  const required = Object.entries(sample).filter(([name]) => schema.required.includes(name));
  const body: Record<string, unknown> = Object.fromEntries(required);
  if ('currency' in body) body.currency = base_currency;
  if ('exchange_rate' in body) body.exchange_rate = 1;
  for (const name of ['round_id', 'activity_id', 'transaction_id', 'user_bonus_id', 'event_id', 'cart_id'])
    if (name in body) body[name] = `${name} ${number}`;
  return body;
}

function lengthOf(text: string): Micros {
  const length = readDuration(text);
  if (length === undefined || length === null)
    throw new ScenarioError(`${text} is not a duration; write for example PT2H or P1D`);
  return length;
}

function readMoment(text: string): Micros {
  const written = readTimestampText(text);
  if (written === undefined || written === null || !written.zoned)
    throw new ScenarioError(`${text} is not a date-time; write for example ${usualStart}`);
  return written.micros;
}
