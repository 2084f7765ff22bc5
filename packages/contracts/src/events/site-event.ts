import { freeObject } from '../fields/free.ts';
import { id } from '../fields/id.ts';
import { timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

/**
 * An event that a page of the player tracked (`Crm.track`). It is unverified: anyone can send any name with the
 * developer tools. It is therefore a separate kind. Even if it has the name of one of the operator's custom events, it
 * is counted and listed separately.
 */
export const siteEvent = message({
  kind: 'site_event',
  fields: {
    user_id: userId,
    timestamp,
    name: id('Name of the event, chosen by the page. Campaigns and segments refer to it.'),
    event_id: id('Identifier of the event. It distinguishes events that are otherwise equal.'),
    data: freeObject('Free keys and values of the event.'),
  },
  samples: {
    site_event: {
      user_id: '7865312321',
      timestamp: '2026-03-02T14:00:00.25Z',
      name: 'promotion_viewed',
      event_id: '6f2c1a90-4a3d-4c58-9a55-1f0f7b7a2c11',
      data: { promotion: 'spring', position: 2 },
    },
  },
});
