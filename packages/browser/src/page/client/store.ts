import type { NotificationRecord } from '@croupier/contracts/site';

/** A notification as the script holds it. DisplayType comes with inbox messages only. */
export type Message = NotificationRecord & { DisplayType?: 'silent' | 'push' };

/** Everything the screen shows is a function of this. Never changed in place: a new one each time. */
export interface State {
  /** idle: not initialised, or logged out. loading: the first list. offline: shown as last known, as there is no network, or lists are not to be had; tried again by itself, and only a list ends it. signed_out: the session is not valid, or over. */
  phase: 'idle' | 'loading' | 'ready' | 'offline' | 'signed_out';
  /** Inbox messages, newest first; those of other players are never here. */
  inbox: readonly Message[];
  /** Older ones can be fetched. */
  hasMore: boolean;
  /** Of the whole inbox, not only of what was fetched. */
  unread: number;
  inboxOpen: boolean;
  /** The inbox message that is open, or null for the list. */
  openId: number | null;
  /** Modals and banners that wait to be shown; the first of each kind is on the screen. */
  arrivals: readonly Message[];
  /** A change that was taken back because the server refused it, or cannot be reached: shown until dismissed. */
  problem: 'read_failed' | 'delete_failed' | 'load_failed' | null;
  /** The brand's address for questions, for a page that names none; known once a player is. Stays when the player goes: it is nobody's. */
  contactEmail?: string | undefined;
}

/** What the screen can ask for. All return at once; what fails is visible in `problem`, and the change is taken back. */
export interface Actions {
  toggleInbox(): void;
  closeInbox(): void;
  open(messageId: number): void;
  backToList(): void;
  /** Marks the whole inbox as read, also what was not fetched yet. */
  readAll(): void;
  remove(messageId: number): void;
  loadMore(): void;
  /** Messages are on the screen. Called with each drawing. */
  shown(messageIds: readonly number[]): void;
  /** The player closed a modal, banner or hint. It stays unread, is not shown again by itself, and the next one comes. */
  close(messageId: number): void;
  /** A hint goes by itself. */
  hide(messageId: number): void;
  /** The player followed a button or link of a message: it is read, and a modal or banner goes. */
  follow(messageId: number): void;
  dismissProblem(): void;
}

export interface Store {
  get(): State;
  /** Called after every change. @returns how to stop. */
  subscribe(listener: () => void): () => void;
  actions: Actions;
}

/** Numbers above it are no server's: messages that the page made up (`demoMessage`). They stand on top, as the newest do. */
export const firstDemoId = 5e15;

export function isDemo({ MessageId }: Message): boolean {
  return MessageId > firstDemoId;
}
