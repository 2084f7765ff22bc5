import type { Api, Bridge } from './bridge.ts';
import { createActions } from './client/actions.ts';
import { demoMessage } from './client/demo.ts';
import { siteError } from './client/http.ts';
import { createModel } from './client/model.ts';
import { createPlayerCalls, type PlayerCalls } from './client/player.ts';
import { type Run, startRun } from './client/run.ts';
import { readSettings, readText } from './config/read.ts';
import type { Settings } from './config/settings.ts';
import { findRoot as rootOf } from './config/staging.ts';
import { askPermission, type PushOptions, subscribe, takeOver, unsubscribe } from './push/push.ts';
import { mountUi } from './ui/mount.tsx';

/*
 * The functions of `window.Crm`, put together. The loader calls `init` before anything else. Functions that act for the player wait
 * for the sign-in that it started; those whose enable flag is off refuse (docs/decisions/1130).
 */
type Flag = 'enableEventTracking' | 'enablePendingRewards' | 'enableCrmIntegration';

/** Calls that wait for a sign-in; more are refused, so that a page that tracks every move of the mouse keeps its memory. */
const maxWaiting = 100;

export function createCrm(bridge: Bridge): Api {
  const { names, emit, fail, hint } = bridge;
  const now = () => Date.now() + (run?.session.clockOffset() ?? 0);
  const model = createModel((unread) => emit('unread', unread), now);
  const actions = createActions(model, () => run?.server);
  let settings: Settings | undefined;
  let run: Run | undefined;
  let unmount: (() => void) | undefined;
  let waiting = 0;

  /** The calls of the signed-in player. @throws {SiteError} what says why there are none. */
  const player = async (name: string, flag?: Flag): Promise<PlayerCalls> => {
    if (flag && !settings?.[flag]) {
      const error = siteError('not_enabled', `${names.api}.${name} needs ${names.config}.${flag} = true`);
      fail(error);
      throw error;
    }
    if (!run) throw siteError('missing_session', `${names.api}.${name} needs a signed-in player`);
    if (waiting >= maxWaiting) throw siteError('too_many_calls');
    waiting++;
    await run.signedIn.finally(() => waiting--);
    return createPlayerCalls(run.session.call);
  };
  const tracking = (name: string) => player(name, 'enableEventTracking');
  const rewards = (name: string) => player(name, 'enablePendingRewards');
  const integration = (name: string) => player(name, 'enableCrmIntegration');

  const pushOptions = ({ session }: Run, { pushWorkerUrl }: Settings): PushOptions => {
    const { root, policy } = bridge;
    return { call: session.call, root, workerUrl: pushWorkerUrl, policy };
  };

  const leave = () => {
    const left = run;
    left?.end();
    run = undefined;
    model.clear('idle');
    return left;
  };

  const init = async (): Promise<boolean> => {
    const configured = bridge.configured();
    const [sid, brand] = [readText(configured.sid), encodeURIComponent(readText(configured.brand))];
    const mine = readSettings(configured.config, names.config, hint);
    settings = mine;
    whenThereIsABody(() => {
      if (settings !== mine) return;
      unmount?.();
      const { policy, nonce } = bridge;
      unmount = mountUi({ store: { ...model, actions }, settings, policy, nonce });
    });
    // Called twice for one player: what runs goes on.
    if (run && run.sid === sid && !run.isOver()) return run.ready;
    leave();
    const [code, missing] = brand ? ['missing_session', names.sid] : ['missing_brand', names.brand];
    if (!brand || !sid) fail({ code, message: `set window.${missing} before ${names.api}.init()` });
    if (!brand || !sid) return false;
    const findRoot = () => rootOf(bridge, brand);
    const begun = startRun({ findRoot, brand, sid, model, withInbox: mine.inbox.enable, emit, fail });
    run = begun;
    begun.signedIn.then(() => takeOver(pushOptions(begun, mine))).catch(() => {});
    return begun.ready;
  };

  return {
    init,
    toggleInbox() {
      if (settings?.inbox.enable) actions.toggleInbox();
      else hint(`the inbox needs ${names.config}.integrationVersion = '1.1' and ${names.config}.inbox.enable = true`);
    },
    demoMessage(given) {
      const message = demoMessage(given, now());
      const isInbox = message.Event === 'inbox';
      if (isInbox && !settings?.inbox.enable) return hint('a demo message of the inbox needs the inbox');
      model.arrive(message, isInbox);
      emit(message.Event, message);
    },
    logout: () => leave()?.session.logout(),
    track: async (name, data) => (await tracking('track')).track(name as string, data as Record<string, unknown>),
    pendingRewards: async () => (await rewards('pendingRewards')).pendingRewards(),
    claimReward: async (id) => (await rewards('claimReward')).claimReward(id as string),
    async profile() {
      const calls = await integration('profile');
      return { ...(await calls.profile()), setConsent: calls.setConsent };
    },
    setConsent: async (type, optedIn) =>
      (await integration('setConsent')).setConsent(type as string, optedIn as boolean),
    async enablePush(on = true) {
      const refused = on ? await askPermission() : null;
      if (refused) return refused;
      await player('enablePush');
      if (!run || !settings) throw siteError('ended');
      return (on ? subscribe : unsubscribe)(pushOptions(run, settings));
    },
  };
}

/** The script may run, and a page may initialise, before there is anything to put a widget on. */
function whenThereIsABody(action: () => void): void {
  if (document.body) action();
  else addEventListener('DOMContentLoaded', action, { once: true });
}
