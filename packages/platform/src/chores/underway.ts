/*
 * What rounds have begun and is not over: calls, with the claim that each is made under.
 *
 *   begin ----> under way ----> over
 *                   |
 *                   '--stop, and the grace is over--> left: whoever stops gives the claims back, or lets them run out
 *
 * Nothing is cut off here. How much may be under way at once is the business of slots, which are taken before a claim is made.
 */
export class Underway<Claim> {
  readonly #work = new Map<Claim, Promise<void>>();

  /** @param work never rejects: whoever begins it says what a failure means */
  begin(claim: Claim, work: Promise<void>): void {
    this.#work.set(
      claim,
      work.finally(() => this.#work.delete(claim)),
    );
  }

  /** Resolves when everything is over that is under way now. */
  async idle(): Promise<void> {
    await Promise.all(this.#work.values());
  }

  /** As `idle`, but waits for `graceMs` at most. @returns what is still under way */
  async finish(graceMs: number): Promise<Claim[]> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([this.idle(), grace.promise]);
    clearTimeout(timer);
    return [...this.#work.keys()];
  }
}
