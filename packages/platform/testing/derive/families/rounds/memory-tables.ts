import type { PlayerBatch } from '../../../../src/derive/families/rounds/arrival.ts';
import { decide, type Lookup, type RoundDecision } from '../../../../src/derive/families/rounds/decide.ts';
import { decode, encode } from '../../../../src/derive/families/rounds/encode.ts';
import type { KeyRule } from '../../../../src/derive/families/rounds/keys.ts';
import { roundGap } from '../../../../src/derive/families/rounds/message.ts';
import type { HeldRound, RoundFact } from '../../../../src/derive/families/rounds/round.ts';
import { furtherLookups, wantedBy } from '../../../../src/derive/families/rounds/wanted.ts';
import type { Part } from '../../../../src/derive/totals/index.ts';

/**
 * The tables of rounds in memory, for tests of the decision. They return exactly what store.ts would load, so that a decision
 * that needs more fails. Rounds are encoded and decoded.
 */
export class MemoryTables {
  readonly #rounds = new Map<string, { fact: RoundFact; events: string }>();
  readonly #lookups = new Map<string, Lookup>();
  readonly #totals = new Map<string, string[]>();

  apply(batches: readonly PlayerBatch[]): RoundDecision {
    const loaded = this.#load(wantedBy(batches));
    const further = furtherLookups(batches, new Map([[7, loaded]]));
    const all =
      further.length === 0 ? loaded : [...new Set([...loaded, ...this.#load({ keys: [], lookups: further })])];
    const decision = decide(batches, () => all);
    for (const { round, state } of decision.gone) this.#rounds.delete(keyOf({ round, state }));
    for (const fact of decision.saved) {
      this.#rounds.set(keyOf(fact), { fact, events: encode(fact.round, fact.state) });
    }
    for (const lookup of decision.lookups.gone) this.#lookups.delete(textOf(lookup));
    for (const lookup of decision.lookups.added) this.#lookups.set(textOf(lookup), lookup);
    for (const { before, after } of decision.parts) {
      for (const part of before) this.#add(part, '-');
      for (const part of after) this.#add(part, '');
    }
    return decision;
  }

  rounds(): RoundFact[] {
    return [...this.#rounds.values()].map(({ fact }) => fact);
  }

  /** The totals, keyed by `column vendor game at` as in plain.ts, without zeros. */
  totals(millionths: (text: string) => bigint): [string, bigint][] {
    const sums = [...this.#totals].map(([name, values]): [string, bigint] => {
      let sum = 0n;
      for (const value of values) sum += value.startsWith('-') ? -millionths(value.slice(1)) : millionths(value);
      return [name, name.includes('_count ') ? sum / 1_000_000n : sum];
    });
    return sums.filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The lookups that the held versions require, to find a missing or superfluous row. */
  lookups(rule: KeyRule): { held: string[]; wanted: string[] } {
    const wanted = this.rounds().flatMap(({ round }) => {
      const { player_id, round_key } = round;
      return round.activities.flatMap((activity) =>
        rule.lookups(round, activity).map((lookup) => textOf({ player_id, lookup, round_key })),
      );
    });
    return { held: [...this.#lookups.keys()].sort(), wanted: [...new Set(wanted)].sort() };
  }

  #load({ keys, lookups }: ReturnType<typeof wantedBy>): HeldRound[] {
    const asked = lookups.flatMap(({ player_id, lookup }) =>
      [...this.#lookups.values()].filter((row) => row.player_id === player_id && row.lookup === lookup),
    );
    const found = [...this.#rounds.values()].filter(({ fact: { round, state } }) => {
      const isNear = ({ round_key, from, until }: (typeof keys)[number]) =>
        round_key === round.round_key && state.held_from <= until + roundGap && state.held_to >= from - roundGap;
      return keys.some(isNear) || asked.some(({ round_key }) => round_key === round.round_key);
    });
    return found.map((row) => this.#loaded(row));
  }

  readonly #decoded = new WeakMap<object, HeldRound>();

  #loaded(row: { fact: RoundFact; events: string }): HeldRound {
    const known = this.#decoded.get(row);
    if (known !== undefined) return known;
    const { round, state } = row.fact;
    const held = { round: { ...round, ...decode(row.events, state) }, state };
    this.#decoded.set(row, held);
    return held;
  }

  #add({ at, by, counts, sums }: Part, sign: '' | '-'): void {
    for (const [column, value] of [...Object.entries(counts), ...Object.entries(sums ?? {})]) {
      const name = `${column} ${by?.vendor_id} ${by?.game_id} ${at}`;
      this.#totals.set(name, [...(this.#totals.get(name) ?? []), `${sign}${value}`]);
    }
  }
}

function keyOf({ round, state }: HeldRound): string {
  return `${round.player_id}:${round.round_key}:${state.first_at}`;
}

function textOf({ player_id, lookup, round_key }: Lookup): string {
  return `${player_id}:${lookup}:${round_key}`;
}
