/*
 * The interface between the loader and the app. For some minutes after an update, the two may have different versions.
 * The loader may still be cached, but the app is always the newest. So members may be added, but the meaning of a
 * member must never change.
 */

/** Event names of `Crm.on`. */
export type PageEvent = 'message' | 'shoutout' | 'inbox' | 'unread' | 'error';

/** The detail of an `error` event. Codes are those of the site API and of docs/guides/site.md. */
export interface PageError {
  code: string;
  message: string;
}

/** The functions of `window.Crm`, except `on`, which the loader handles itself. */
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

/**
 * The functions that the app passes to the loader. They are called with the values that the page passed, which may have
 * any type. They may throw or reject.
 */
export type Api = Record<ApiName, (...given: unknown[]) => unknown>;

/** The page's trusted types policy, or a replacement in browsers without trusted types. */
export interface TrustedPolicy {
  /** Use it only for markup that is parsed into an inert document and cleaned there. */
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

export interface Bridge {
  /**
   * The address of the platform, taken from the script's own address, without a trailing slash:
   * https://crm.example.com.
   */
  root: string;
  /** Whether the script was loaded from the staging location. */
  staging: boolean;
  /**
   * Returns what the page had configured when it made the call that is being answered. The values have any type, and
   * their getters may throw.
   */
  configured(): { config: unknown; sid: unknown; brand: unknown };
  /** Names of the globals. Messages to the page's developer use them to say what has to be set. */
  names: { config: string; api: string; sid: string; brand: string };
  /** The nonce of the loader's tag; empty if it has none. */
  nonce: string;
  policy: TrustedPolicy;
  emit(event: PageEvent, detail: unknown): void;
  /** Emits an `error` event, and logs one line per code on the console. */
  fail(error: PageError): void;
  /** Logs one line on the console. The same text is logged only once. */
  hint(text: string): void;
  /** Reports that the app is ready. Earlier calls are then made, in order. */
  ready(api: Api): void;
}

/** The script element of the app carries the bridge, so that no other global is needed. */
export interface AppScript extends HTMLScriptElement {
  crmBridge?: Bridge;
}
