import type { EndpointName } from './dials.ts';

/** One call that reached the operator, for tests to read. The headers do not contain credentials. */
export interface Call {
  number: number;
  /** Milliseconds since the epoch at which the headers of the call arrived. */
  at: number;
  endpoint: EndpointName;
  method: string;
  path: string;
  user_id: string | null;
  headers: Record<string, string>;
  body: unknown;
  /** Null until an answer is sent. It stays null after a timeout, or after a reset before the headers. */
  status: number | null;
  /** The fault that was applied, or null for a healthy answer. */
  fault: string | null;
}

export type Calls = ReturnType<typeof createCalls>;

/** Number of calls that are kept for reading. Older ones are dropped, but the counts still include them. */
const callLimit = 20_000;

export function createCalls() {
  let list: Call[] = [];
  let number = 0;
  const counts = new Map<EndpointName, number>();
  const waiting = new Set<{ matches: (call: Call) => boolean; resolve: (call: Call) => void }>();

  return {
    add(call: Omit<Call, 'number' | 'status' | 'fault'>): Call {
      number += 1;
      const added: Call = { ...call, number, status: null, fault: null };
      list.push(added);
      if (list.length > callLimit * 2) list = list.slice(-callLimit);
      counts.set(call.endpoint, (counts.get(call.endpoint) ?? 0) + 1);
      return added;
    },
    /** Resolves waiting promises: the call was answered, or its fault was applied. */
    done(call: Call): void {
      for (const waiter of waiting) {
        if (!waiter.matches(call)) continue;
        waiting.delete(waiter);
        waiter.resolve(call);
      }
    },

    /** Returns the newest calls, at most 20,000. The oldest of them comes first. */
    list: (endpoint?: EndpointName): Call[] =>
      list.slice(-callLimit).filter((call) => endpoint === undefined || call.endpoint === endpoint),
    /** Returns the number of calls of one endpoint, or of all endpoints, since the start or the last `clear`. */
    count: (endpoint?: EndpointName): number =>
      endpoint === undefined
        ? [...counts.values()].reduce((sum, count) => sum + count, 0)
        : (counts.get(endpoint) ?? 0),
    /** Resolves with the next finished call that matches. Tests wait for it instead of sleeping. */
    next: (matches: (call: Call) => boolean): Promise<Call> =>
      new Promise((resolve) => {
        waiting.add({ matches, resolve });
      }),
    clear(): void {
      list = [];
      counts.clear();
    },
  };
}
