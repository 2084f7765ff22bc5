import { WordedError } from '../../language.ts';

/** Too many previews are waiting; the caller should try again in a moment. */
export class PreviewsBusy extends WordedError {
  override name = 'PreviewsBusy';

  constructor() {
    super({
      en: 'too many previews are waiting; retry in a second',
      de: 'Zu viele Vorschauen warten; versuchen Sie es in einer Sekunde erneut',
    });
  }
}

/** Lets a few tasks run at once and a few wait. */
export class Turns {
  readonly #most: { running: number; waiting: number };
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: { running: number; waiting: number }) {
    this.#most = most;
  }

  /** @throws {PreviewsBusy} if the maximum is already waiting */
  async take<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most.running) {
      if (this.#waiting.length >= this.#most.waiting) throw new PreviewsBusy();
      await new Promise<void>((go) => this.#waiting.push(go));
    } else this.#running++;
    try {
      return await task();
    } finally {
      // The next waiting task gets the turn.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
