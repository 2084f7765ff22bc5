/*
 * The work that rounds have started and that has not ended: calls, each with the claim under which it is made.
 *
 *   begin ----> under way ----> over
 *                   |
 *                   '--stop, and the grace period is over--> left: the caller gives the claims back, or lets them expire
 *
 * Nothing is cancelled here. The slots, which are taken before a claim is made, limit how much may run at once.
 */
export class Underway<Claim> {
  readonly #work = new Map<Claim, Promise<void>>();

  /** @param work never rejects: the caller of `begin` handles its failures */
  begin(claim: Claim, work: Promise<void>): void {
    this.#work.set(
      claim,
      work.finally(() => this.#work.delete(claim)),
    );
  }

  /** Resolves when everything that is running now has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#work.values());
  }

  /** Like `idle`, but waits at most `graceMs`. @returns what is still running */
  async finish(graceMs: number): Promise<Claim[]> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([this.idle(), grace.promise]);
    clearTimeout(timer);
    return [...this.#work.keys()];
  }
}
