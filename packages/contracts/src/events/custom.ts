import { freeObject } from '../fields/free.ts';
import { id } from '../fields/id.ts';
import { origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

export const custom = message({
  kind: 'custom',
  fields: {
    user_id: userId,
    timestamp,
    notification_type: id('Name of the event, chosen by the operator. Campaigns and segments refer to it.'),
    origin,
    data: freeObject('Free keys and values of the event.'),
  },
  samples: {
    custom: {
      user_id: '7865312321',
      timestamp: '2026-03-02T14:00:00Z',
      notification_type: 'wheel_of_fortune_spun',
      origin: 'www.example.com',
      data: { prize: 'free_spins', spins: 10 },
    },
  },
});
