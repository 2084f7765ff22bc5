import { type Random, seededRandom } from '../random.ts';

/**
 * Dials that make an endpoint of the fake operator slow, wrong or dishonest. Each endpoint has one dial, which sets the delay,
 * the faults and how often they occur. A dial applies until it is set again or cleared.
 *
 * Some faults state whether they apply before or after the effect. `before_effect` leaves the records unchanged. `after_effect`
 * (the default) changes them first, and then breaks the answer. A caller that simply retries after this credits a bonus twice.
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
  /**
   * Share of calls to which the fault applies, 0 to 1. Default 1. Rates of one dial add up: 0.2 and 0.3 leave half of the
   * calls healthy.
   */
  rate?: number;
  /** Maximum number of times that the fault applies. */
  times?: number;
  /** If set, the fault applies only to calls about these players. */
  users?: string[];
  /** If set, the fault applies only to these fields of a reconciliation. */
  fields?: string[];
};

export type FaultKind =
  /** Answers with another status: 400, 401, 404, 429 (with Retry-After), 500, 501, 503, a redirect ... Default 500. */
  | { fault: 'status'; status?: number; body?: unknown; headers?: Record<string, string>; when?: When }
  /** Never answers; the caller times out. */
  | { fault: 'timeout'; when?: When }
  | { fault: 'reset'; at: 'before_headers' | 'in_headers' | 'in_body'; when?: When }
  /** Answers 200 with an error in the body. Default body: `{"error": ...}`. */
  | { fault: 'error_body'; body?: unknown; when?: When }
  /** Answers 200 with a wrong body. An answer that is a refusal is not changed. */
  | { fault: 'wrong_body'; shape: WrongShape; when?: When }
  | { fault: 'malformed_utf8' }
  /** Sends the answer in pieces, at this many bytes per second. */
  | { fault: 'drip'; bytes_per_second: number }
  /** Answers 401, even if the credentials are valid. */
  | { fault: 'unauthorized' }
  /** A look-up answers with the records as they were this many milliseconds ago. */
  | { fault: 'stale'; age_ms: number }
  /** A reconciliation ends after this many users: the connection breaks, or (clean) the answer just ends. */
  | { fault: 'cut'; after: number; clean?: boolean }
  /**
   * A reconciliation contains `error` after this many users. With 0, it contains `error` instead of users. The status is
   * still 200.
   */
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
  /** Milliseconds before the call is handled. */
  delay_ms?: Delay;
  /**
   * The call is handled once this has resolved. This is only for tests in the operator's process, because the control API
   * cannot set it.
   */
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
  let timesApplied = new Map<Fault, number>();

  return {
    /** Sets the dial of one endpoint, of several, or of all (`*`), replacing the previous one. */
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
        timesApplied = new Map();
      }
    },

    /** Draws the delay and the fault of one call. */
    draw(name: EndpointName, about: { user_id?: string | undefined; field?: string | undefined }): Drawn {
      const dial = set.get(name);
      if (dial === undefined) return { delay_ms: 0, fault: undefined };
      const delay_ms = dial.delay_ms === undefined ? 0 : drawDelay(random, dial.delay_ms);
      let left = random.next();
      for (const fault of dial.faults ?? []) {
        if (fault.users !== undefined && !fault.users.includes(about.user_id ?? '')) continue;
        if (fault.fields !== undefined && !fault.fields.includes(about.field ?? '')) continue;
        const times = timesApplied.get(fault) ?? 0;
        if (fault.times !== undefined && times >= fault.times) continue;
        left -= fault.rate ?? 1;
        if (left < 0) {
          timesApplied.set(fault, times + 1);
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

/** Returns whether this fault applies before the records are changed. */
export function appliesBeforeEffect(fault: Fault | undefined): boolean {
  if (fault === undefined) return false;
  if (fault.fault === 'unauthorized') return true;
  return 'when' in fault && fault.when === 'before_effect';
}
