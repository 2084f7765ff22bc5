import { hashText, type Random, seededRandom } from '../random.ts';
import { consentTypes, type OperatorPlayer } from './records.ts';

interface Place {
  country: string;
  currency: string;
  language: string;
  market: string;
  mobile_prefix: string;
  city: string;
  postal_code: string;
  street: string;
}

const places: readonly [Place, ...Place[]] = [
  {
    country: 'MT',
    currency: 'EUR',
    language: 'en',
    market: 'mt',
    mobile_prefix: '+356',
    city: 'Sliema',
    postal_code: 'SLM 1549',
    street: 'Triq it-Torri',
  },
  {
    country: 'DE',
    currency: 'EUR',
    language: 'de',
    market: 'de',
    mobile_prefix: '+49',
    city: 'Köln',
    postal_code: '50667',
    street: 'Große Straße',
  },
  {
    country: 'FI',
    currency: 'EUR',
    language: 'fi',
    market: 'fi',
    mobile_prefix: '+358',
    city: 'Jyväskylä',
    postal_code: '40100',
    street: 'Kauppakatu',
  },
  {
    country: 'SE',
    currency: 'SEK',
    language: 'sv',
    market: 'se',
    mobile_prefix: '46',
    city: 'Malmö',
    postal_code: '211 20',
    street: 'Södra Förstadsgatan',
  },
  {
    country: 'IE',
    currency: 'EUR',
    language: 'en-IE',
    market: 'ie',
    mobile_prefix: '+353',
    city: 'Galway',
    postal_code: 'H91 E2K3',
    street: "O'Brien's Lane",
  },
];

const firstNames = {
  F: ['Maria', 'Zoë', 'Anna-Lena', 'Siobhán', 'Åsa', 'Emma', 'Noora', 'Grażyna'],
  M: ['Luca', 'Jürgen', 'Mikko', 'Seán', 'Björn', 'Karl', 'Ali', 'Łukasz'],
} as const;
const lastNames = [
  'Borg',
  'Müller',
  'Virtanen',
  "O'Connor",
  'Lindström',
  'Camilleri',
  'Schneider',
  'van der Berg',
] as const;

/** The origin of all invented players. */
export const defaultOrigin = 'demo-casino.test';

/**
 * Invents a player from the id alone: the same id is the same person in every run and process. That is why the operator can
 * answer for millions of players that it never stored.
 */
export function makePlayer(
  userId: string,
  changes: { currency?: string; registration_date?: string } = {},
): OperatorPlayer {
  const random = seededRandom(`player/${userId}`);
  const place = random.pick(places);
  const sex = random.pick(['F', 'M'] as const);
  const first = firstNames[sex][random.whole(0, 7)] ?? 'Maria';
  const last = lastNames[random.whole(0, 7)] ?? 'Borg';
  const currency = changes.currency ?? place.currency;
  const mark = hashText(userId).toString(36);
  return {
    details: {
      address: `${place.street} ${random.whole(1, 240)}`,
      birth_date: `${random.whole(1950, 2004)}-${twoDigits(random.whole(1, 12))}-${twoDigits(random.whole(1, 28))}`,
      city: place.city,
      country: place.country,
      currency,
      email: `player.${mark}@mail.test`,
      first_name: first,
      is_blocked: false,
      is_excluded: false,
      language: place.language,
      last_name: last,
      mobile: digits(random, 9),
      mobile_prefix: place.mobile_prefix,
      origin: defaultOrigin,
      postal_code: place.postal_code,
      roles: random.chance(0.02) ? ['VIP'] : [],
      sex,
      title: sex === 'F' ? 'Ms' : 'Mr',
      user_id: userId,
      username: `${first.toLowerCase().replaceAll(/[^a-z]/g, '')}_${mark}`,
      ...(random.chance(0.8) ? { verified_at: '2024-02-11T09:30:15.123456Z' } : {}),
      registration_code: random.chance(0.2) ? 'WELCOME24' : '',
      registration_date: changes.registration_date ?? '2024-01-05T18:04:59.000001Z',
      affiliate_reference: random.chance(0.3) ? `aff-${random.whole(100, 140)}` : '',
      market: place.market,
      segmentation: {
        vip_level: random.whole(0, 5),
        special_segmentation: random.pick(['', 'high_roller', 'weekend']),
      },
    },
    consents: consentTypes.map((type) => ({ type, opted_in: random.chance(0.7) })),
    blocks: [
      { type: 'Excluded', active: false, note: '' },
      { type: 'Blocked', active: false, note: '' },
    ],
    wallet: { currency, real: 0, bonus: 0 },
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.whole(0, 9)).join('');
}
