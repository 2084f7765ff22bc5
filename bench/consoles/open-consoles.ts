import { adminToken, type BenchPlatform } from '../platform.ts';

/** Milliseconds between two reads after changes, as in packages/console/src/api/live.ts. */
const gatherMs = 2_000;

export interface OpenConsoles {
  /** Reads that the platform has answered. */
  reads(): number;
  /** @throws the first error of a console, if one failed before the stop */
  stop(): Promise<void>;
}

/**
 * Consoles that show the page Now while events arrive. Each follows the stream of changes, and reads the overview after a change,
 * at most every two seconds, as the web app does. The reads begin at different times.
 */
export async function openConsoles({ port }: Pick<BenchPlatform, 'port'>, count: number): Promise<OpenConsoles> {
  const stopping = new AbortController();
  const url = `http://127.0.0.1:${port}/api/console/v1/brands/bench`;
  const options = { headers: { authorization: `Bearer ${adminToken}` }, signal: stopping.signal };
  let reads = 0;
  let failure: unknown;
  const open = async (place: number) => {
    const answer = await fetch(`${url}/changes`, options);
    if (!answer.ok || answer.body === null) throw new Error(`changes: ${answer.status}`);
    return follow(answer.body, (place * gatherMs) / count);
  };
  const follow = async (stream: ReadableStream<Uint8Array>, startMs: number) => {
    let isChanged = false;
    const readAgain = async () => {
      if (!isChanged) return;
      isChanged = false;
      const answer = await fetch(`${url}/overview`, options);
      if (!answer.ok) throw new Error(`overview: ${answer.status}`);
      await answer.arrayBuffer();
      reads += 1;
    };
    let timer: ReturnType<typeof setInterval> | undefined;
    const begin = setTimeout(() => {
      timer = setInterval(() => void readAgain().catch(note), gatherMs);
    }, startMs);
    try {
      for await (const bytes of stream) isChanged ||= Buffer.from(bytes).includes('overview');
    } finally {
      clearTimeout(begin);
      clearInterval(timer);
    }
  };
  // Thrown by `stop`, so that the bench ends its processes. An unhandled rejection would leave them running.
  const note = (error: unknown) => {
    if (!stopping.signal.aborted) failure ??= error;
  };
  const followed: Promise<void>[] = [];
  for (let place = 0; place < count; place++) followed.push(open(place).catch(note));
  return {
    reads: () => reads,
    stop: async () => {
      stopping.abort();
      await Promise.all(followed);
      if (failure !== undefined) throw failure;
    },
  };
}
