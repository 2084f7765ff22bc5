import {
  type Api,
  type ApiName,
  type AppScript,
  apiNames,
  type Bridge,
  type PageError,
  type PageEvent,
} from './bridge.ts';

/*
 * The small script that the page loads (docs/reference/interface.md, Endpoints D). It sets up `CrmLoader` and `Crm` immediately,
 * and fetches the app when the page initializes. Until the app is loaded, calls are queued in one list, each with the page's
 * configuration at the time of the call:
 *
 *   not started   --init--> app loading --it is loaded---> calls pass through: queued ones, in order, then later ones
 *        ^  '-logout: drops what is queued         |
 *        '------ cannot be loaded: all are refused '
 *
 * The first init is put at the front of the queue, because earlier calls wait for it. So before its init is called, a
 * queue contains only these calls, and never a logout.
 *
 * The script runs in a page that is not ours. It never throws an error, even if the page's objects throw one. It sends
 * requests to its own origin only. If it runs twice, the second run finds the first and does nothing.
 */

/** These names are replaced when the script is served, because a brand may have its own names (docs/reference/decisions.md 8). */
declare const CONFIG_NAME: string;
declare const API_NAME: string;
declare const LOADER_NAME: string;
declare const SID_NAME: string;
declare const BRAND_NAME: string;
declare const FILE_NAME: string;
/** This name is replaced when the script is built. */
declare const APP_FILE: string;

/**
 * Maximum number of calls that wait for the app, a sign-in or an answer. Later ones are refused, so that a page that tracks
 * every mouse move does not use up its memory. Calls that start and end a session do not count. So a page that has tracked
 * too much can still sign in and out.
 */
const maxWaiting = 100;
const maxLoadTries = 5;
const firstLoadWaitMs = 1_000;

interface Called {
  name: ApiName;
  given: unknown[];
  /** The configuration at the time of the call. When the call is answered, the page may have another player. */
  configured: ReturnType<Bridge['configured']>;
}

interface QueuedCall extends Called {
  resolve(answer: unknown): void;
}

const events: readonly string[] = ['message', 'shoutout', 'inbox', 'unread', 'error'] satisfies PageEvent[];
const page = window as unknown as Record<PropertyKey, unknown>;
/** The mark is the same in every copy of this script, even if a brand has its own names. */
const mark = Symbol.for('croupier.loader');

/** Reads a value of the page. If a getter throws, the value is undefined. */
function read(object: unknown, key: PropertyKey): unknown {
  try {
    return (object as Record<PropertyKey, unknown> | null | undefined)?.[key];
  } catch {
    // This is an error of the page. The script can continue, so it is ignored.
  }
}

function tryOrLog(action: () => void): void {
  try {
    action();
  } catch (error) {
    say('error', error);
  }
}

/** Returns an error that the page can recognize by its code, like errors of the app. */
function refusal(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

function say(level: 'warn' | 'error', what: unknown): void {
  try {
    console[level](`[${API_NAME}]`, what);
  } catch {
    // A page may have removed the console.
  }
}

/**
 * Returns the tag of this script. This is the tag that is running. If the script was started in another way, it is the
 * tag with a matching address.
 */
function ownTag(): HTMLScriptElement | undefined {
  const running = document.currentScript;
  // An image named currentScript would hide the property.
  if (running instanceof HTMLScriptElement && running.src) return running;
  return [...document.scripts].find(({ src }) => src.includes('/loader/') && src.split(/[?#]/)[0]?.endsWith(FILE_NAME));
}

function create() {
  const tag = ownTag();
  const source = tag?.src ?? '';
  const end = source.lastIndexOf('/loader/');
  const root = end < 0 ? '' : source.slice(0, end);

  const handlers = new Set<{ event: string; handler: (detail: unknown) => void }>();
  const logged = new Set<string>();
  const queue: QueuedCall[] = [];
  let app: Api | undefined;
  let loading = false;
  let started = false;
  let waiting = 0;
  let given: unknown;
  const readConfiguration = (): Called['configured'] => ({
    config: given ?? read(page, CONFIG_NAME),
    sid: read(page, SID_NAME),
    brand: read(page, BRAND_NAME),
  });
  let current: Called['configured'];

  const emit = (event: PageEvent, detail: unknown) => {
    for (const one of [...handlers]) if (one.event === event) tryOrLog(() => one.handler(detail));
  };
  const once = (text: string, level: 'warn' | 'error') => {
    if (logged.has(text)) return;
    logged.add(text);
    say(level, text);
  };
  const fail = ({ code, message }: PageError) => {
    once(`${code}: ${message}`, 'error');
    emit('error', { code, message });
  };

  const identity = (text: string) => text;
  let policy = { createHTML: identity, createScriptURL: identity };
  try {
    const factory = page.trustedTypes as
      | { createPolicy(name: string, rules: typeof policy): typeof policy }
      | undefined;
    policy = factory?.createPolicy('crm', policy) ?? policy;
  } catch {
    // The page's `trusted-types` does not list our policy. A call that fails because of this is reported when it fails.
  }

  const bridge: Bridge = {
    root,
    staging: source.startsWith('/loader/staging/', end),
    configured: () => current,
    names: { config: CONFIG_NAME, api: API_NAME, sid: SID_NAME, brand: BRAND_NAME },
    nonce: tag?.nonce ?? '',
    policy,
    emit,
    fail,
    hint: (text) => once(text, 'warn'),
    ready(api) {
      app = api;
      for (const one of queue.splice(0)) one.resolve(run(api, one));
    },
  };

  function run(api: Api, { name, given, configured }: Called): Promise<unknown> {
    return new Promise((resolve) => {
      current = configured;
      resolve(api[name](...given));
    });
  }

  async function call(name: ApiName, given: unknown[]): Promise<unknown> {
    const weight = +!/^(init|logout)$/.test(name);
    if (weight && waiting >= maxWaiting) throw refusal('too_many_calls');
    waiting += weight;
    try {
      const called = { name, given, configured: readConfiguration() };
      return await (app ? run(app, called) : enqueue(called));
    } finally {
      waiting -= weight;
    }
  }

  /** @returns the app's answer, once there is one. If there is nothing to wait for, it returns immediately */
  function enqueue(called: Called): unknown {
    const { name } = called;
    const toggles = name === 'toggleInbox';
    if (!loading) {
      if (name === 'logout') return refuse(refusal('missing_session'));
      if (toggles) return bridge.hint(`first ${API_NAME}.init()`);
    }
    // While the app loads, a player may press the button twice. The player expects the inbox to open.
    if (toggles && queue.some((one) => one.name === name)) return;
    return new Promise((resolve) => {
      const isFirst = name === 'init' && !loading;
      queue[isFirst ? 'unshift' : 'push']({ ...called, resolve });
      if (isFirst) load();
    });
  }

  /** Refuses everything that is queued. */
  function refuse(error: Error): void {
    for (const { name, resolve } of queue.splice(0)) resolve(name === 'init' ? false : Promise.reject(error));
  }

  function load(): void {
    loading = true;
    if (root) addScript(1);
    else giveUp('unknown_origin', 'the script was not loaded by a script tag');
  }

  /** Refuses all calls until the page calls init again. */
  function giveUp(code: string, message: string): void {
    loading = false;
    // This comes first, because a page may call init again as soon as it is notified.
    refuse(refusal(code, message));
    fail({ code, message });
  }

  function addScript(tries: number): void {
    const script: AppScript = document.createElement('script');
    script.crmBridge = bridge;
    script.nonce = bridge.nonce;
    // The bridge is removed together with the tag, because it is for the app only.
    script.onload = () => script.remove();
    script.onerror = () => {
      script.remove();
      const wait = firstLoadWaitMs * 2 ** (tries - 1) * (0.5 + Math.random());
      if (tries < maxLoadTries) setTimeout(() => tryOrLog(() => addScript(tries + 1)), wait);
      else giveUp('script_unavailable', `${root} is not reachable or not allowed here`);
    };
    try {
      script.src = policy.createScriptURL(`${root}/loader/${APP_FILE}`);
      document.documentElement.append(script);
    } catch {
      giveUp('trusted_types', 'allow trusted-types crm');
    }
  }

  function on(event: unknown, handler: unknown): () => void {
    const one = { event: `${event}`, handler: handler as (detail: unknown) => void };
    if (events.includes(one.event) && typeof handler === 'function') handlers.add(one);
    else bridge.hint(`on(event, handler): ${events}`);
    return () => void handlers.delete(one);
  }

  const api: Record<string, unknown> = { on };
  for (const name of apiNames) {
    api[name] = (...given: unknown[]) => {
      const answer = call(name, given);
      // A page that ignores the answer must not get an unhandled rejection. A page that awaits it gets the reason.
      answer.catch(() => {});
      return answer;
    };
  }

  /**
   * This is a function and not a class, so that a page that forgets `new` also works. All calls return the same
   * instance.
   */
  function Loader(config?: unknown): object {
    tryOrLog(() => {
      if (started) return;
      started = true;
      given = config;
      const auto = read(readConfiguration().config, 'autoInit');
      if (auto === true || auto === 'true') (api.init as () => void)();
    });
    return instance;
  }
  const instance: object = Object.create(Loader.prototype);
  return { api, Loader };
}

tryOrLog(() => {
  const present = read(page, mark) as ReturnType<typeof create> | undefined;
  const made = present ?? create();
  page[mark] = made;
  page[LOADER_NAME] = made.Loader;
  page[API_NAME] = made.api;
});
