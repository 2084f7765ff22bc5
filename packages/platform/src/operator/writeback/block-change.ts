import type { blockTypes, Micros } from '@croupier/contracts';

/** A block that staff set or take away (docs/reference/decisions.md 4, optional endpoint POST /userblocks/:userid). */
export interface BlockChange {
  brand_id: number;
  player_id: number;
  type: (typeof blockTypes)[number];
  active: boolean;
  /** Why; the operator gets it with the block. */
  note: string;
  source: 'staff';
  at: Micros;
  /**
   * Setting operator.write_blocks of the brand. Without it the operator is told nothing: the block is the platform's own,
   * and stands until staff take it away.
   */
  write_back: boolean;
}
