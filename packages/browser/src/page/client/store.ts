import type { NotificationRecord } from '@croupier/contracts/site';

/** A notification as stored in the script. DisplayType is set for inbox messages only. */
export type Message = NotificationRecord & { DisplayType?: 'silent' | 'push' };

/** Everything on the screen is a function of this state. It is immutable, and each change creates a new one. */
export interface State {
  /**
   * - idle: not initialized, or logged out
   * - loading: waiting for the first list
   * - offline: shows the last known state, because there is no network or lists cannot be loaded. It is retried
   *   automatically, and ends when a list is loaded
   * - signed_out: the session is not valid, or has ended
   */
  phase: 'idle' | 'loading' | 'ready' | 'offline' | 'signed_out';
  /** Inbox messages of this player only, newest first. */
  inbox: readonly Message[];
  /**
   * Messages of `inbox` that the player has deleted and can still restore. The server is called later. They are not
   * counted as unread, and are no longer announced.
   */
  removed: readonly number[];
  /** Whether older messages can be fetched. */
  hasMore: boolean;
  /** The number of unread messages in the whole inbox, not only among those that were fetched. */
  unread: number;
  inboxOpen: boolean;
  /** The inbox message that is open, or null for the list. */
  openId: number | null;
  /** Modals and banners that wait to be shown. The first of each kind is on the screen. */
  arrivals: readonly Message[];
  /**
   * A change that was reverted, because the server refused it or cannot be reached. The notice about it is shown until
   * the player dismisses it.
   */
  problem: 'read_failed' | 'delete_failed' | 'load_failed' | null;
  /**
   * The brand's contact address, for a page that sets none. It is known once a player is signed in. It stays when the
   * player leaves, because it is not personal.
   */
  contactEmail?: string | undefined;
}

/** The actions of the screen. All return immediately. If one fails, its change is reverted, and `problem` is set. */
export interface Actions {
  toggleInbox(): void;
  closeInbox(): void;
  open(messageId: number): void;
  backToList(): void;
  /** Marks the whole inbox as read, including messages that were not fetched yet. */
  readAll(): void;
  /** Deletes a message. Demo messages disappear from the page. */
  remove(messageId: number): void;
  /** Deletes a message that can be restored until `finishRemoving` is called for it. */
  removeLater(messageId: number): void;
  restore(messageId: number): void;
  /**
   * Deletes messages of `removed` at the server; without ids, it deletes all of them. It is called without ids when the player
   * opens a message, closes the inbox or leaves the page.
   */
  finishRemoving(messageIds?: readonly number[]): void;
  loadMore(): void;
  /** Reports that these messages are on the screen. The screen calls it each time it renders them. */
  shown(messageIds: readonly number[]): void;
  /**
   * Closes a modal, banner or hint that the player closed. It stays unread and is not announced again, and the next one is
   * shown.
   */
  close(messageId: number): void;
  /** Removes a hint that the player did not close. The screen calls it, for example when the hint was shown long enough. */
  hide(messageId: number): void;
  /** Call it when the player followed a button or link of a message. The message becomes read, and a modal or banner closes. */
  follow(messageId: number): void;
  dismissProblem(): void;
}

export interface Store {
  get(): State;
  /** Calls the listener after every change. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  actions: Actions;
}

/**
 * Messages with higher numbers belong to no server: the page created them (`demoMessage`). They are at the top, like
 * the newest.
 */
export const firstDemoId = 5e15;

export function isDemo({ MessageId }: Message): boolean {
  return MessageId > firstDemoId;
}
