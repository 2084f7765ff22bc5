import { largestList } from '../../channels/index.ts';
import { SiteRefusal } from './envelope.ts';

/** As Fastify parses it: a name that comes twice is a list. */
export type Query = Record<string, unknown>;

export interface Listing {
  unreadOnly: boolean;
  inboxOnly: boolean;
  withoutInbox: boolean;
  withoutClosed: boolean;
  limit: number;
  before: number | null;
}

/**
 * The filters of the list (docs/reference/decisions.md 8): unread-only, inbox-only, limit, before; and two of ours: without-inbox, by which a page finds its
 * modals and banners behind any number of inbox messages, and without-closed, which leaves out those that the player closed. Others are ignored. @throws {SiteRefusal}
 */
export function readListing(query: Query): Listing {
  return {
    unreadOnly: flagOf(query, 'unread-only'),
    inboxOnly: flagOf(query, 'inbox-only'),
    withoutInbox: flagOf(query, 'without-inbox'),
    withoutClosed: flagOf(query, 'without-closed'),
    limit: wholeNumberOf(query, 'limit', largestList) ?? largestList,
    before: wholeNumberOf(query, 'before', Number.MAX_SAFE_INTEGER),
  };
}

/** Absent is false; true and false in this spelling; anything else is refused, for a page that writes 1 means something. */
export function flagOf(query: Query, name: string): boolean {
  const text = query[name];
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw new SiteRefusal('invalid_request', { message: `${name} must be true or false.` });
}

function wholeNumberOf(query: Query, name: string, most: number): number | null {
  const text = query[name];
  if (text === undefined) return null;
  const number = readMessageId(text);
  if (number !== null && number <= most) return number;
  throw new SiteRefusal('invalid_request', { message: `${name} must be an integer from 1 to ${most}.` });
}

/** A positive integer, also as a text of digits (docs/reference/decisions.md 1: tolerant in form). Null: it is none. */
export function readMessageId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || !/^[1-9]\d{0,15}$/.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}
