import type { Actions, Message, State } from '../client/store.ts';
import type { Settings } from '../config/settings.ts';
import type { Child } from './draw/element.ts';

/** The data from which every part of the screen is drawn. */
export interface View extends Shown {
  state: State;
  actions: Actions;
  inbox: Settings['inbox'];
  /** Returns the text of a key. An unknown key is returned unchanged. */
  text(key: string): string;
  trust(html: string): string;
  /** Drawn entries of the list, by the JSON of their message, so that an unchanged entry is drawn only once. */
  entryCache: { drawn?: Record<string, Child> };
  /** The message that is deleted if the player confirms. */
  messageToDelete: number | null;
  ask(messageId: number | null): void;
  /** The messages of the list: all, or only those that are open or unread, or were unread when they were deleted. */
  listed: readonly Message[];
  unreadOnly: boolean;
  toggleUnreadOnly(): void;
  /** True while older messages are loading. */
  isPaging: boolean;
  /** Requests older messages. Only one request is made at a time. */
  page(): void;
}

export interface Shown {
  modal: Message | undefined;
  shoutout: Message | undefined;
  hint: Message | undefined | false;
  /** The open message of the inbox. */
  detail: Message | undefined;
}

/**
 * Returns one arrival of each kind, in the order in which they arrived. There is no hint while the inbox is open,
 * because the inbox already shows the message.
 */
export function shownOf({ arrivals, inbox, inboxOpen, openId }: State): Shown {
  const first = (event: Message['Event']) => arrivals.find(({ Event }) => Event === event);
  return {
    modal: first('message'),
    shoutout: first('shoutout'),
    hint: !inboxOpen && first('inbox'),
    detail: inbox.find(({ MessageId }) => MessageId === openId),
  };
}

/** Returns the ids of the messages that the player can see: modal, banner, hint, and the content of the open inbox. */
export function idsOnScreen(
  { modal, shoutout, hint, detail }: Shown,
  { inbox, inboxOpen }: State,
  withInbox: boolean,
): number[] {
  const ofInbox = inboxOpen ? (detail ? [detail] : inbox) : [hint];
  return [modal, shoutout, ...(withInbox ? ofInbox : [])].flatMap((one) => (one ? [one.MessageId] : []));
}
