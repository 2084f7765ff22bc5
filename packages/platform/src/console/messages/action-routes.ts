import { type Micros, readTimestampText } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { MessageKeyReused, neverExpires, playerChannels, readRecall, UnfitNotification } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { recallCampaign, recallOne, sendMessage } from './endpoints.ts';
import { memberText } from './json-member.ts';
import { presentRecall } from './present-message.ts';
import { noMessage } from './routes.ts';

/** Portions of a recall that are done before its order is answered, of a thousand messages each; a worker does the others. */
const portionsAtOnce = 3;

/** What people and automation do about messages: send them, recall one or those of a campaign. Each leaves an audit row. */
export function messageActionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, gate, signals } = deps;

  serve(app, sendMessage, async ({ access, brand, params, body, bodyText, requestKey }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const { expires, campaign_id = null, data: _, ...content } = body;
    const wanted = {
      ...content,
      data: memberText(bodyText, 'data') ?? '{}',
      brand_id: brand.brand_id,
      player_id: player.player_id,
      campaign_id,
      expires_at: readExpires(expires ?? null),
      created_by: access.actor,
      request_key: requestKey,
    };
    const { signals: written, ...made } = await transaction(pool, async (tx) => {
      const [created] = await playerChannels.send(tx, gate, content.channel, [wanted], clock()).catch(refuse);
      if (created === undefined) throw new Error('no message was made');
      const { message_id, state, repeated } = created;
      if (!repeated) {
        const { channel, purpose, event } = content;
        const details = { channel, purpose, event, campaign_id, state };
        await record(deps, access, { action: 'message.sent', brand, subject: `message ${message_id}`, details }, tx);
      }
      return created;
    });
    signals.poke(written);
    return made;
  });

  serve(app, recallOne, async ({ access, brand, params: { message_id } }) => {
    const recalled = await transaction(pool, async (tx) => {
      const wanted = { brand_id: brand.brand_id, message_id, by: access.actor };
      const result = await playerChannels.recall(tx, wanted, clock());
      if (result?.recalled) {
        const entry = { action: 'message.recalled', brand, subject: `message ${message_id}` } as const;
        await record(deps, access, entry, tx);
      }
      return result;
    });
    if (recalled === null) throw noMessage(message_id);
    signals.poke(recalled.signals);
    return { message_id, state: recalled.state, recalled: recalled.recalled };
  });

  serve(app, recallCampaign, async ({ access, brand, body: { campaign_id } }) => {
    const { brand_id } = brand;
    const { recall_id, advance } = await transaction(pool, async (tx) => {
      const order = { brand_id, campaign_id, requested_at: clock(), requested_by: access.actor };
      // One channel keeps messages of its own today, the inbox; the answer has room for one recall.
      const [ordered] = await playerChannels.recallCampaign(tx, order);
      if (ordered === undefined) throw new Error('no channel recalls campaigns');
      const details = { recall_id: ordered.recall_id };
      const entry = {
        action: 'message.campaign_recalled',
        brand,
        subject: `campaign ${campaign_id}`,
        details,
      } as const;
      await record(deps, access, entry, tx);
      return ordered;
    });
    // Two more, for the ends of its phases.
    for (let left = portionsAtOnce + 2; left > 0; left--) {
      const advanced = await advance({ pool, clock });
      signals.poke(advanced?.signals ?? []);
      if (advanced === null || advanced.done) break;
    }
    const recall = await readRecall(pool, brand_id, recall_id);
    if (recall === null) throw new Error(`recall ${recall_id} is gone`);
    return presentRecall(recall);
  });
}

/** @throws {Refused} for what is no moment; whether it is in the future is seen where the message is made */
function readExpires(text: string | null): Micros | null {
  if (text === null || text === '' || text === neverExpires) return null;
  const written = readTimestampText(text);
  if (written !== undefined) return written.micros;
  const message = 'expires must be a moment such as 2026-06-01T00:00:00Z, or 2026-06-01 00:00:00 in UTC';
  throw new Refused('invalid_request', message, { errors: [{ path: 'expires', rule: 'date-time', message }] });
}

function refuse(error: unknown): never {
  if (error instanceof UnfitNotification) {
    throw new Refused('invalid_request', error.message, { errors: error.errors });
  }
  throw error instanceof MessageKeyReused ? new Refused('conflict', `Idempotency-Key: ${error.message}`) : error;
}
