import { pushClickRequest } from '@croupier/contracts';
import Type from 'typebox';
import { markRead, noteClick, pushedMessage, recordActivities } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { refused, wrongBody } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { deviceLimit, pushAnswer, sampleToken, tag } from './documented-push.ts';

export const pushClicked = endpoint(
  {
    name: 'pushClicked',
    method: 'POST',
    path: '/Crm/PushClicked',
    tag,
    summary: 'Report that the player clicked a push notification',
    description: 'Its message counts as read. A second call changes nothing.',
    may: 'anyone',
    networkLimit: deviceLimit,
    body: pushClickRequest,
    bodyBytes: 1_024,
    bodyShown: { name: 'PushClickRequest', samples: { press: { Token: sampleToken } } },
    answer: Type.Null(),
    answerShown: pushAnswer('It is read.'),
    refusals: [wrongBody, refused('The token does not belong to a message.', 'unknown_notification')],
  },
  async ({ brand: { brand_id }, body }, { push, pool, clock, signals }) => {
    const delivery_id = push.tokens.read('click', brand_id, body.Token);
    if (delivery_id === null) throw new SiteRefusal('unknown_notification');
    const at = clock();
    const { outcome, signals: written } = await transaction(pool, async (tx) => {
      const pressed = await pushedMessage(tx, { brand_id, delivery_id });
      if (pressed === null) return { outcome: 'unknown', signals: [] };
      // Lock the message first, because code that withdraws a message locks it before its deliveries.
      const { player_id, message_id } = pressed;
      const read = await markRead(tx, player_id, message_id, at);
      await recordActivities(tx, player_id, [{ message_id, activity: 'clicked' }], at);
      await noteClick(tx, delivery_id, at);
      return read;
    });
    signals.poke(written);
    // The message was withdrawn or deleted in the meantime. The click is stored, and there is nothing to mark as read.
    if (outcome === 'unknown') throw new SiteRefusal('unknown_notification');
    return null;
  },
);
