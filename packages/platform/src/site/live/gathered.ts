/** Maximum number of waiting questions; a further one fails immediately. */
const maxWaiting = 20_000;
const maxBatch = 1_000;

/**
 * Combines the questions of many callers within a few milliseconds into one query. If 10,000 browsers reconnect at once after a
 * restart, that is some 20 queries instead of 10,000.
 */
export class Gathered<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #waitMs: number;
  #waiting: { question: Question; done: PromiseWithResolvers<Answer> }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param ask returns an answer for each question, in the same order */
  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>, { waitMs = 5 } = {}) {
    this.#ask = ask;
    this.#waitMs = waitMs;
  }

  ask(question: Question): Promise<Answer> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new Error('too many session checks are waiting'));
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
