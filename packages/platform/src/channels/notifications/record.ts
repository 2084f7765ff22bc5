import type { Micros, NotificationRecord } from '@croupier/contracts';
import type { DisplayType, NotificationRow } from './notification.ts';

/*
 * A message in the form of the notification API (docs/reference/interface.md, Notification record; docs/reference/decisions.md
 * 8). Lists, the socket and push all use this file, so they return the same message with the same bytes.
 */

/** `DisplayType` is sent for inbox messages only. */
export type SiteRecord = NotificationRecord & { DisplayType?: DisplayType };

/**
 * `Expires` of a message that never expires: the interface requires a time in this form, and pages compare it with their clock.
 */
export const neverExpires = '9999-12-31 23:59:59';

export function recordOf(row: NotificationRow): SiteRecord {
  return {
    MessageId: row.message_id,
    UserId: row.player_id,
    Event: row.event,
    ...(row.event === 'inbox' && { DisplayType: row.display_type }),
    Title: row.title,
    Message: row.message,
    PreviewText: row.preview_text,
    FooterText: row.footer_text,
    Data: exactObject(row.data),
    CTAButtonLink: row.cta_button_link,
    CTAButtonText: row.cta_button_text,
    CTAButton2Link: row.cta_button2_link,
    CTAButton2Text: row.cta_button2_text,
    ImageUrl: row.image_url,
    IsRead: row.read_at !== null,
    Date: siteTime(row.live_at ?? row.created_at),
    Expires: row.expires_at === null ? neverExpires : siteTime(row.expires_at),
  };
}

/** YYYY-MM-DD HH:MM:SS, UTC, without fractions of a second. */
export function siteTime(at: Micros): string {
  return new Date(Math.floor(at / 1_000)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Available in Node since 21; the type library does not include it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * Parses an object so that JSON.stringify writes it back unchanged: a number that a double would round, or write in another way
 * (1.0, 1e2), keeps its source text. Keys that look like indexes come first, as in every JavaScript object.
 */
export function exactObject(json: string): Record<string, unknown> {
  const exact = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value;
  return JSON.parse(json, exact as (this: unknown, key: string, value: unknown) => unknown);
}
