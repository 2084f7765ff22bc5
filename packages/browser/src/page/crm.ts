import type { Api, Bridge } from './bridge.ts';
import { createActions } from './client/actions.ts';
import { type DemoOptions, demoMessage } from './client/demo.ts';
import { watchExpiry } from './client/expiry-timer.ts';
import { browserGround } from './client/ground.ts';
import { added, announced, nothing } from './client/held.ts';
import { createHolder } from './client/holder.ts';
import { createPlayerCalls, type PlayerCalls } from './client/player.ts';
import { type Run, startRun } from './client/run.ts';
import type { Store } from './client/store.ts';
import { readSettings, readText } from './config/read.ts';
import type { Settings } from './config/settings.ts';
import { findRoot } from './config/staging.ts';
import { mountUi } from './ui/mount.tsx';

/*
 * The functions of `window.Crm`, put together. Functions that act for the player wait for `init` and for the sign-in that it
 * started; those whose enable flag is off refuse (docs/decisions/1130).
 */
type Flag = 'enableEventTracking' | 'enablePendingRewards' | 'enableCrmIntegration';

/** Calls that wait for `init` or a sign-in; more are refused, so that a page that tracks every move of the mouse keeps its memory. */
const maxWaiting = 100;

export function createCrm(bridge: Bridge): Api {
  const { names, emit, fail, hint } = bridge;
  const ground = browserGround;
  const holder = createHolder((unread) => emit('unread', unread));
  const actions = createActions(holder, () => run?.server());
  const store: Store = { get: holder.view, subscribe: holder.subscribe, actions };
  let settings: Settings | undefined;
  let run: Run | undefined;
  let clockOffset = 0;
  let unmount: (() => void) | undefined;
  let waiting = 0;
  let initialised: (settings: Settings) => void = () => {};
  const begun = new Promise<Settings>((resolve) => {
    initialised = resolve;
  });
  watchExpiry(holder, () => ground.now() + clockOffset);

  /** Of the latest init; waits for the first one. */
  const started = async (): Promise<Settings> => {
    if (waiting >= maxWaiting)
      throw refusal('too_many_calls', `more than ${maxWaiting} calls wait for ${names.api}.init`);
    waiting++;
    const first = await begun.finally(() => waiting--);
    return settings ?? first;
  };

  /** The calls of the signed-in player. @throws what says why there are none. */
  const ofPlayer = async (name: string, flag?: Flag): Promise<PlayerCalls> => {
    const current = await started();
    if (flag !== undefined && !current[flag]) {
      const error = refusal('not_enabled', `${names.api}.${name} needs ${names.config}.${flag} = true`);
      fail(error);
      throw error;
    }
    if (run === undefined) throw refusal('missing_session', `call ${names.api}.init() for a signed-in player first`);
    if (waiting >= maxWaiting) throw refusal('too_many_calls', `more than ${maxWaiting} calls wait for the server`);
    waiting++;
    const { call } = await run.session.finally(() => waiting--);
    return createPlayerCalls(call);
  };

  const leave = () => {
    run?.end();
    run = undefined;
    holder.change(() => nothing);
  };

  const show = (shown: Settings) => {
    unmount?.();
    unmount = mountUi({ store, settings: shown, policy: bridge.policy, nonce: bridge.nonce });
  };

  const init = async (): Promise<boolean> => {
    const configured = bridge.configured();
    const [sid, brand] = [readText(configured.sid), readText(configured.brand)];
    const next = readSettings(configured.config, names.config, hint);
    settings = next;
    whenThereIsABody(() => settings === next && show(next));
    initialised(next);
    if (sid === '' || brand === '') {
      leave();
      const [code, missing] = brand === '' ? ['missing_brand', names.brand] : ['missing_session', names.sid];
      fail({ code, message: `set window.${missing} before ${names.api}.init()` });
      return false;
    }
    // Called twice for one player: what runs goes on.
    if (run?.sid === sid && !run.isOver()) return run.ready;
    leave();
    const root = await findRoot(bridge, brand);
    // Another init, or a logout, came while the staging address was asked for.
    if (settings !== next) return run?.ready ?? false;
    const started = startRun({ root, brand, sid, holder, withInbox: next.inbox.enable, emit, fail, ground });
    run = started;
    started.session.then(
      (session) => {
        if (run === started) clockOffset = session.clockOffset;
      },
      () => {},
    );
    return started.ready;
  };

  return {
    init,
    async toggleInbox() {
      const { inbox } = await started();
      if (inbox.enable) actions.toggleInbox();
      else
        hint(
          `the inbox is off: set ${names.config}.integrationVersion = '1.1' and ${names.config}.inbox.enable = true`,
        );
    },
    async demoMessage(given) {
      const { inbox } = await started();
      const message = demoMessage(given as DemoOptions, ground.now() + clockOffset);
      if (message.Event === 'inbox' && !inbox.enable)
        return hint('a demo message of the inbox needs the inbox enabled');
      holder.change((held) => announced(message.Event === 'inbox' ? added(held, message) : held, message));
      emit(message.Event, message);
    },
    async logout() {
      const left = run;
      settings = settings && { ...settings };
      leave();
      await left?.lastCalls()('POST', 'Crm/Logout', { keepalive: true });
    },
    track: async (name, data) =>
      (await ofPlayer('track', 'enableEventTracking')).track(name as string, data as Record<string, unknown>),
    pendingRewards: async () => (await ofPlayer('pendingRewards', 'enablePendingRewards')).pendingRewards(),
    claimReward: async (id) => (await ofPlayer('claimReward', 'enablePendingRewards')).claimReward(id as string),
    async profile() {
      const calls = await ofPlayer('profile', 'enableCrmIntegration');
      return { ...(await calls.profile()), setConsent: calls.setConsent };
    },
    setConsent: async (type, optedIn) =>
      (await ofPlayer('setConsent', 'enableCrmIntegration')).setConsent(type as string, optedIn as boolean),
    async enablePush() {
      await ofPlayer('enablePush');
    },
  };
}

/** An Error that the page can tell from others by its `code`. */
function refusal(code: string, message: string): Error & { code: string } {
  return Object.assign(new Error(message), { code });
}

/** The script may run, and a page may initialise, before there is anything to put a widget on. */
function whenThereIsABody(action: () => void): void {
  if (document.body) action();
  else addEventListener('DOMContentLoaded', action, { once: true });
}
