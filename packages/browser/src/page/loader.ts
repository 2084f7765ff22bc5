import {
  type Api,
  type ApiName,
  apiNames,
  type Bridge,
  type Carrier,
  type PageError,
  type PageEvent,
} from './bridge.ts';

/*
 * The small script that the page loads (docs/reference/interface.md, Endpoints D). It sets up `CrmLoader` and `Crm` at once, and fetches the app when the
 * page initialises. Until the app is there, calls are kept in one list, each with what the page had configured when it called:
 *
 *   nothing begun --init--> app on its way --it arrives--> calls pass through: those kept, in order, then later ones
 *        ^  '-logout: drops what is kept          |
 *        '------ cannot be had: all are refused --'
 *
 * The first init goes to the front, as calls before it wait for it: so a list has at most those, and no logout, before its init.
 *
 * It is a guest in somebody else's page: nothing is thrown out of it, whatever the page's objects do; it asks nobody but its
 * own origin; run twice, the second run finds the first and leaves everything to it.
 */

/** Replaced when the script is served: a brand may have names of its own (docs/reference/decisions.md 8). */
declare const CONFIG_NAME: string;
declare const API_NAME: string;
declare const LOADER_NAME: string;
declare const SID_NAME: string;
declare const BRAND_NAME: string;
declare const FILE_NAME: string;
/** Replaced when the script is built. */
declare const APP_FILE: string;

/**
 * Calls that wait for the app, a sign-in or an answer; later ones are refused, so that a page that tracks every move of the mouse keeps
 * its memory. Those that begin and end a session do not count: a page that tracked too much can still be signed in to, and out of.
 */
const maxWaiting = 100;
const maxLoadTries = 5;
const firstLoadWaitMs = 1_000;

interface Called {
  name: ApiName;
  given: unknown[];
  /** At the moment of the call: by the time it is answered the page may have another player. */
  configured: ReturnType<Bridge['configured']>;
}

interface Kept extends Called {
  resolve(answer: unknown): void;
}

const events: readonly string[] = ['message', 'shoutout', 'inbox', 'unread', 'error'] satisfies PageEvent[];
const page = window as unknown as Record<PropertyKey, unknown>;
/** The same in every copy of this script, whatever names it was served with. */
const mark = Symbol.for('croupier.loader');

/** A getter of the page's that throws reads as undefined. */
function read(object: unknown, key: PropertyKey): unknown {
  try {
    return (object as Record<PropertyKey, unknown> | null | undefined)?.[key];
  } catch {
    // Told nobody: the page's own mistake, which does not keep us from going on.
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    say('error', error);
  }
}

/** Told from others by its code, as those of the app are. */
function refusal(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

function say(level: 'warn' | 'error', what: unknown): void {
  try {
    console[level](`[${API_NAME}]`, what);
  } catch {
    // A page may have taken the console away.
  }
}

/** The tag of this script: the running one, or, for a copy that something else has started, the one whose address looks like ours. */
function ownTag(): HTMLScriptElement | undefined {
  const running = document.currentScript;
  // An image named currentScript would stand in its place.
  if (running instanceof HTMLScriptElement && running.src) return running;
  return [...document.scripts].find(({ src }) => src.includes('/loader/') && src.split(/[?#]/)[0]?.endsWith(FILE_NAME));
}

function create() {
  const tag = ownTag();
  const source = tag?.src ?? '';
  const end = source.lastIndexOf('/loader/');
  const root = end < 0 ? '' : source.slice(0, end);

  const handlers = new Set<{ event: string; handler: (detail: unknown) => void }>();
  const said = new Set<string>();
  const kept: Kept[] = [];
  let app: Api | undefined;
  let loading = false;
  let started = false;
  let waiting = 0;
  let given: unknown;
  const look = (): Called['configured'] => ({
    config: given ?? read(page, CONFIG_NAME),
    sid: read(page, SID_NAME),
    brand: read(page, BRAND_NAME),
  });
  let current: Called['configured'];

  const emit = (event: PageEvent, detail: unknown) => {
    for (const one of [...handlers]) if (one.event === event) quietly(() => one.handler(detail));
  };
  const once = (text: string, level: 'warn' | 'error') => {
    if (said.has(text)) return;
    said.add(text);
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
    // The page's `trusted-types` does not name ours: what then fails is told when it fails.
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
      for (const one of kept.splice(0)) one.resolve(run(api, one));
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
      const called = { name, given, configured: look() };
      return await (app ? run(app, called) : keep(called));
    } finally {
      waiting -= weight;
    }
  }

  /** @returns the app's answer, once there is one; at once where nothing is to wait for. */
  function keep(called: Called): unknown {
    const { name } = called;
    const toggles = name === 'toggleInbox';
    if (!loading) {
      if (name === 'logout') return refuse(refusal('missing_session'));
      if (toggles) return bridge.hint(`first ${API_NAME}.init()`);
    }
    // An impatient player presses twice, and wants it open.
    if (toggles && kept.some((one) => one.name === name)) return;
    return new Promise((resolve) => {
      const isFirst = name === 'init' && !loading;
      kept[isFirst ? 'unshift' : 'push']({ ...called, resolve });
      if (isFirst) load();
    });
  }

  /** All that is kept. */
  function refuse(error: Error): void {
    for (const { name, resolve } of kept.splice(0)) resolve(name === 'init' ? false : Promise.reject(error));
  }

  function load(): void {
    loading = true;
    if (root) addScript(1);
    else giveUp('unknown_origin', 'no script tag');
  }

  /** Until the page calls init again. */
  function giveUp(code: string, message: string): void {
    loading = false;
    // First, because a page may call init again as soon as it hears of it.
    refuse(refusal(code, message));
    fail({ code, message });
  }

  function addScript(tries: number): void {
    const script: Carrier = document.createElement('script');
    script.crmBridge = bridge;
    script.nonce = bridge.nonce;
    // The bridge goes with it: it is for the app alone.
    script.onload = () => script.remove();
    script.onerror = () => {
      script.remove();
      const wait = firstLoadWaitMs * 2 ** (tries - 1) * (0.5 + Math.random());
      if (tries < maxLoadTries) setTimeout(() => quietly(() => addScript(tries + 1)), wait);
      else giveUp('script_unavailable', `${root}: away, or forbidden here`);
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
      // A page that does not look at the answer gets no unhandled rejection; one that awaits it gets the reason.
      answer.catch(() => {});
      return answer;
    };
  }

  /** A function, not a class: a page that forgets `new` is served too. All calls give the one instance there is. */
  function Loader(config?: unknown): object {
    quietly(() => {
      if (started) return;
      started = true;
      given = config;
      const auto = read(look().config, 'autoInit');
      if (auto === true || auto === 'true') (api.init as () => void)();
    });
    return instance;
  }
  const instance: object = Object.create(Loader.prototype);
  return { api, Loader };
}

quietly(() => {
  const present = read(page, mark) as ReturnType<typeof create> | undefined;
  const made = present ?? create();
  page[mark] = made;
  page[LOADER_NAME] = made.Loader;
  page[API_NAME] = made.api;
});
