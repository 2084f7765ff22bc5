import type { Trait } from './trait.ts';
import { count, daysSince, moment } from './wording.ts';

const isPlayers = 'login events without is_impersonated';

const lastLogin = moment(
  { name: 'login_last_at', meaning: 'Time of the latest login.', formula: `latest timestamp of ${isPlayers}` },
  { last: ['login.login_last_at'] },
);

export const loginTraits: readonly Trait[] = [
  count(
    { name: 'login_count', meaning: 'Number of logins of the player.', formula: `count of ${isPlayers}` },
    'login.login_count',
  ),
  moment(
    { name: 'login_first_at', meaning: 'Time of the first login.', formula: `earliest timestamp of ${isPlayers}` },
    { first: ['login.login_first_at'] },
  ),
  lastLogin,
  daysSince('days_since_login', lastLogin, 'Days since the latest login; 0 is today.'),
  count(
    { name: 'logout_count', meaning: 'Number of logouts of the player.', formula: 'count of logout events' },
    'login.logout_count',
  ),
  moment(
    { name: 'logout_last_at', meaning: 'Time of the latest logout.', formula: 'latest timestamp of logout events' },
    { last: ['login.logout_last_at'] },
  ),
];
