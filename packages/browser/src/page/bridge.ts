/*
 * What the loader and the app say to one another. The two may be of different versions for some minutes after an update (the
 * loader is cached, the app is always the newest), so members are added here and never change their meaning.
 */

/** Names of `Crm.on`. */
export type PageEvent = 'message' | 'shoutout' | 'inbox' | 'unread' | 'error';

/** What an `error` event carries. Codes are those of the site API and of docs/guides/site.md. */
export interface PageError {
  code: string;
  message: string;
}

/** The functions of `window.Crm` but `on`, which the loader answers itself. */
export const apiNames = [
  'init',
  'toggleInbox',
  'demoMessage',
  'logout',
  'track',
  'pendingRewards',
  'claimReward',
  'profile',
  'setConsent',
  'pushState',
  'enablePush',
] as const;
export type ApiName = (typeof apiNames)[number];

/** What the app gives to the loader: called with whatever the page passed. May throw or reject. */
export type Api = Record<ApiName, (...given: unknown[]) => unknown>;

/** The page's policy for its trusted types, or a stand-in where the browser has none. */
export interface TrustedPolicy {
  /** Only for markup that is parsed into an inert document and then taken apart. */
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

export interface Bridge {
  /** Of the platform, as the script's own address says it, without a slash at the end: https://crm.example.com. */
  root: string;
  /** Loaded from the staging location. */
  staging: boolean;
  /** What the page had configured when it made the call that is being answered; any type, and its getters may throw. */
  configured(): { config: unknown; sid: unknown; brand: unknown };
  /** Names of the globals, for texts that tell the page's developer what to set. */
  names: { config: string; api: string; sid: string; brand: string };
  /** Of the loader's tag; empty: none. */
  nonce: string;
  policy: TrustedPolicy;
  emit(event: PageEvent, detail: unknown): void;
  /** An `error` event, and one line on the console for each code. */
  fail(error: PageError): void;
  /** One line on the console, each text once. */
  hint(text: string): void;
  /** The app is there; what was called before is called now, in order. */
  ready(api: Api): void;
}

/** The script element of the app carries the bridge, so that no further global is needed. */
export interface Carrier extends HTMLScriptElement {
  crmBridge?: Bridge;
}
