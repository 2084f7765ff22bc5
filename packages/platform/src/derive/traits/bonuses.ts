import type { Trait } from './trait.ts';
import { amount, count, daysSince, moment } from './wording.ts';

const granted = 'bonuses (user_bonus_id) that are not Reversed, at their first event';

const lastGranted = moment(
  { name: 'bonus_granted_last_at', meaning: 'Time of the latest bonus.', formula: `latest of ${granted}` },
  { last: ['bonus.granted_last_at'] },
);

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
      formula: 'bonus_granted_sum / bonus_granted_count; none without a bonus',
    },
    { ratio: { sum: ['bonus.granted_sum'] }, to: { sum: ['bonus.granted_count'] } },
  ),
  count(
    {
      name: 'bonus_turned_real_count',
      meaning: 'Number of bonuses of which something became real money.',
      formula: 'count of bonuses whose bonus_turned_real is above 0, as the latest event that carries it says',
    },
    'bonus.turned_real_count',
  ),
  amount(
    {
      name: 'bonus_turned_real_sum',
      meaning: 'Bonus money that became real money.',
      formula:
        'sum of bonus_turned_real x exchange_rate of the latest event of each bonus that carries it, at the event that brought it there',
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
  daysSince('days_since_bonus', lastGranted, 'Days since the latest bonus was granted; 0 is today.'),
];
