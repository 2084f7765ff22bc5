import type { Trait, TraitSource } from './trait.ts';
import { amount, count, daysSince, moment } from './wording.ts';

const granted = 'bonuses (user_bonus_id) that are not Reversed, each at the time of its first event';

const lastGranted = moment(
  { name: 'bonus_granted_last_at', meaning: 'Time of the latest bonus.', formula: `latest of ${granted}` },
  { last: ['bonus.granted_last_at'] },
);

const active = 'bonuses whose status is Created or Ongoing';

function ofActive(
  show: Extract<TraitSource, { from: 'active_bonuses' }>['show'],
  words: Pick<Trait, 'name' | 'kind' | 'unit' | 'meaning' | 'formula'>,
): Trait {
  return { ...words, windows: 'lifetime', source: { from: 'active_bonuses', show } };
}

const activeTraits: readonly Trait[] = [
  ofActive('count', {
    name: 'bonus_active_count',
    kind: 'number',
    unit: 'count',
    meaning: 'Number of active bonuses of the player.',
    formula: `count of ${active}`,
  }),
  ofActive('base_amount', {
    name: 'bonus_active_sum',
    kind: 'amount',
    unit: 'base_currency',
    meaning: 'Sum of the active bonuses of the player.',
    formula: `sum of amount x exchange_rate of ${active}`,
  }),
  ofActive('base_required_wagering', {
    name: 'bonus_active_wagering_left',
    kind: 'amount',
    unit: 'base_currency',
    meaning: "Remaining wagering of the player's active bonuses, if the operator reports it.",
    formula: `sum of required_wagering_amount x exchange_rate of ${active}, each from its latest event that contains the amount; null if no event contains it`,
  }),
  ofActive('oldest_at', {
    name: 'bonus_active_oldest_at',
    kind: 'timestamp',
    unit: 'timestamp',
    meaning: 'Time at which the oldest active bonus of the player was granted.',
    formula: `earliest grant of ${active}`,
  }),
  ofActive('next_expiry_at', {
    name: 'bonus_next_expiry_at',
    kind: 'timestamp',
    unit: 'timestamp',
    meaning: 'Time at which the next bonus or offer of the player expires.',
    formula:
      `earliest future expiry of ${active}, and of offers of the platform that the player has not claimed. ` +
      'The expiry of a bonus is expires_at, expiry_date, expiration_date, valid_until or expires in its meta',
  }),
];

export const bonusTraits: readonly Trait[] = [
  count(
    { name: 'bonus_granted_count', meaning: 'Number of bonuses granted.', formula: `count of ${granted}` },
    'bonus.granted_count',
  ),
  amount(
    {
      name: 'bonus_granted_sum',
      meaning: 'Sum of the bonuses granted.',
      formula: `sum of amount x exchange_rate of ${granted}`,
    },
    { sum: ['bonus.granted_sum'] },
  ),
  amount(
    {
      name: 'bonus_granted_average',
      meaning: 'Average bonus granted.',
      formula: 'bonus_granted_sum / bonus_granted_count; null if there is no bonus',
    },
    { ratio: { sum: ['bonus.granted_sum'] }, to: { sum: ['bonus.granted_count'] } },
  ),
  count(
    {
      name: 'bonus_turned_real_count',
      meaning: 'Number of bonuses that turned at least partly into real money.',
      formula: 'count of bonuses whose bonus_turned_real is above 0, according to the latest event that contains it',
    },
    'bonus.turned_real_count',
  ),
  amount(
    {
      name: 'bonus_turned_real_sum',
      meaning: 'Bonus money that became real money.',
      formula:
        'sum of bonus_turned_real x exchange_rate of the latest event of each bonus that contains it, at the time of the event that introduced the value',
    },
    { sum: ['bonus.turned_real_sum'] },
  ),
  count(
    {
      name: 'bonus_forfeited_count',
      meaning: 'Number of bonuses forfeited.',
      formula: 'count of bonuses whose latest status is Forfeited',
    },
    'bonus.forfeited_count',
  ),
  amount(
    {
      name: 'bonus_forfeited_sum',
      meaning: 'Sum of the bonuses forfeited.',
      formula: 'sum of amount x exchange_rate of bonuses whose latest status is Forfeited',
    },
    { sum: ['bonus.forfeited_sum'] },
  ),
  count(
    {
      name: 'bonus_expired_count',
      meaning: 'Number of bonuses expired.',
      formula: 'count of bonuses whose latest status is Expired',
    },
    'bonus.expired_count',
  ),
  moment(
    { name: 'bonus_granted_first_at', meaning: 'Time of the first bonus.', formula: `earliest of ${granted}` },
    { first: ['bonus.granted_first_at'] },
  ),
  lastGranted,
  ...activeTraits,
  daysSince('days_since_bonus', lastGranted, 'Days since the latest bonus was granted; 0 is today.'),
];
