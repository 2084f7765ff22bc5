import { informational, optional } from '../fields/field.ts';
import { freeText, label } from '../fields/text.ts';
import { truth } from '../fields/truth.ts';
import { origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

const from = {
  ip_address: informational(label('Address that the player came from.')),
  user_agent: informational(freeText("User agent of the player's browser.")),
  origin: informational(origin),
};

export const registration = message({
  kind: 'registration',
  fields: {
    user_id: userId,
    timestamp,
    url_referer: informational(freeText('Page that led the player to the registration.')),
    note: informational(freeText('Free note.')),
    ...from,
  },
  samples: {
    registration: {
      user_id: '7865312321',
      timestamp: '2026-03-01T18:27:58.123456Z',
      url_referer: 'https://affiliate.example/spring',
      note: 'registered at the spring campaign',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ip_address: '203.0.113.7',
      origin: 'www.example.com',
    },
  },
});

export const login = message({
  kind: 'login',
  fields: {
    user_id: userId,
    timestamp,
    is_impersonated: optional(
      truth('True if staff of the operator signed in as the player. It does not count as a login of the player.'),
    ),
    ...from,
  },
  samples: {
    login: {
      user_id: '7865312321',
      timestamp: '2026-03-02T08:15:03.000001Z',
      is_impersonated: false,
      ip_address: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      origin: 'www.example.com',
    },
  },
});

export const logout = message({
  kind: 'logout',
  fields: { user_id: userId, timestamp, origin: informational(origin) },
  samples: { logout: { user_id: '7865312321', timestamp: '2026-03-02T09:40:00Z', origin: 'www.example.com' } },
});
