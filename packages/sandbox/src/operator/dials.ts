import { type Random, seededRandom } from '../random.ts';

/**
 * The dials by which an endpoint of the fake operator is made slow, wrong or dishonest. Each endpoint has one dial: how
 * long it takes, and which faults it plays how often. A dial holds until it is set again or cleared.
 *
 * Where it matters, a fault says on which side of the effect it strikes: `before_effect` leaves the books untouched,
 * `after_effect` (the default) changes them first and only then spoils the answer, which is the case that credits a
 * bonus twice when a caller repeats blindly.
 */
export const endpoints = [
  'userdetails',
  'userconsents',
  'userconsents_write',
  'userblocks',
  'userblocks_write',
  'bonus_credit',
  'bonus_credit_funds',
  'bonus_list',
  'reconciliation',
  'authenticate',
  'token',
] as const;
export type EndpointName = (typeof endpoints)[number];

export type Delay = number | { from: number; to: number } | { p50: number; p99: number };
export type When = 'before_effect' | 'after_effect';

export type Fault = FaultKind & {
  /** Share of calls, 0 to 1. Default 1. Rates of one dial add up: 0.2 and 0.3 leave half of the calls healthy. */
  rate?: number;
  /** Strikes at most so many times, then falls silent. */
  times?: number;
  /** Only calls about these players. */
  users?: string[];
  /** Only these fields of a reconciliation. */
  fields?: string[];
};

export type FaultKind =
  /** Another status: 400, 401, 404, 429 (with Retry-After), 500, 501, 503, a redirect ... Default 500. */
  | { fault: 'status'; status?: number; body?: unknown; headers?: Record<string, string>; when?: When }
  /** Never answers; the caller gives up. */
  | { fault: 'timeout'; when?: When }
  | { fault: 'reset'; at: 'before_headers' | 'in_headers' | 'in_body'; when?: When }
  /** 200, and yet a sign of failure in the body: `{"error": ...}` unless a body is given. */
  | { fault: 'error_body'; body?: unknown; when?: When }
  | { fault: 'wrong_body'; shape: WrongShape; when?: When }
  | { fault: 'malformed_utf8' }
  /** The answer in pieces, so many bytes a second. */
  | { fault: 'drip'; bytes_per_second: number }
  /** 401, however good the credentials are. */
  | { fault: 'unauthorized' }
  /** A look-up answers as the books stood so many milliseconds ago. */
  | { fault: 'stale'; age_ms: number }
  /** A reconciliation ends after so many users: the connection breaks, or (clean) the answer just stops. */
  | { fault: 'cut'; after: number; clean?: boolean }
  /** A reconciliation carries `error` after so many users; 0: instead of users. Status stays 200. */
  | { fault: 'error_in_stream'; after: number; error?: string };

export type WrongShape =
  | 'wrong_types'
  | 'another_player'
  | 'empty_object'
  | 'missing_fields'
  | 'array'
  | 'null'
  | 'html';

export interface Dial {
  /** Milliseconds before the call is looked at. */
  delay_ms?: Delay;
  /** The call is looked at once this has resolved. For tests in the process of the operator; the control API cannot set it. */
  hold?: Promise<unknown>;
  faults?: Fault[];
}

export interface Drawn {
  delay_ms: number;
  fault: Fault | undefined;
}

export type Dials = ReturnType<typeof createDials>;

export function createDials(seed: number | string) {
  const random = seededRandom(`dials/${seed}`);
  const set = new Map<EndpointName, Dial>();
  let struck = new Map<Fault, number>();

  return {
    /** Sets the dial of one endpoint, of several, or of all (`*`), in place of what it was. */
    set(names: EndpointName | EndpointName[] | '*', dial: Dial): void {
      const list = names === '*' ? endpoints : Array.isArray(names) ? names : [names];
      for (const name of list) set.set(name, dial);
    },
    get: (name: EndpointName): Dial => set.get(name) ?? {},
    all: (): Partial<Record<EndpointName, Dial>> => Object.fromEntries(set),
    clear(name?: EndpointName): void {
      if (name !== undefined) set.delete(name);
      else {
        set.clear();
        struck = new Map();
      }
    },

    /** What happens to one call. */
    draw(name: EndpointName, about: { user_id?: string | undefined; field?: string | undefined }): Drawn {
      const dial = set.get(name);
      if (dial === undefined) return { delay_ms: 0, fault: undefined };
      const delay_ms = dial.delay_ms === undefined ? 0 : drawDelay(random, dial.delay_ms);
      let left = random.next();
      for (const fault of dial.faults ?? []) {
        if (fault.users !== undefined && !fault.users.includes(about.user_id ?? '')) continue;
        if (fault.fields !== undefined && !fault.fields.includes(about.field ?? '')) continue;
        const times = struck.get(fault) ?? 0;
        if (fault.times !== undefined && times >= fault.times) continue;
        left -= fault.rate ?? 1;
        if (left < 0) {
          struck.set(fault, times + 1);
          return { delay_ms, fault };
        }
      }
      return { delay_ms, fault: undefined };
    },
  };
}

function drawDelay(random: Random, delay: Delay): number {
  if (typeof delay === 'number') return delay;
  if ('p50' in delay) return random.skewed(delay.p50, delay.p99);
  return delay.from + random.next() * (delay.to - delay.from);
}

/** Whether the books are touched before this fault strikes. */
export function strikesBeforeEffect(fault: Fault | undefined): boolean {
  if (fault === undefined) return false;
  if (fault.fault === 'unauthorized') return true;
  return 'when' in fault && fault.when === 'before_effect';
}
