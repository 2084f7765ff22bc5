import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import type { NotificationRow } from './notification.ts';
import { exactObject, recordOf } from './record.ts';

test.each([
  '{"id":12345678901234567890,"amount":1.0,"small":1e-400,"text":"1.0"}',
  '{"b":1,"a":{"z":[1,2.50],"y":null}}',
  '{}',
])('data stays unchanged: %s', (json) => {
  expect(JSON.stringify(exactObject(json))).toBe(json);
});

const row: NotificationRow = {
  message_id: 7,
  brand_id: 1,
  player_id: 51,
  channel: 'site',
  purpose: 'marketing',
  event: 'message',
  display_type: 'push',
  title: 'T',
  message: '<p>M</p>',
  preview_text: 'P',
  footer_text: 'F',
  data: '{"a":1}',
  cta_button_link: '/a',
  cta_button_text: 'A',
  cta_button2_link: '',
  cta_button2_text: '',
  image_url: '',
  campaign_id: null,
  created_at: noon,
  created_by: 'x',
  expires_at: noon + 1_999_999,
  state: 'live',
  reason: null,
  state_since: noon,
  decision_id: 1,
  live_at: noon + 999_999,
  read_at: null,
  ended_by: null,
  due_at: null,
  shown_at: null,
  clicked_at: null,
  closed_at: null,
  deleted_at: null,
};

test('a record has the fields of the interface, with times in whole seconds of UTC', () => {
  expect(recordOf(row)).toEqual({
    MessageId: 7,
    UserId: 51,
    Event: 'message',
    Title: 'T',
    Message: '<p>M</p>',
    PreviewText: 'P',
    FooterText: 'F',
    Data: { a: 1 },
    CTAButtonLink: '/a',
    CTAButtonText: 'A',
    CTAButton2Link: '',
    CTAButton2Text: '',
    ImageUrl: '',
    IsRead: false,
    Date: '2026-05-01 12:00:00',
    Expires: '2026-05-01 12:00:01',
  });
});

test('only inbox messages have a DisplayType; a message that never expires has an Expires, too', () => {
  const record = recordOf({ ...row, event: 'inbox', display_type: 'silent', expires_at: null, read_at: noon });
  expect(record).toMatchObject({ DisplayType: 'silent', Expires: '9999-12-31 23:59:59', IsRead: true });
});
