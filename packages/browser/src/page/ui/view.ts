import type { Actions, Message, State } from '../client/store.ts';
import type { Settings } from '../config/settings.ts';
import type { Child } from './draw/element.ts';

/** What every part of the screen is drawn from. */
export interface View extends Shown {
  state: State;
  actions: Actions;
  inbox: Settings['inbox'];
  /** A key that nobody knows is its own text. */
  text(key: string): string;
  trust(html: string): string;
  /** Drawn entries of the list by the JSON of their message, so that an entry in which nothing differs is drawn once. */
  entryCache: { drawn?: Record<string, Child> };
  /** The message that is deleted if the player says yes. */
  asked: number | null;
  ask(messageId: number | null): void;
  /** Older messages are on their way. */
  isPaging: boolean;
  /** Asks for older messages, once at a time. */
  page(): void;
}

export interface Shown {
  modal: Message | undefined;
  shoutout: Message | undefined;
  hint: Message | undefined | false;
  /** The open message of the inbox. */
  detail: Message | undefined;
}

/** Of each kind of arrival one at a time, in the order in which they came. A hint would say what the open inbox already shows. */
export function shownOf({ arrivals, inbox, inboxOpen, openId }: State): Shown {
  const first = (event: Message['Event']) => arrivals.find(({ Event }) => Event === event);
  return {
    modal: first('message'),
    shoutout: first('shoutout'),
    hint: !inboxOpen && first('inbox'),
    detail: inbox.find(({ MessageId }) => MessageId === openId),
  };
}

/** Messages that the player can see: modal, banner, hint, and what the open inbox shows. */
export function idsOnScreen(
  { modal, shoutout, hint, detail }: Shown,
  { inbox, inboxOpen }: State,
  withInbox: boolean,
): number[] {
  const ofInbox = inboxOpen ? (detail ? [detail] : inbox) : [hint];
  return [modal, shoutout, ...(withInbox ? ofInbox : [])].flatMap((one) => (one ? [one.MessageId] : []));
}
