import {
  type Contact,
  type ContactHistory,
  type ContactSettings,
  type DecidedContact,
  decideContacts,
  isHeldOut,
  longestCap,
  marketPolicyOf,
  type PolicySubject,
  playerZone,
  quietHoursOf,
  type RequestedContact,
} from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand, BrandSettings } from '../../brands/index.ts';
import { readOrderedMessages } from '../../channels/index.ts';
import { timestamptzText } from '../../database/index.ts';
import type { RulesOfContact, Ruling } from '../../gate/index.ts';
import { type RunPlayer, readProductConsents } from '../runs/store.ts';
import { lockForCaps } from './cap-locks.ts';

/** A planned contact with one player, before the gate decides. */
export interface PlannedContact {
  player: RunPlayer;
  contact: Contact & { priority: number };
  /** The fields that market policies read. */
  subject: Omit<PolicySubject, 'purpose' | 'consented'>;
}

/** A waiting contact. It keeps its place under the caps, ahead of contacts with a lower priority. */
export interface HeldContact extends Contact {
  player_id: number;
  priority: number;
}

export interface PlannedBy {
  brand: Brand;
  at: Micros;
  /** The waiting contacts with these players, except the planned ones. */
  heldOf(players: readonly number[]): Promise<readonly HeldContact[]>;
}

/**
 * The rules of contact for contacts of one brand that are decided together. This function reads the data; packages/campaigns
 * decides, after the gate has said which contacts it allows.
 *
 * If there are caps, the players are locked until the transaction ends, so that two transactions never both take the last place
 * under a cap.
 *
 * @returns undefined if the brand has no rule of contact that applies to any of them
 */
export async function rulesFor(
  tx: PoolClient,
  planned: readonly PlannedContact[],
  { brand, at, heldOf }: PlannedBy,
): Promise<RulesOfContact | undefined> {
  const { settings } = brand;
  const rules = contactSettings(settings);
  const isAbout = planned.map((one) => hasRules(rules, settings, one));
  if (!isAbout.includes(true)) return undefined;
  const players = [...new Set(planned.filter((_, place) => isAbout[place]).map(({ player }) => player.player_id))];
  const histories = new Map<number, ContactHistory>();
  if (rules.frequency_caps.length > 0) {
    await lockForCaps(tx, players);
    const sent = await readOrderedMessages(tx, players, { after: at - longestCap(rules.frequency_caps), now: at });
    const held = await heldOf(players);
    const of = <T extends { player_id: number }>(all: readonly T[], player: number) =>
      all.filter(({ player_id }) => player_id === player);
    for (const player of players) histories.set(player, { sent: of(sent, player), held: of(held, player) });
  }
  const consented = await readConsented(tx, settings, players);
  return (outcomes) => {
    const questions = planned.map(({ player, contact, subject }, place): RequestedContact => {
      const policy = marketPolicyOf(player.market, player.country);
      const question = {
        contact,
        at,
        zone: zoneOf(player, settings),
        country: policy?.market ?? null,
        isHeldOut: isHeldOut(`${brand.code} ${player.user_id}`, settings.holdout.percent),
        subject: { ...subject, consented: consented(player.player_id, contact.channel) },
      };
      return { player: player.player_id, question, gate: outcomes[place] ?? 'withheld' };
    });
    const decided = decideContacts(rules, questions, (player) => histories.get(Number(player)) ?? nothing);
    return decided.map((one, place) =>
      one === null || !isAbout[place] ? null : rulingOf(one, rules, questions[place] as RequestedContact),
    );
  };
}

/** The time zone of a player of a brand. */
export function zoneOf(player: RunPlayer, { time_zone, country_time_zones }: BrandSettings): string {
  return playerZone(player, { time_zone, country_time_zones });
}

const nothing: ContactHistory = { sent: [], held: [] };

export function contactSettings({ quiet_hours, frequency_caps }: BrandSettings): ContactSettings {
  return { quiet_hours: quietHoursOf(quiet_hours), frequency_caps };
}

function hasRules(
  { quiet_hours, frequency_caps }: ContactSettings,
  { holdout }: BrandSettings,
  { player: { market, country }, contact }: PlannedContact,
): boolean {
  if (holdout.percent > 0 || marketPolicyOf(market, country) !== undefined) return true;
  return contact.purpose !== 'bonus' && (quiet_hours !== null || frequency_caps.length > 0);
}

function rulingOf(
  { decision, counted }: DecidedContact,
  rules: ContactSettings,
  { question }: RequestedContact,
): Ruling {
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

/** The products for which players have consented to marketing, by channel. */
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
