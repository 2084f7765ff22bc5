import type { ChannelAuthRequest, ChannelAuthResult } from '@croupier/contracts/site';
import type { PageError, PageEvent } from '../bridge.ts';
import type { Server } from './actions.ts';
import type { Ground } from './ground.ts';
import { applied, type Change, nothing } from './held.ts';
import type { Holder } from './holder.ts';
import { createHttp, type HttpOptions, isPassing, SiteError } from './http.ts';
import { createInboxCalls, type InboxCalls } from './inbox-calls.ts';
import { stayLive } from './live.ts';
import { createRefresh, type Refresh } from './refresh.ts';
import { isSignedOut, openSession, type Session } from './session.ts';
import type { Message } from './store.ts';
import { joinTabs, type Tabs } from './tabs.ts';

/*
 * One player on this page, from `init` to logout, to the next player, or to the end of the session:
 *
 *   loading --listed--> ready <----> offline     no answer, or a server that is away: tried again by itself
 *      |                  |             |
 *      '------- 401 ------+-------------'--> signed_out     nothing is asked any more
 *
 * A run has one AbortSignal, and everything of it hangs on that: calls, socket, timers, listeners, the tabs' channel. Once it is
 * aborted nothing of the run can change the screen, so that an answer to the former player never shows to the next one.
 */
export interface RunOptions {
  /** Of the platform. */
  root: string;
  brand: string;
  sid: string;
  holder: Holder;
  withInbox: boolean;
  emit(event: PageEvent, detail: unknown): void;
  fail(error: PageError): void;
  ground: Ground;
}

export interface Run {
  sid: string;
  /** Rejects when the sid is refused, or the run ends before. Waits while the server is away. */
  session: Promise<Session>;
  /** Of the first list: true. False: signed out. */
  ready: Promise<boolean>;
  /** What the screen's actions need; none until the player is known. */
  server(): Server | undefined;
  isOver(): boolean;
  end(): void;
  /** Calls that a run's end does not stop: for leaving. */
  lastCalls(): ReturnType<typeof createHttp>;
}

const firstRetryMs = 2_000;
const maxRetryMs = 60_000;
/** What a caller is told once the server is there but this page may not read its answers: browsers do not tell the two apart. */
const unreachable = "no answer; is the server up, and this page's origin in site_origins of the brand?";

export function startRun({ holder, emit, fail, ...options }: RunOptions): Run {
  const { ground, brand, sid } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const base = `${options.root}/site/${encodeURIComponent(brand)}`;
  const http: Omit<HttpOptions, 'credential'> = { base, signal, ground };
  let live: { session: Session; calls: InboxCalls; refresh: Refresh; tabs: Tabs } | undefined;
  let settle: (isReady: boolean) => void = () => {};
  const ready = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  signal.addEventListener('abort', () => settle(false));

  const phase = (next: 'ready' | 'offline') =>
    signal.aborted || holder.change((held) => (held.phase === next ? held : { ...held, phase: next }));

  /** For good: what the player saw goes, too, because whoever sits here now may be somebody else. */
  const signOut = ({ code, message }: PageError) => {
    if (signal.aborted) return;
    ending.abort();
    holder.change(({ arrivals, inboxOpen }) => ({
      ...nothing,
      inboxOpen,
      phase: 'signed_out',
      arrivals: arrivals.filter(({ MessageId }) => MessageId < 0),
    }));
    fail({ code, message });
  };

  /** @returns whether it may be tried again. */
  const failed = (error: unknown): boolean => {
    if (signal.aborted || !(error instanceof SiteError)) return false;
    if (isSignedOut(error)) signOut(error);
    else if (isPassing(error)) {
      if (holder.get().phase !== 'offline')
        fail({ code: error.code, message: error.status ? error.message : unreachable });
      phase('offline');
    } else fail(error);
    return isPassing(error);
  };

  /** Repeats what fails in passing, ever more slowly, and at once when the network is back. */
  const insist = async <T>(action: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await action();
      } catch (error) {
        if (!failed(error)) throw error;
        const wait = Math.min(maxRetryMs, firstRetryMs * 2 ** tries) * (0.5 + ground.random());
        const woken = new Promise<void>((resolve) =>
          addEventListener('online', () => resolve(), { once: true, signal }),
        );
        await Promise.race([ground.wait(wait, signal), woken]);
      }
    }
  };

  let isListing = false;
  let again = false;
  /** Lists until it succeeds; what asks for it meanwhile gets one more. */
  const refresh = async (all: () => Promise<void>) => {
    again = true;
    if (isListing) return;
    isListing = true;
    while (again && !signal.aborted) {
      again = false;
      const isListed = await insist(all).then(
        () => true,
        () => false,
      );
      if (isListed) phase('ready');
      settle(isListed);
    }
    isListing = false;
  };

  const begin = (session: Session) => {
    const { player } = session;
    const calls = createInboxCalls(session.call);
    const onNew = (message: Message) => emit(message.Event, message);
    const lists = createRefresh({ calls, holder, withInbox: options.withInbox, onNew });
    const told = (id: number, change: Change, unread?: number) =>
      signal.aborted || holder.change((held) => applied(held, id, change, unread));
    const tabs = joinTabs(`crm ${base} ${player.UserId}`, told, signal);
    live = { session, calls, refresh: lists, tabs };
    stayLive({
      url: `${options.root.replace(/^http/, 'ws')}/app/${encodeURIComponent(brand)}`,
      channel: player.Channel ?? `private-crm-${player.BrandId}-${player.UserId}`,
      async authorise(socket_id, channel_name) {
        const body: ChannelAuthRequest = { socket_id, channel_name };
        const given = { body, bare: true, once: true };
        try {
          return (await session.call<ChannelAuthResult>('POST', 'external/pusher', given)).auth;
        } catch (error) {
          if (isSignedOut(error)) failed(error);
          throw error;
        }
      },
      onEvent(name, data) {
        if (signal.aborted) return;
        const { MessageId, Unread, UserId } = Object(data) as Partial<Message> & { Unread?: number };
        if (name === 'session_ended') signOut({ code: name, message: 'The session has ended.' });
        else if (MessageId === undefined) return;
        else if (name === 'read') told(MessageId, 'read', Unread);
        else if (name === 'deleted' || name === 'withdrawn') told(MessageId, 'delete', Unread);
        else if (UserId === player.UserId) lists.arrived(data as Message);
      },
      refresh: () => void refresh(lists.all),
      onOffline: () => phase('offline'),
      signal,
      ground,
    });
  };

  holder.change(({ inbox, arrivals, inboxOpen }) => ({
    ...nothing,
    phase: 'loading',
    inboxOpen,
    // Demo messages belong to the page, not to a player.
    inbox: inbox.filter(({ MessageId }) => MessageId < 0),
    arrivals: arrivals.filter(({ MessageId }) => MessageId < 0),
  }));
  const session = insist(() => openSession(sid, http));
  session.then(begin).catch((error: unknown) => {
    // What is not passing does not get better: an unknown brand, a wrong address.
    if (error instanceof SiteError && !signal.aborted) signOut(error);
  });

  return {
    sid,
    session,
    ready,
    server: () =>
      live && {
        change: live.calls.change,
        older: live.refresh.older,
        changed: live.tabs.tell,
        isEnded: () => signal.aborted,
        failed,
      },
    isOver: () => signal.aborted,
    end: () => ending.abort(),
    lastCalls: () =>
      createHttp({
        ...http,
        credential: () => live?.session.token() ?? sid,
        signal: new AbortController().signal,
      }),
  };
}
