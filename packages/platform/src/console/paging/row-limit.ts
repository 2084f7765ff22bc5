/**
 * Limits the rows of each read, and notes whether a read had more. Each read requests one row more than the limit: that row shows that
 * the list goes on, without counting everything.
 */
export class RowLimit {
  /** Whether rows were left out. */
  isExceeded = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many rows a read requests. */
  get requested(): number {
    return this.#most + 1;
  }

  /** The rows within the limit. */
  keep<Row>(rows: readonly Row[]): readonly Row[] {
    if (rows.length <= this.#most) return rows;
    this.isExceeded = true;
    return rows.slice(0, this.#most);
  }
}
