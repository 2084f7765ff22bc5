import type { Micros, NotificationRecord } from '@croupier/contracts';
import type { DisplayType, NotificationRow } from './notification.ts';

/*
 * A message in the words of the notification API (docs/reference/interface.md, Notification record; docs/reference/decisions.md 8). One place for all: lists, the
 * socket and push tell the same message with the same bytes.
 */

/** `DisplayType` is told of inbox messages only. */
export type SiteRecord = NotificationRecord & { DisplayType?: DisplayType };

/** `Expires` of what never does: the interface wants a moment in this form, and pages compare it with theirs. */
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

/** YYYY-MM-DD HH:MM:SS, UTC; a fraction of a second is left out. */
export function siteTime(at: Micros): string {
  return new Date(Math.floor(at / 1_000)).toISOString().slice(0, 19).replace('T', ' ');
}

/** In Node since 21; the type library does not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * An object that JSON.stringify writes as it was: a number that a double would round, or write in another way (1.0, 1e2), keeps its
 * source text. Keys that look like indexes come first, as in every JavaScript object.
 */
export function exactObject(json: string): Record<string, unknown> {
  const exact = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value;
  return JSON.parse(json, exact as (this: unknown, key: string, value: unknown) => unknown);
}
