import {
  type AskedContact,
  type ContactHistory,
  type ContactSettings,
  contactOf,
  type DecidedContact,
  decideContacts,
  type Effect,
  effectAt,
  isHeldOut,
  longestCap,
  policyPackOf,
  priorityOf,
  subjectOf,
} from '@croupier/campaigns';
import type { PoolClient } from 'pg';
import type { BrandSettings } from '../../brands/index.ts';
import { readOrderedMessages } from '../../channels/index.ts';
import { timestamptzText } from '../../database/index.ts';
import type { RulesOfContact, Ruling } from '../../gate/index.ts';
import type { Versions } from '../documents/active-store.ts';
import type { RunAtHand } from './drive.ts';
import { type MovedRun, readHeldRuns, readProductConsents } from './store.ts';

/** An effect that a run is held at. */
export interface AskedEffect {
  hand: RunAtHand;
  effect: Effect;
}

/**
 * The rules of contact for effects of one brand that are asked for together. What they read is read here; what they decide is decided by
 * packages/campaigns, once the gate has said which contacts it allows.
 *
 * Runs of a player are moved by one transaction at a time (the locks of buckets), so two of them never take the last place of a cap both.
 *
 * @param moved runs of this round that have come to rest: they stand in the database as they were before
 * @returns undefined: the brand has no rule of contact that is about any of these
 */
export async function rulesOfContact(
  tx: PoolClient,
  versions: Pick<Versions, 'load'>,
  asked: readonly AskedEffect[],
  moved: readonly MovedRun[],
): Promise<RulesOfContact | undefined> {
  const [first] = asked;
  if (first === undefined) return undefined;
  const { settings } = first.hand.brand;
  const rules = contactSettings(settings);
  const isAbout = asked.map((one) => hasRules(rules, settings, one));
  if (!isAbout.includes(true)) return undefined;
  const players = [...new Set(asked.filter((_, place) => isAbout[place]).map(({ hand }) => hand.row.player_id))];
  const [histories, consented] =
    rules.frequency_caps.length === 0
      ? [new Map<number, ContactHistory>(), await readConsented(tx, settings, players)]
      : [
          await readHistories(tx, { versions, asked, moved, players, rules, at: first.hand.context.at }),
          await readConsented(tx, settings, players),
        ];
  return (outcomes) => {
    const questions = asked.map(({ hand, effect }, place): AskedContact => {
      const { player, brand, version, context } = hand;
      const contact = { ...contactOf(effect), priority: priorityOf(version.document) };
      const pack = policyPackOf(player.market, player.country);
      const isHeld = isHeldOut(`${brand.code} ${player.user_id}`, settings.holdout.percent);
      const subject = {
        ...subjectOf(version.document, effect),
        consented: consented(player.player_id, contact.channel),
      };
      const { at, zone } = context;
      const question = { contact, at, zone, country: pack?.market ?? null, isHeldOut: isHeld, subject };
      return { player: player.player_id, question, gate: outcomes[place] ?? 'withheld' };
    });
    const decided = decideContacts(rules, questions, (player) => histories.get(Number(player)) ?? nothing);
    return decided.map((one, place) =>
      one === null || !isAbout[place] ? null : rulingOf(one, rules, questions[place] as AskedContact),
    );
  };
}

const nothing: ContactHistory = { sent: [], held: [] };

export function contactSettings({ quiet_hours, frequency_caps }: BrandSettings): ContactSettings {
  const { from, to } = quiet_hours;
  return { quiet_hours: from === '' || from === to ? null : { from, to }, frequency_caps };
}

function hasRules({ quiet_hours, frequency_caps }: ContactSettings, { holdout }: BrandSettings, one: AskedEffect) {
  const { market, country } = one.hand.player;
  if (holdout.percent > 0 || policyPackOf(market, country) !== undefined) return true;
  return contactOf(one.effect).purpose !== 'bonus' && (quiet_hours !== null || frequency_caps.length > 0);
}

function rulingOf({ decision, counted }: DecidedContact, rules: ContactSettings, { question }: AskedContact): Ruling {
  const { zone, country, isHeldOut, contact, subject } = question;
  const inputs = {
    zone,
    policy: country,
    held_out: isHeldOut,
    priority: contact.priority,
    quiet_hours: contact.purpose === 'bonus' ? null : rules.quiet_hours,
    caps: counted.map(({ cap, sent, reserved }) => ({ ...cap, sent, reserved })),
    ...(country !== null && { subject }),
    ...(decision.outcome === 'hold' && { until: timestamptzText(decision.until) }),
  };
  if (decision.outcome === 'allowed') return { outcome: 'allowed', inputs };
  if (decision.outcome === 'withheld') return { outcome: 'withheld', reason: decision.reason, inputs };
  return { outcome: 'held', reason: decision.reason, until: decision.until, inputs };
}

interface HistoriesOf {
  versions: Pick<Versions, 'load'>;
  asked: readonly AskedEffect[];
  moved: readonly MovedRun[];
  players: readonly number[];
  rules: ContactSettings;
  at: number;
}

/** What players received since the longest cap began, and what their other runs are held at. */
async function readHistories(
  tx: PoolClient,
  { versions, asked, moved, players, rules, at }: HistoriesOf,
): Promise<Map<number, ContactHistory>> {
  const sent = await readOrderedMessages(tx, players, at - longestCap(rules.frequency_caps));
  const here = new Set([...asked.map(({ hand }) => hand.row.run_id), ...moved.map(({ run_id }) => run_id)]);
  const resting = moved
    .filter(({ state, reason }) => state === 'held' && reason !== 'paused')
    .map(({ run_id, player_id, version_id, position }) => ({ run_id, player_id, version_id, step: position.step }));
  const held = [...(await readHeldRuns(tx, players)).filter(({ run_id }) => !here.has(run_id)), ...resting];
  const known = await versions.load(held.map(({ version_id }) => version_id));
  const waiting = held.flatMap(({ player_id, version_id, step }) => {
    const document = known.get(version_id)?.document;
    const effect = document === undefined || step === null ? undefined : effectAt(document, step, at);
    if (document === undefined || effect === undefined || !isMessage(effect)) return [];
    return [{ player_id, ...contactOf(effect), priority: priorityOf(document) }];
  });
  return new Map(
    players.map((player) => [
      player,
      {
        sent: sent.filter(({ player_id }) => player_id === player),
        held: waiting.filter(({ player_id }) => player_id === player),
      },
    ]),
  );
}

function isMessage({ kind }: Effect): boolean {
  return kind === 'send' || kind === 'webhook' || kind === 'call_list';
}

/** Products for which players take marketing, by channel. */
async function readConsented(tx: PoolClient, { product_consents }: BrandSettings, players: readonly number[]) {
  const types = product_consents.map(({ consent }) => consent.toLowerCase());
  const given = new Set(
    (await readProductConsents(tx, players, types)).map(({ player_id, type_key }) => `${player_id} ${type_key}`),
  );
  return (player: number, channel: string): string[] =>
    product_consents
      .filter((one) => one.channel === channel && given.has(`${player} ${one.consent.toLowerCase()}`))
      .map(({ product }) => product);
}
