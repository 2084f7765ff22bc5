import type { Message } from '../../src/page/client/store.ts';

/** Returns an unread inbox message of the player, without an expiry. */
export function message(MessageId: number, more: Partial<Message> = {}): Message {
  return {
    MessageId,
    UserId: 51,
    Event: 'inbox',
    DisplayType: 'silent',
    Title: `Message ${MessageId}`,
    Message: '<p>Hello</p>',
    PreviewText: '',
    FooterText: '',
    Data: {},
    CTAButtonLink: '',
    CTAButtonText: '',
    CTAButton2Link: '',
    CTAButton2Text: '',
    ImageUrl: '',
    IsRead: false,
    Date: '2026-03-02 14:00:00',
    Expires: '9999-12-31 23:59:59',
    ...more,
  };
}
