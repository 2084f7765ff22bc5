import { createHash } from 'node:crypto';

/** From this use on, a connection prepares a statement. Statements whose text is generated for one use stay unprepared. */
const usesBeforePreparing = 5;
/** Maximum number of statements that one connection prepares automatically. Each costs the server some 10 KB of memory. */
const maxPrepared = 300;
/** Maximum number of texts whose uses are counted. */
const maxCounted = 2_000;

/**
 * Decides which statements of one connection are prepared: parsed and planned once, and then run by name. Parsing and
 * planning again takes 0.1 to 1 ms, which is more than most look-ups by key take to run.
 *
 * Use it only for connections whose statements need no separate plan for each parameter.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  /** @returns the name under which to run the statement, or undefined if it is not prepared */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxPrepared) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < usesBeforePreparing) {
      if (this.#uses.size >= maxCounted) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = `auto_${createHash('sha256').update(text).digest('base64url').slice(0, 40)}`;
    this.#names.set(text, name);
    return name;
  }
}
