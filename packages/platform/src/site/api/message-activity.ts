import { messageActivityRequest } from '@croupier/contracts';
import Type from 'typebox';
import { recordActivities } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { refused } from './documented-answers.ts';
import { endpoint } from './endpoint.ts';

/** Actions on messages that pages report. Reading and deleting have their own calls in the interface (notifications.ts). */
export const reportMessageActivity = endpoint(
  {
    name: 'reportMessageActivity',
    method: 'POST',
    path: '/Crm/MessageActivity',
    tag: 'Notifications',
    summary: 'Report activities of notifications: shown, clicked, closed',
    description:
      'Only the first report of each activity counts, so you can safely repeat it. Combine the activities of about a second into one call. Unknown ids are skipped. A closed notification stays unread. Use this call in a custom front end; the browser script calls it automatically.',
    may: 'player',
    // A page batches its reports for a second, so this is more than any page sends.
    playerLimit: { burst: 60, per_second: 2 },
    body: messageActivityRequest,
    bodyBytes: 16 * 1_024,
    bodyShown: {
      name: 'MessageActivityRequest',
      samples: {
        activities: {
          Items: [
            { MessageId: 1201, Activity: 'shown' },
            { MessageId: 1201, Activity: 'closed' },
          ],
        },
      },
    },
    answer: Type.Boolean(),
    answerShown: { name: 'MessageActivityAnswer', sample: true, means: 'The activities are recorded.' },
    refusals: [
      refused('The body does not match the schema. The message names the field.', 'malformed_json', 'invalid_request'),
    ],
  },
  async ({ caller: { player_id }, body }, { pool, clock, signals }) => {
    const activities = body.Items.map(({ MessageId, Activity }) => ({ message_id: MessageId, activity: Activity }));
    signals.poke(await transaction(pool, (tx) => recordActivities(tx, player_id, activities, clock())));
    return true;
  },
);
