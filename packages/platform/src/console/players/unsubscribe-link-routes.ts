import { type ConsentType, consentTypes } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type LinkForm, linkForms } from '../../hosted/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

/** Channels as the gate names them, and the consent that each requires. The interface's names of consents are accepted, too. */
export const linkChannels = {
  email: 'Email',
  sms: 'SMS',
  telephone: 'Telephone',
  post_mail: 'PostMail',
  site: 'SiteNotification',
  push: 'PushNotification',
} as const satisfies Record<string, ConsentType>;

export const unsubscribeLinkEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/unsubscribe-link',
  tag: 'Players',
  summary: 'The unsubscribe link of a player for a channel',
  description:
    'The same call always returns the same link. The link never expires, and anyone who has it can stop messages to the player. Therefore the call requires the permission to change consents.',
  may: 'player.protect',
  params: PlayerParams,
  body: Type.Object(
    {
      channel: Type.Enum([...Object.keys(linkChannels), ...consentTypes], {
        description: 'The channel to unsubscribe from',
      }),
      form: Type.Optional(
        Type.Enum([...linkForms], {
          description: 'short: fewer characters, for SMS. Default: short for SMS, otherwise full',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({ url: Type.String() }),
});

export function unsubscribeLinkRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, links } = deps;
  const byName: Readonly<Record<string, ConsentType>> = linkChannels;

  serve(app, unsubscribeLinkEndpoint, async ({ access, brand, params, body }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const channel = byName[body.channel] ?? (body.channel as ConsentType);
    const url = links.link({ brand_id: brand.brand_id, player_id, channel }, body.form as LinkForm | undefined);
    // The link itself is not in the audit, because anyone who has the link can use it.
    const details = { channel };
    await record(deps, access, {
      action: 'player.unsubscribe_link_read',
      brand,
      subject: `player ${player_id}`,
      details,
    });
    return { url };
  });
}
