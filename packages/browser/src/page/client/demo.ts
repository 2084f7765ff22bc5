import { readKey, readText } from '../config/read.ts';
import { serverNow } from './http.ts';
import { firstDemoId, type Message } from './store.ts';
import { siteTime } from './time.ts';

/*
 * A message that the page creates itself (docs/reference/interface.md, Endpoints D). It needs no server, and no server
 * knows it. Its HTML is cleaned like all HTML when it is put on the page.
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

/** @param given the values that the page passed; a value that is not text counts as missing */
export function demoMessage(given: unknown): Message {
  const text = (key: string) => readText(readKey(given, key));
  // If the page passes no texts, the message is an example. Each of its texts is the name of its field.
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
