import type { blockTypes, Micros } from '@croupier/contracts';

/** A block that staff set or remove (docs/reference/decisions.md 4, optional endpoint POST /userblocks/:userid). */
export interface BlockChange {
  brand_id: number;
  player_id: number;
  type: (typeof blockTypes)[number];
  active: boolean;
  /** The reason; sent to the operator with the block. */
  note: string;
  source: 'staff';
  at: Micros;
  /**
   * Setting operator.write_blocks of the brand. If false, nothing is sent to the operator: only the platform has the block, and it stays
   * in force until staff remove it.
   */
  write_back: boolean;
}
