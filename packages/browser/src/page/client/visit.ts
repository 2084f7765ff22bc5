import type { ChannelAuthResult } from '@croupier/contracts/site';
import type { PageError, PageEvent } from '../bridge.ts';
import type { Server } from './actions.ts';
import { createActivityReporter } from './activity.ts';
import { isPassing, pause, type SiteError } from './http.ts';
import { createLists } from './lists.ts';
import { stayLive } from './live.ts';
import { closedOnceEnded, type Model } from './model.ts';
import { createSession, type Session } from './session.ts';
import type { Message } from './store.ts';
import { joinTabs, type TabChange } from './tabs.ts';

/*
 * A visit is one player on this page, from `init` until the logout, the next player, or the end of the session:
 *
 *   loading --listed--> ready <----> offline     no answer, or an unavailable server: retried automatically
 *      |                  |             |
 *      '------- 401 ------+-------------'--> signed_out     no more requests
 *
 * Only the server's answer to the sid ends a visit. The socket may also report that a session of the player has ended. That
 * report may be an old one about another session, or about an exclusion that is over. So it only causes the sid to be
 * checked.
 *
 * Everything in a visit depends on one signal: calls, socket, timers, listeners, the tabs' channel, and its model. Once it is
 * aborted, nothing of the visit changes the screen or is reported to the page. So the next player never sees an answer to the
 * former one. A page that is notified of a message may do anything, and may even change the player. So notifications are sent
 * between two steps of the script, never within one.
 */
export interface VisitOptions {
  /** Returns the address of the platform. @throws {SiteError} */
  findRoot(): Promise<string>;
  /** The brand's code, as used in addresses. */
  brand: string;
  sid: string;
  model: Model;
  withInbox: boolean;
  emit(event: PageEvent, detail: unknown): void;
  fail(error: PageError): void;
}

export interface Visit {
  /** Identifies the player: brand and sid. */
  who: string;
  session: Session;
  /** Resolves with true when the player is known. Rejects if the sid is refused, or the visit ends first. */
  signedIn: Promise<boolean>;
  /** Resolves with false if the first sign-in fails temporarily. `signedIn` keeps retrying. */
  stalled: Promise<boolean>;
  /** What actions need to know about the player. It is set once the player is known. */
  server?: Server;
  isOver(): boolean;
  end(): void;
}

/** The wait after the first failure. It doubles each time, up to a minute, plus or minus half. */
const retryMs = 2_000;
const maxRetryMs = 60_000;

export function startVisit({ findRoot, brand, sid, model: modelOfPage, withInbox, emit, fail }: VisitOptions): Visit {
  const ending = new AbortController();
  const ended = ending.signal;
  const model = closedOnceEnded(ended, modelOfPage);
  let root = '';
  const base = async () => {
    root ||= await findRoot();
    return `${root}/site/${brand}`;
  };
  /**
   * Ends the visit permanently. What the player saw is removed, too, because another person may be using the page now.
   */
  const signOut = (error: PageError) => {
    if (ended.aborted) return;
    ending.abort();
    // If no player was signed in, there is nothing to hide. A demo message that the page has just shown stays.
    if (visit.server) modelOfPage.clear('signed_out');
    else modelOfPage.show({ phase: 'signed_out' });
    fail(error);
  };
  const session = createSession(base, sid, ended, signOut);
  /** Call it only while an action is retried until it succeeds, because that success ends the phase. */
  const offline = () => model.show({ phase: 'offline' });

  let stall: ((answer: boolean) => void) | undefined;
  const stalled = new Promise<boolean>((resolve) => {
    stall = resolve;
  });
  const failed = (error: SiteError) => ended.aborted || model.get().phase === 'offline' || fail(error);

  /** Ends the wait between two tries. */
  let wake: (() => void) | undefined;
  addEventListener('online', () => wake?.(), { signal: ended });
  ended.addEventListener('abort', () => wake?.());

  /**
   * Repeats an action that fails temporarily, at growing intervals, and immediately when the network is back. A
   * permanent failure ends the visit.
   */
  const retryUntilDone = async <T>(action: () => Promise<T>): Promise<T> => {
    for (let wait = retryMs; ; wait = Math.min(maxRetryMs, wait * 2)) {
      try {
        return await action();
      } catch (error) {
        if (!isPassing(error as SiteError)) {
          signOut(error as SiteError);
          throw error;
        }
        failed(error as SiteError);
        offline();
        stall?.(false);
      }
      await new Promise<unknown>((resolve) => {
        wake = resolve as () => void;
        void pause(wait).then(resolve);
      });
    }
  };

  const begin = () => {
    const { UserId, BrandId, Channel, SupportEmail: contactEmail } = player;
    const lists = createLists(session.call, model, withInbox, (message) =>
      queueMicrotask(() => ended.aborted || emit(message.Event, message)),
    );
    const applied = (id: number, change: TabChange) => (change === 'close' ? model.close(id) : model.apply(id, change));
    const tell = joinTabs(`crm ${root} ${brand} ${UserId}`, applied, ended);
    visit.server = { lists, model, tell, reportActivity: createActivityReporter(session.call, ended), failed };

    let isListing = false;
    let again = false;
    /**
     * True if there was no network at some time since the list was requested. Then the answer does not end `offline`,
     * because later messages may have been missed.
     */
    let wentOffline = false;
    /** Loads the list until it succeeds. A call in the meantime causes one more list. */
    const refresh = async () => {
      again = true;
      if (isListing) return;
      isListing = true;
      while (again) {
        again = wentOffline = false;
        await retryUntilDone(lists.all).then(
          () => model.show({ phase: wentOffline ? 'offline' : 'ready', contactEmail }),
          () => {},
        );
      }
      isListing = false;
    };
    const channel = Channel ?? `private-crm-${BrandId}-${UserId}`;
    stayLive({
      url: `${root.replace(/^http/, 'ws')}/app/${brand}`,
      channel,
      authorize: async (socket_id) =>
        (
          await session.call<ChannelAuthResult>('POST', 'external/pusher', {
            body: { socket_id, channel_name: channel },
          })
        ).auth,
      onEvent(name, data) {
        const message = Object(data) as Message & { Unread?: number };
        const { MessageId, Unread } = message;
        // All data of the player is hidden until it is known whose session continues.
        if (name === 'session_ended') {
          session.signIn().catch((error) => {
            failed(error);
            model.clear('offline');
          });
        } else if (name === 'read') model.apply(MessageId, name, Unread);
        else if (name === 'closed') model.close(MessageId);
        else if (/^(deleted|withdrawn)$/.test(name)) model.apply(MessageId, 'delete', Unread);
        else if (message.UserId === UserId) lists.arrived(message);
      },
      refresh,
      onOffline() {
        wentOffline = true;
        offline();
      },
      ended,
    });
    return true;
  };

  model.show({ phase: 'loading' });
  let player: Awaited<ReturnType<Session['signIn']>>;
  const signedIn = retryUntilDone(async () => {
    player = await session.signIn();
  }).then(begin);
  const visit: Visit = {
    who: `${brand} ${sid}`,
    session,
    signedIn,
    stalled,
    isOver: () => ended.aborted,
    end: () => ending.abort(),
  };
  return visit;
}
