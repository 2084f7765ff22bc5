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
 * The small script that the page loads (interface.md section D). It sets up `CrmLoader` and `Crm` at once, keeps the calls made
 * before the app is there, and fetches the app when the page initialises:
 *
 *   script runs --new CrmLoader(), autoInit--> init --app arrives--> calls pass through: init, those kept, in order, later ones
 *               `--Crm.init() of the page ----'  '--cannot be had--> tried again, then `error`
 *
 * It is a guest in somebody else's page: nothing is thrown out of it, whatever the page's objects do; it asks nobody but its
 * own origin; run twice, the second run finds the first and leaves everything to it.
 */

/** Replaced when the script is served: a brand may have names of its own (decisions.md 8). */
declare const CONFIG_NAME: string;
declare const API_NAME: string;
declare const LOADER_NAME: string;
declare const SID_NAME: string;
declare const BRAND_NAME: string;
declare const FILE_NAME: string;
/** Replaced when the script is built. */
declare const APP_FILE: string;

/** Calls that wait for the app, a sign-in or an answer; later ones are refused, so that a page that tracks every move of the mouse keeps its memory. */
const maxWaiting = 100;
const maxLoadTries = 5;
const firstLoadWaitMs = 1_000;

interface Kept {
  name: ApiName;
  given: unknown[];
  resolve(answer: Promise<unknown>): void;
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
    return undefined;
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    say('error', error);
  }
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
  return [...document.scripts].find(({ src }) => /\/loader\//.test(src) && src.split(/[?#]/)[0]?.endsWith(FILE_NAME));
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
    const factory = read(page, 'trustedTypes') as
      | { createPolicy(name: string, rules: typeof policy): typeof policy }
      | undefined;
    policy = factory?.createPolicy('crm', policy) ?? policy;
  } catch {
    // The page's `trusted-types` does not name ours: what then fails is told when it fails.
  }

  const bridge: Bridge = {
    root,
    staging: source.startsWith('/loader/staging/', end),
    configured: () => ({
      config: given ?? read(page, CONFIG_NAME),
      sid: read(page, SID_NAME),
      brand: read(page, BRAND_NAME),
    }),
    names: { config: CONFIG_NAME, api: API_NAME, sid: SID_NAME, brand: BRAND_NAME },
    nonce: tag?.nonce ?? '',
    policy,
    emit,
    fail,
    hint: (text) => once(text, 'warn'),
    ready(api) {
      app = api;
      // What was called before init has waited for it, too.
      const first = kept.findIndex(({ name }) => name === 'init');
      for (const { name, given, resolve } of [...kept.splice(first, 1), ...kept.splice(0)])
        resolve(run(api, name, given));
    },
  };

  function run(api: Api, name: ApiName, given: unknown[]): Promise<unknown> {
    return new Promise((resolve) => resolve(api[name](...given)));
  }

  async function call(name: ApiName, given: unknown[]): Promise<unknown> {
    if (waiting >= maxWaiting) throw new Error('too_many_calls');
    waiting++;
    try {
      if (app) return await run(app, name, given);
      const answer = new Promise((resolve) => kept.push({ name, given, resolve }));
      if (name === 'init') load();
      return await answer;
    } finally {
      waiting--;
    }
  }

  function load(): void {
    if (loading || app) return;
    loading = true;
    if (root) addScript(1);
    else giveUp('unknown_origin', 'no script tag');
  }

  /** Until the page calls init again. */
  function giveUp(code: string, message: string): void {
    loading = false;
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
      const auto = read(bridge.configured().config, 'autoInit');
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
