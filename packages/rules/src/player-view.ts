import type { Micros } from '@croupier/contracts';
import type { Value } from './value.ts';

/** A fact of a player: when it happened, and its fields. */
export interface FactRow {
  readonly at: Micros;
  readonly [field: string]: Value;
}

/**
 * What is known about one player now, and how it changes if nothing new arrives. Windows move: "deposits in the last 7
 * days" has another value tomorrow without any event.
 */
export interface PlayerView {
  /** The value of a field now or at a later moment, computed from what is known now. */
  value(field: string, at: Micros): Value;
  /**
   * The first moment after `at` at which that value may differ; undefined: it does not change. It may be too early, but
   * never too late.
   */
  changesAfter(field: string, at: Micros): Micros | undefined;
  /** The facts of a kind that are in force, in any order. */
  facts(kind: string): readonly FactRow[];
}
