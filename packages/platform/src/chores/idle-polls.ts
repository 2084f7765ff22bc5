/**
 * Knows when a poll may ask, with one statement, whether a round would find work: if the last round found nothing, and nothing in
 * this process has announced work since. A round that finds nothing costs several statements, many times a second.
 */
export class IdlePolls {
  #isWoken = true;
  #wasIdle = false;

  /** Call it if there may be work. */
  wake(): void {
    this.#isWoken = true;
  }

  /** Call it before a round. @returns whether to ask before making it */
  asks(): boolean {
    const asks = this.#wasIdle && !this.#isWoken;
    this.#isWoken = false;
    // A round that fails never ends. The next one is made without asking.
    this.#wasIdle = false;
    return asks;
  }

  /** Call it when a round, or the question in its place, has ended. */
  ended({ isIdle }: { isIdle: boolean }): void {
    this.#wasIdle = isIdle;
  }
}
