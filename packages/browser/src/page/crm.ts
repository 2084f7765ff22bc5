import type { Api, Bridge } from './bridge.ts';
import { createActions } from './client/actions.ts';
import { demoMessage } from './client/demo.ts';
import { type Call, siteError } from './client/http.ts';
import { createModel } from './client/model.ts';
import * as player from './client/player.ts';
import { startVisit, type Visit } from './client/visit.ts';
import { fitsHeader, inboxNeeds, readSettings, readText } from './config/read.ts';
import type { Flag, Settings } from './config/settings.ts';
import { findRoot as rootOf } from './config/staging.ts';
import { askPermission, type PushOptions, pushState, subscribe, takeOver, unsubscribe } from './push/push.ts';
import { mountUi } from './ui/mount.tsx';

/*
 * The functions of `window.Crm`. The loader calls `init` before anything else. Functions that act for the
 * player wait for the sign-in that `init` started. If the enable flag of a function is off, its calls are
 * refused (docs/decisions/1130).
 */
export function createCrm(bridge: Bridge): Api {
  const { names, emit, fail, hint } = bridge;
  const model = createModel((unread) => emit('unread', unread));
  const actions = createActions(model, () => visit?.server);
  addEventListener('pagehide', () => actions.finishRemoving());
  let settings: Settings | undefined;
  let visit: Visit | undefined;
  let unmount: (() => void) | undefined;

  /** Waits for the sign-in. @throws {SiteError} with the reason if there is none */
  const signedIn = async (name: string, flag?: Flag): Promise<Visit> => {
    const current = visit;
    if (flag && !settings?.[flag]) {
      const error = siteError('not_enabled', `${name} needs ${names.config}.${flag} = true`);
      fail(error);
      throw error;
    }
    if (!current) throw siteError('missing_session');
    await current.signedIn;
    return current;
  };
  /** Calls the function of that name if the page has enabled it. The server validates the arguments. */
  const enabled =
    <T>(name: string, flag: Flag, ask: (call: Call, ...given: never[]) => Promise<T>) =>
    async (...given: unknown[]) =>
      ask((await signedIn(name, flag)).session.call, ...(given as never[]));
  const setConsent = enabled('setConsent', 'enableCrmIntegration', player.setConsent);
  const profile = enabled('profile', 'enableCrmIntegration', player.profile);

  const pushOptions = ({ session }: Visit): PushOptions => ({ ...bridge, ...settings, call: session.call });

  const leave = () => {
    const left = visit;
    left?.end();
    visit = undefined;
    model.clear('idle');
    return left;
  };

  /**
   * Resolves with true when the player is signed in. If the server is unavailable, resolves with false, so that a page that
   * waits for `init` learns this. Meanwhile, the visit keeps retrying.
   */
  const answerOf = ({ signedIn, stalled }: Visit) => Promise.race([signedIn, stalled]).catch(() => false);

  const init = async (): Promise<boolean> => {
    const configured = bridge.configured();
    const sid = readText(configured.sid);
    const brand = encodeURIComponent(readText(configured.brand));
    const who = `${brand} ${sid}`;
    // This is a second call for the same player. The visit continues, and nothing is drawn again.
    if (visit?.who === who && !visit.isOver()) return answerOf(visit);
    if (visit) leave();
    const mine = readSettings(configured.config, names.config, hint);
    settings = mine;
    whenBodyExists(() => {
      if (settings !== mine) return;
      unmount?.();
      unmount = mountUi({ ...bridge, store: { ...model, actions }, settings });
    });
    if (!brand || !sid || !fitsHeader(sid)) {
      const code = !brand ? 'missing_brand' : sid ? 'invalid_session' : 'missing_session';
      fail(
        siteError(
          code,
          `window.${brand ? names.sid : names.brand} is ${brand && sid ? 'not a valid HTTP header value' : 'not set'}`,
        ),
      );
      return false;
    }
    const findRoot = () => rootOf(bridge, brand);
    const newVisit = startVisit({ ...bridge, findRoot, brand, sid, model, withInbox: mine.inbox.enable });
    visit = newVisit;
    newVisit.signedIn.then(() => takeOver(pushOptions(newVisit))).catch(() => {});
    return answerOf(newVisit);
  };

  return {
    init,
    toggleInbox() {
      if (settings?.inbox.enable) actions.toggleInbox();
      else hint(inboxNeeds(names.config));
    },
    demoMessage(given) {
      const message = demoMessage(given);
      const isInbox = message.Event === 'inbox';
      if (isInbox && !settings?.inbox.enable) return hint(inboxNeeds(names.config));
      model.arrive(message, isInbox);
      emit(message.Event, message);
    },
    logout: () => leave()?.session.logout(),
    track: enabled('track', 'enableEventTracking', player.track),
    pendingRewards: enabled('pendingRewards', 'enablePendingRewards', player.pendingRewards),
    claimReward: enabled('claimReward', 'enablePendingRewards', player.claimReward),
    profile: async () => ({ ...(await profile()), setConsent }),
    setConsent,
    pushState: async () => pushState(pushOptions(await signedIn('pushState'))),
    async enablePush(on = true) {
      const refused = on ? await askPermission() : null;
      if (refused) return refused;
      const current = await signedIn('enablePush');
      return (on ? subscribe : unsubscribe)(pushOptions(current));
    },
  };
}

/**
 * Waits for the document's body, which the widget needs. The script may run, and the page may call `init`, before there
 * is one.
 */
function whenBodyExists(action: () => void): void {
  if (document.body) action();
  else addEventListener('DOMContentLoaded', action, { once: true });
}
