import type { NotificationRecord } from '@croupier/contracts';

export const sampleNotification: NotificationRecord = {
  MessageId: 1201,
  UserId: 51,
  Event: 'inbox',
  DisplayType: 'push',
  Title: 'Your free spins are here',
  Message: '<p>Ten spins on Lucky Lanterns are waiting for you.</p>',
  PreviewText: 'Ten spins on Lucky Lanterns',
  FooterText: '<small>Terms apply.</small>',
  Data: { campaign: 'spring' },
  CTAButtonLink: 'https://www.example.com/games/lucky-lanterns',
  CTAButtonText: 'Play now',
  CTAButton2Link: '',
  CTAButton2Text: '',
  ImageUrl: 'https://www.example.com/img/lanterns.jpg',
  IsRead: false,
  Date: '2026-03-02 14:00:00',
  Expires: '2026-03-09 14:00:00',
};
