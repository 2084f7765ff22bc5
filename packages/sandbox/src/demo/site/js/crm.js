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

let current = null;

/** Follows the casino's own session: a new sid starts the script anew, no sid ends it. */
export async function follow({ signed_in, sid }) {
  const next = signed_in ? sid : null;
  if (next === current) return;
  const before = current;
  current = next;
  const crm = await ready;
  if (current !== next) return;
  // A session that has ended already is told so, and that is what was wanted.
  if (before !== null) await crm.logout().catch(() => {});
  window.sid = next ?? undefined;
  if (next !== null) crm.init();
}
