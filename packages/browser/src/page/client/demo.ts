import { readKey } from '../config/read.ts';
import type { Message } from './store.ts';

/*
 * A message that the page makes up (interface.md, demoMessage): it needs no server and is on no server. Its number is negative,
 * which no other one's is. Its HTML is cleaned where all HTML is, when it is put on the page.
 */
export interface DemoOptions {
  Event?: 'message' | 'shoutout' | 'inbox';
  DisplayType?: 'silent' | 'push';
  Title?: string;
  Message?: string;
  PreviewText?: string;
  FooterText?: string;
  CTAButtonLink?: string;
  CTAButtonText?: string;
  CTAButton2Link?: string;
  CTAButton2Text?: string;
  ImageUrl?: string;
  /** YYYY-MM-DD HH:MM:SS, UTC. */
  Expires?: string;
}

const events: readonly string[] = ['message', 'shoutout', 'inbox'] satisfies Message['Event'][];
const example = { Title: 'Demo message', Message: '<p>This is what a message looks like.</p>' };
const maxLength = 20_000;
let lastId = 0;

/** @param given Whatever the page passed: what is no text counts as not given. @param now Milliseconds. */
export function demoMessage(given: unknown, now: number): Message {
  const text = (key: keyof DemoOptions, otherwise = '') => {
    const value = readKey(given, key);
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, maxLength) : otherwise;
  };
  const event = text('Event');
  // Without a word of its own it is the example whole.
  const { Title, Message } = text('Title') || text('Message') ? { Title: '', Message: '' } : example;
  return {
    MessageId: --lastId,
    UserId: 0,
    Event: events.includes(event) ? (event as Message['Event']) : 'message',
    DisplayType: text('DisplayType') === 'silent' ? 'silent' : 'push',
    Title: text('Title', Title),
    Message: text('Message', Message),
    PreviewText: text('PreviewText'),
    FooterText: text('FooterText'),
    Data: {},
    CTAButtonLink: text('CTAButtonLink'),
    CTAButtonText: text('CTAButtonText'),
    CTAButton2Link: text('CTAButton2Link'),
    CTAButton2Text: text('CTAButton2Text'),
    ImageUrl: text('ImageUrl'),
    IsRead: false,
    Date: siteTime(now),
    Expires: text('Expires'),
  };
}

/** Milliseconds since 1970 in the form of the notification record. */
export function siteTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
