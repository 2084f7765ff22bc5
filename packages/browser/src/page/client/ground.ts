/** What the client takes from the browser, so that its tests can run in Node and hold the time. */
export interface Ground {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** Resolves after so many milliseconds, or at once when the signal is, or gets, aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const browserGround: Ground = {
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    }),
};
