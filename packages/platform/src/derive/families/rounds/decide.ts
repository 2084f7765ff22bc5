import type { DerivedEvent } from '../../event.ts';
import type { PartsChange } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';
import type { PlayerBatch } from './arrival.ts';
import { type BaseAmounts, baseAmountsOf } from './base-amounts.ts';
import type { Cluster } from './cluster.ts';
import type { Entry, Place } from './entry.ts';
import { PlayerRounds } from './player-rounds.ts';
import type { HeldRound, Round, RoundFact } from './round.ts';
import { partsChange, type RoundChange, settle } from './settle.ts';

/** Where an activity is stored: a row of casino_activity. */
export interface Lookup {
  player_id: number;
  lookup: number;
  round_key: number;
}

export interface RoundDecision {
  verdicts: Map<DerivedEvent, Verdict>;
  /** Rounds to be written. They replace the rounds stored under the same key. */
  saved: RoundFact[];
  /** Rounds that no longer exist, or that now begin at another time. */
  gone: HeldRound[];
  changes: (RoundChange & { batch: PlayerBatch })[];
  parts: PartsChange[];
  lookups: { added: Lookup[]; gone: Lookup[] };
  resolved: { brand_id: number; orphans: number }[];
}

/**
 * Applies a batch to the rounds that it affects. Pure.
 *
 * @param loadedOf returns two kinds of rounds of a player (store.ts): those within 72 h of an arriving event with the same key, and all
 *   rounds under the lookups of the arriving events
 */
export function decide(
  batches: readonly PlayerBatch[],
  loadedOf: (playerId: number) => readonly HeldRound[],
): RoundDecision {
  const decision: RoundDecision = {
    verdicts: new Map(),
    saved: [],
    gone: [],
    changes: [],
    parts: [],
    resolved: [],
    lookups: { added: [], gone: [] },
  };
  for (const batch of batches) decidePlayer(batch, loadedOf(batch.player_id), decision);
  return decision;
}

function decidePlayer(batch: PlayerBatch, loaded: readonly HeldRound[], decision: RoundDecision): void {
  const rounds = new PlayerRounds(batch, loaded);
  for (const arrival of batch.arrivals) {
    const outcome = 'message' in arrival ? rounds.addMessage(arrival) : rounds.addActivity(arrival);
    if (outcome !== 'new') decision.verdicts.set(arrival.source, outcome);
  }
  rounds.resolve();
  for (const place of rounds.places.values()) {
    if (!place.touched) continue;
    changeRounds(batch, place, rounds.clusters(place), decision);
    changeLookups(batch, place, decision);
  }
  for (const arrival of batch.arrivals) {
    if ('message' in arrival || decision.verdicts.has(arrival.source)) continue;
    if (rounds.inForce(arrival.key)?.resolution === 'orphan') decision.verdicts.set(arrival.source, 'orphan');
  }
  const orphans = resolvedOrphans(rounds);
  if (orphans > 0) decision.resolved.push({ brand_id: batch.brand_id, orphans });
}

function changeRounds(batch: PlayerBatch, place: Place, clusters: readonly Cluster[], decision: RoundDecision): void {
  const { player_id, brand_id, settings } = batch;
  const { base_currency } = settings;
  const before = place.loaded.filter(({ round }) => !clusters.some((cluster) => isSame(round, cluster)));
  const after: { fact: RoundFact; amounts: BaseAmounts }[] = [];
  for (const cluster of clusters) {
    if (place.loaded.some(({ round }) => isSame(round, cluster))) continue;
    const round: Round = { player_id, round_key: place.round_key, ...place.ids, ...cluster };
    const baseValue = baseAmountsOf(round, base_currency);
    after.push({ fact: { round, state: settle(round, baseValue) }, amounts: baseValue });
  }
  for (const { fact, amounts } of after) {
    const held = before.find(({ state }) => state.first_at === fact.state.first_at);
    const change = { before: held, after: fact };
    decision.changes.push({ ...change, batch });
    decision.parts.push(partsChange(change, amounts, { brand_id, base_currency }));
    decision.saved.push(fact);
  }
  for (const fact of before) {
    if (after.some((other) => other.fact.state.first_at === fact.state.first_at)) continue;
    const change = { before: fact, after: undefined };
    decision.changes.push({ ...change, batch });
    decision.parts.push(partsChange(change, undefined, { brand_id, base_currency }));
    decision.gone.push(fact);
  }
}

function isSame(a: Cluster, b: Cluster): boolean {
  return isSameList(a.activities, b.activities) && isSameList(a.runs, b.runs);
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

function changeLookups(batch: PlayerBatch, place: Place, { lookups }: RoundDecision): void {
  const { player_id, rule } = batch;
  const { round_key } = place;
  const lookupsOf = ({ activity }: Entry) => rule.lookups(place.ids, activity);
  for (const entry of place.entries) {
    if (entry.lookups === undefined || entry.gone) continue;
    for (const lookup of entry.lookups) lookups.added.push({ player_id, lookup, round_key });
  }
  const gone = place.entries.filter((entry) => entry.gone && entry.was !== undefined);
  if (gone.length === 0) return;
  const held = new Set(place.entries.flatMap((entry) => (entry.gone ? [] : lookupsOf(entry))));
  for (const lookup of new Set(gone.flatMap(lookupsOf))) {
    if (!held.has(lookup)) lookups.gone.push({ player_id, lookup, round_key });
  }
}

/** The number of orphans of earlier batches that now cancel something. */
function resolvedOrphans(rounds: PlayerRounds): number {
  let orphans = 0;
  for (const { entries } of rounds.places.values()) {
    for (const { was, key } of entries) {
      if (was === 'orphan' && rounds.inForce(key)?.resolution === 'in_force') orphans += 1;
    }
  }
  return orphans;
}
