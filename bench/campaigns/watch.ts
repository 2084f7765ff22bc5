import { consoleCall } from '../console-call.ts';
import type { BenchPlatform } from '../platform.ts';
import { residentMegabytes } from '../resident.ts';

/** One sample: the progress of a start as the console API shows it, and the memory of the processes. */
export interface Sample {
  at: number;
  state: string;
  looked: number;
  entered: number;
  /** The reason why the start waits. */
  reason: string | null;
  /** Milliseconds that the console API needed for its answer. */
  answerMs: number;
  apiMegabytes: number;
  workerMegabytes: number;
}

interface Start {
  state: string;
  reason: string | null;
  looked: number;
  entered: number;
}

const sampleMs = 1_000;

/** Reads the progress of a campaign through the console API, and the memory of the processes, each second. */
export class Watch {
  readonly samples: Sample[] = [];
  readonly #platform: BenchPlatform;
  readonly #code: string;
  readonly #timer: NodeJS.Timeout;
  #sampling: Promise<void> | undefined;
  #failure: unknown;

  constructor(platform: BenchPlatform, code: string) {
    this.#platform = platform;
    this.#code = code;
    this.#timer = setInterval(() => {
      this.#sampling ??= this.#sample()
        .catch((error: unknown) => {
          this.#failure = error;
        })
        .finally(() => {
          this.#sampling = undefined;
        });
    }, sampleMs);
  }

  get latest(): Sample | undefined {
    return this.samples.at(-1);
  }

  /** @throws if one of the reads failed */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sampling;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #sample(): Promise<void> {
    const at = performance.now();
    const { items } = await consoleCall<{ items: Start[] }>(this.#platform, 'GET', `campaigns/${this.#code}/starts`);
    const answerMs = performance.now() - at;
    const { state = 'not started', reason = null, looked = 0, entered = 0 } = items[0] ?? {};
    const [api = 0, worker = 0] = this.#platform.pids;
    const [apiMegabytes, workerMegabytes] = await Promise.all([
      residentMegabytes(api),
      // A worker that was just killed has no memory.
      residentMegabytes(worker).catch(() => 0),
    ]);
    this.samples.push({ at, state, reason, looked, entered, answerMs, apiMegabytes, workerMegabytes });
  }
}
