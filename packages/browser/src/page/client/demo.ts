import { readKey, readText } from '../config/read.ts';
import { serverNow } from './http.ts';
import { firstDemoId, type Message } from './store.ts';
import { siteTime } from './time.ts';

/*
 * A message that the page makes up (docs/reference/interface.md, Endpoints D): it needs no server and is on no server. Its HTML is cleaned where all
 * HTML is, when it is put on the page.
 */
const options = [
  'Title',
  'Message',
  'PreviewText',
  'FooterText',
  'CTAButtonLink',
  'CTAButtonText',
  'CTAButton2Link',
  'CTAButton2Text',
  'ImageUrl',
  /** YYYY-MM-DD HH:MM:SS, UTC. */
  'Expires',
] as const;
let lastId = firstDemoId;

/** @param given Whatever the page passed: what is no text counts as not given. */
export function demoMessage(given: unknown): Message {
  const text = (key: string) => readText(readKey(given, key));
  // Without words of its own it is an example, each of whose texts says which one it is.
  const texts = Object.fromEntries(
    options.map((key) => [
      key,
      text(key) || (!text('Title') && !text('Message') && /Title|Message|Text/.test(key) ? key : ''),
    ]),
  ) as Record<(typeof options)[number], string>;
  const event = text('Event');
  return {
    ...texts,
    MessageId: ++lastId,
    UserId: 0,
    Event: event === 'shoutout' || event === 'inbox' ? event : 'message',
    DisplayType: text('DisplayType') === 'silent' ? 'silent' : 'push',
    Data: {},
    IsRead: false,
    Date: siteTime(serverNow()),
  };
}
