import type { Settings } from './settings.ts';
import { defaultTexts, type Texts } from './texts.ts';

/*
 * Reads the page's configuration. The page is not ours: a key may be missing, may have another type, or may be a getter
 * that throws. Each of these counts as not set. For errors that a developer would have difficulty finding, a hint is
 * logged once.
 */

export function readKey(object: unknown, key: string): unknown {
  try {
    return (object as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    // Its getter throws.
  }
}

/** @param name name of the configuration object on this page */
export function inboxNeeds(name: string): string {
  return `the inbox needs ${name}.inbox.enable = true and ${name}.integrationVersion = '1.1'`;
}

/** Reads a session id or brand code. Numbers are accepted, too. Returns an empty text if it is not set. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
}

/** Returns whether a session id can be sent in a header. For other ids, fetch fails as if there were no network. */
export function fitsHeader(sid: string): boolean {
  return !/[^ -~\xa0-\xff]/.test(sid);
}

function readFlag(object: unknown, key: string, otherwise = false): boolean {
  const value = readKey(object, key);
  if (typeof value === 'boolean') return value;
  return value === 'true' || (value !== 'false' && otherwise);
}

/** @param name name of the configuration object on this page, for hints */
export function readSettings(config: unknown, name: string, hint: (text: string) => void): Settings {
  // The version may be a text or a number, because developers may write 1.1 without quotes. Any other value means the
  // default version, which has no inbox. A feature whose flag is not set is on in 1.0 and off in 1.1
  // (docs/reference/interface.md, Endpoints D).
  const byVersion = readText(readKey(config, 'integrationVersion')) !== '1.1';
  const inbox = readKey(config, 'inbox');
  const wanted = readFlag(inbox, 'enable');
  if (wanted && byVersion) hint(inboxNeeds(name));
  return {
    enableEventTracking: readFlag(config, 'enableEventTracking', byVersion),
    enablePendingRewards: readFlag(config, 'enablePendingRewards', byVersion),
    enableCrmIntegration: readFlag(config, 'enableCrmIntegration', byVersion),
    pushWorkerUrl: readText(readKey(config, 'pushWorkerUrl')),
    inbox: {
      enable: wanted && !byVersion,
      badgeId: readText(readKey(inbox, 'badgeId')).replace(/^#/, '') || null,
      navBarLogo: readText(readKey(inbox, 'navBarLogo')),
      contactEmail: readText(readKey(inbox, 'contactEmail')),
      termsAboveButtons: readFlag(inbox, 'termsAboveButtons'),
      closeModalOnFogClick: readFlag(inbox, 'closeModalOnFogClick'),
    },
    texts: readTexts(readKey(config, 'translations'), inbox),
  };
}

/** Reads each text from `translations`, otherwise from `inbox` (docs/reference/decisions.md 8), otherwise uses the default. */
function readTexts(translations: unknown, inbox: unknown): Texts {
  const texts: Texts = { ...defaultTexts };
  const take = (source: unknown, key: string) => {
    const value = readKey(source, key);
    if (value && typeof value === 'string') texts[key] = value;
  };
  for (const key of Object.keys(defaultTexts)) take(inbox, key);
  for (const key of ownKeys(translations)) take(translations, key);
  return texts;
}

function ownKeys(object: unknown): string[] {
  try {
    return Object.keys(object as object);
  } catch {
    return [];
  }
}
