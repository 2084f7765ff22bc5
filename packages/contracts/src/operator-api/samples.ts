import type { BlocksRecord, ConsentsRecord, UserDetails } from './player-records.ts';

export const sampleUserDetails: UserDetails = {
  user_id: '7865312321',
  username: 'lucky_lantern',
  title: 'Ms',
  first_name: 'Ada',
  last_name: 'Example',
  sex: 'Female',
  birth_date: '1990-04-17',
  email: 'ada@example.com',
  mobile_prefix: '+356',
  mobile: '79000000',
  address: '1 Harbour Street',
  postal_code: 'VLT 1000',
  city: 'Valletta',
  country: 'MT',
  language: 'en',
  currency: 'EUR',
  market: 'mt',
  origin: 'www.example.com',
  is_blocked: false,
  is_excluded: false,
  roles: ['PLAYER'],
  registration_code: '',
  registration_date: '2026-03-01T18:27:58.123456Z',
  verified_at: '2026-03-01T18:40:10.000000Z',
  affiliate_reference: 'AFF-12',
  segmentation: { vip_level: 2, special_segmentation: 'spring' },
};

export const sampleConsents: ConsentsRecord = {
  consents: [
    { type: 'Email', opted_in: true },
    { type: 'SMS', opted_in: true },
    { type: 'Telephone', opted_in: false },
    { type: 'PostMail', opted_in: false },
    { type: 'SiteNotification', opted_in: true },
    { type: 'PushNotification', opted_in: true },
  ],
};

export const sampleBlocks: BlocksRecord = {
  blocks: [
    { type: 'Excluded', active: false, note: '' },
    { type: 'Blocked', active: true, note: 'Documents are missing' },
  ],
};
