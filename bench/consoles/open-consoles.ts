import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
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
 * The consoles share the machine with the platform, so they use node:http: one read costs them less than with fetch.
 */
export async function openConsoles({ port }: Pick<BenchPlatform, 'port'>, count: number): Promise<OpenConsoles> {
  const stopping = new AbortController();
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${adminToken}` };
  let reads = 0;
  let failure: unknown;
  /** @throws if the answer is not 200 */
  const get = async (what: string): Promise<IncomingMessage> => {
    const path = `/api/console/v1/brands/bench/${what}`;
    const call = request({ agent, port, host: '127.0.0.1', path, headers, signal: stopping.signal }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.statusCode}`);
    return answer;
  };
  const open = async (place: number) => {
    let isChanged = false;
    const readAgain = async () => {
      if (!isChanged) return;
      isChanged = false;
      await once((await get('overview')).resume(), 'end');
      reads += 1;
    };
    const stream = await get('changes');
    let timer: ReturnType<typeof setInterval> | undefined;
    const begin = setTimeout(
      () => {
        timer = setInterval(() => void readAgain().catch(note), gatherMs);
      },
      (place * gatherMs) / count,
    );
    try {
      for await (const bytes of stream) isChanged ||= (bytes as Buffer).includes('overview');
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
      agent.destroy();
      if (failure !== undefined) throw failure;
    },
  };
}
