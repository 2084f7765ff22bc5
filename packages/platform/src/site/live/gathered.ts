/** Questions that wait, at most; a further one fails at once. */
const maxWaiting = 20_000;
const maxBatch = 1_000;

/**
 * Many callers, one query: questions of the same few milliseconds are asked together. When 10,000 browsers come back at once
 * after a restart, that is some 20 queries instead of 10,000.
 */
export class Gathered<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #waitMs: number;
  #waiting: { question: Question; done: PromiseWithResolvers<Answer> }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param ask gives an answer for each question, in their order. */
  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>, { waitMs = 5 } = {}) {
    this.#ask = ask;
    this.#waitMs = waitMs;
  }

  ask(question: Question): Promise<Answer> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new Error('too many questions wait'));
    const done = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, done });
    this.#timer ??= setTimeout(() => void this.#run(), this.#waitMs);
    return done.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch);
      try {
        const answers = await this.#ask(batch.map(({ question }) => question));
        for (const [place, { done }] of batch.entries()) done.resolve(answers[place] as Answer);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#timer = undefined;
  }
}
