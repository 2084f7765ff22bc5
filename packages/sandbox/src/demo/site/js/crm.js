import { house } from './house.js';

/*
 * How a site uses the platform's script (interface.md section D): set the configuration, load the script asynchronously,
 * make a CrmLoader once it is there. `autoInit` is false because players sign in without a new page: `Crm.init()` starts it
 * with the session of the moment, `Crm.logout()` ends it.
 */
window.crmbrand = house.platform.brand;
window.crm = {
  integrationVersion: '1.1',
  autoInit: false,
  enableEventTracking: true,
  enablePendingRewards: true,
  enableCrmIntegration: true,
  // The texts of the interface stay the default of the script; a site sets its own.
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

/** Under `require-trusted-types-for`, the one address that this page makes a script of. */
const policy = globalThis.trustedTypes?.createPolicy('casino', {
  createScriptURL(url) {
    if (url !== `${house.platform.url}/loader/crm.js`) throw new TypeError('not a script of this page');
    return url;
  },
});

let resolveReady;
/** Resolves with window.Crm; never, while the platform is away: the casino goes on without it. */
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

/** Pauses between two tries of a session that the platform still takes for an excluded player's: the first, and the longest. */
const firstPauseMs = 1500;
const longestPauseMs = 6000;

let wanted = { sid: null, excluded: false };
let begun = null;

/**
 * Follows the casino's own session: a new sid starts the script anew, no sid ends it. The platform ends a session by itself when
 * its player is excluded; once the exclusion is over the same sid is good again, and the script has to be started again too.
 */
export async function follow({ signed_in, sid, is_excluded }) {
  const next = { sid: signed_in ? sid : null, excluded: is_excluded === true };
  if (next.sid === wanted.sid && next.excluded === wanted.excluded) return;
  wanted = next;
  const crm = await ready;
  if (wanted !== next) return;
  const before = begun;
  // An exclusion ends the script's session as well: what begins after it is a new one.
  begun = next.excluded ? null : next.sid;
  // A session that has ended already is told so, and that is what was wanted.
  if (before !== null && before !== begun) await crm.logout().catch(() => {});
  if (wanted !== next) return;
  window.sid = next.sid ?? undefined;
  if (begun === null) return;
  // The platform hears of the end of an exclusion by an event. That takes a moment, or longer where the operator is slow to answer.
  for (let pause = firstPauseMs; wanted === next; pause = Math.min(pause * 2, longestPauseMs)) {
    if (await crm.init().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
