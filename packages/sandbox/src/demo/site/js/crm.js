import { house } from './house.js';

/*
 * How a site uses the platform's script (interface.md section D): set the configuration, load the script asynchronously, and
 * create a CrmLoader once it has loaded. `autoInit` is false because players sign in without a new page load: `Crm.init()`
 * starts it with the current session, `Crm.logout()` ends it.
 */
window.crmbrand = house.platform.brand;
window.crm = {
  integrationVersion: '1.1',
  autoInit: false,
  enableEventTracking: true,
  enablePendingRewards: true,
  enableCrmIntegration: true,
  // The texts of the interface remain the script's default; a site sets its own.
  translations: {
    recieved: 'Received',
    validUntil: 'Expires',
    inboxEmpty: 'You have no messages',
    questionsTop: 'Questions? Write to',
  },
  inbox: {
    enable: true,
    badgeId: 'inbox-badge',
    navBarLogo: `${location.origin}/art/mark.svg`,
    contactEmail: 'support@demo-casino.test',
    termsAboveButtons: true,
    closeModalOnFogClick: true,
  },
};

/** Under `require-trusted-types-for`, the only address that this page uses as a script URL. */
const policy = globalThis.trustedTypes?.createPolicy('casino', {
  createScriptURL(url) {
    if (url !== `${house.platform.url}/loader/crm.js`) throw new TypeError('not a script of this page');
    return url;
  },
});

let resolveReady;
/** Resolves with window.Crm. It never resolves if the platform is unavailable; the casino works without it. */
export const ready = new Promise((resolve) => {
  resolveReady = resolve;
});

function load(pause = 2000) {
  const url = `${house.platform.url}/loader/crm.js`;
  const script = document.createElement('script');
  script.async = true;
  script.src = policy?.createScriptURL(url) ?? url;
  script.onload = () => {
    new window.CrmLoader();
    resolveReady(window.Crm);
  };
  script.onerror = () => {
    script.remove();
    setTimeout(load, pause, Math.min(pause * 2, 60_000));
  };
  document.head.append(script);
}
load();

/** Pauses between attempts for a session that the platform still considers excluded: the first and the longest. */
const firstPauseMs = 1500;
const longestPauseMs = 6000;

let wanted = { sid: null, excluded: false };
let begun = null;
/** The session for which `start` is running; null if it is not running. */
let starting = null;

/**
 * Follows the casino's own session: a new sid restarts the script, and no sid ends it. The platform ends a session when its
 * player is excluded. When the exclusion is over the same sid is valid again, and the script has to be started again too.
 */
export async function follow({ signed_in, sid, is_excluded }) {
  const next = { sid: signed_in ? sid : null, excluded: is_excluded === true };
  if (next.sid === wanted.sid && next.excluded === wanted.excluded) return;
  wanted = next;
  const crm = await ready;
  if (wanted !== next) return;
  const before = begun;
  // An exclusion also ends the script's session; afterwards a new one starts.
  begun = next.excluded ? null : next.sid;
  // Ending a session that has already ended fails, which is fine here.
  if (before !== null && before !== begun) await crm.logout().catch(() => {});
  if (wanted !== next) return;
  window.sid = next.sid ?? undefined;
  if (begun !== null) await start(crm, next);
}

/**
 * The platform learns about the end of an exclusion from an event. That takes a moment, or longer if the operator answers
 * slowly.
 */
async function start(crm, next) {
  starting = next;
  for (let pause = firstPauseMs; wanted === next; pause = Math.min(pause * 2, longestPauseMs)) {
    if (await crm.init().catch(() => false)) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  if (starting === next) starting = null;
}

// If an exclusion ends immediately after it began, the platform may apply it only after the session has started again. It then
// ends the session.
void ready.then((crm) =>
  crm.on('error', ({ code }) => {
    const isEnded = code === 'invalid_session' || code === 'session_ended';
    if (isEnded && begun !== null && starting === null) void start(crm, wanted);
  }),
);
