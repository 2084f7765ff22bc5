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
 * One player on this page, from `init` to logout, to the next player, or to the end of the session:
 *
 *   loading --listed--> ready <----> offline     no answer, or a server that is away: tried again by itself
 *      |                  |             |
 *      '------- 401 ------+-------------'--> signed_out     nothing is asked any more
 *
 * Nobody but the server's answer to the sid ends it: that a session of the player has ended, which the socket tells, may be a late word
 * about another session or an exclusion that is over, and only makes the sid be asked about.
 *
 * Everything of a visit hangs on one signal: calls, socket, timers, listeners, the tabs' channel, and its model. Once that is aborted nothing
 * of the visit changes the screen or is told to the page, so that an answer to the former player never shows to the next one. What
 * the page does when it is told of a message, a change of player included, it does between two steps of ours and not in one.
 */
export interface VisitOptions {
  /** Address of the platform. @throws {SiteError} */
  findRoot(): Promise<string>;
  /** As it stands in addresses. */
  brand: string;
  sid: string;
  model: Model;
  withInbox: boolean;
  emit(event: PageEvent, detail: unknown): void;
  fail(error: PageError): void;
}

export interface Visit {
  /** The same for the same player: brand and sid. */
  who: string;
  session: Session;
  /** True when the player is known. Rejects when the sid is refused, or the visit ends before. */
  signedIn: Promise<boolean>;
  /** False when the first try to sign in fails in passing; `signedIn` is tried on. */
  stalled: Promise<boolean>;
  /** Once the player is known. */
  server?: Server;
  isOver(): boolean;
  end(): void;
}

/** The wait after the first failure; doubled each time up to a minute, give or take half. */
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
  /** For good: what the player saw goes, too, because whoever sits here now may be somebody else. */
  const signOut = (error: PageError) => {
    if (ended.aborted) return;
    ending.abort();
    // Where nobody was signed in there is nothing to hide, and a demo message that the page has just shown stays.
    if (visit.server) modelOfPage.clear('signed_out');
    else modelOfPage.show({ phase: 'signed_out' });
    fail(error);
  };
  const session = createSession(base, sid, ended, signOut);
  /** Only while something is retried until it succeeds, because that success ends the phase. */
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

  /** Repeats what fails in passing, ever more slowly, and at once when the network is back. What does not pass ends the visit. */
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
    visit.server = { lists, model, tell, tellActivity: createActivityReporter(session.call, ended), failed };

    let isListing = false;
    let again = false;
    /** No network since the list was asked for: its answer does not end `offline`, as nothing that comes later arrives. */
    let wentOffline = false;
    /** Lists until it succeeds; whoever asks meanwhile gets one more. */
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
      authorise: async (socket_id) =>
        (
          await session.call<ChannelAuthResult>('POST', 'external/pusher', {
            body: { socket_id, channel_name: channel },
          })
        ).auth,
      onEvent(name, data) {
        const message = Object(data) as Message & { Unread?: number };
        const { MessageId, Unread } = message;
        // Until it is known whose session goes on, nothing of the player's stays to be seen.
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
