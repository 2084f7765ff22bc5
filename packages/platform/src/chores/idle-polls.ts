/**
 * Decides whether a poll first checks, with one statement, if there is work for a round. It does so if the last round
 * found nothing, and nothing in this process has announced work since. Without this check, rounds that find nothing
 * would cost several statements, many times a second.
 */
export class IdlePolls {
  #isWoken = true;
  #wasIdle = false;

  /** Call this if there may be work. */
  wake(): void {
    this.#isWoken = true;
  }

  /** Call this before a round. @returns whether to check for work first */
  asks(): boolean {
    const asks = this.#wasIdle && !this.#isWoken;
    this.#isWoken = false;
    // `ended` is not called after a round that fails, so the next round runs without a check.
    this.#wasIdle = false;
    return asks;
  }

  /** Call this when a round, or the check that replaced it, has ended. */
  ended({ isIdle }: { isIdle: boolean }): void {
    this.#wasIdle = isIdle;
  }
}
