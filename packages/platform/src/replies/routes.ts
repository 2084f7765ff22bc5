import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { BrandRegistry, Vault } from '../brands/index.ts';
import { readChannelSettings } from '../channels/index.ts';
import { largestAnonymousBody } from '../http/callers.ts';
import type { Endpoint } from '../http/endpoints/endpoint.ts';
import { register } from '../http/endpoints/register.ts';
import type { FetchText } from './providers/sns.ts';
import { readTwilioReply, readTwilioStatus } from './providers/twilio.ts';
import { answerRefusals, Refused } from './refused.ts';
import { takeReply } from './take-reply.ts';
import { type ReportDeps, takeReports } from './take-reports.ts';
import { isSignedByTwilio } from './twilio-signature.ts';
import { brandIn, webhookRoutes } from './webhook-routes.ts';

export interface ReplyDeps extends ReportDeps {
  vault: Pick<Vault, 'open' | 'addressKey'>;
  brands: Pick<BrandRegistry, 'byCode'>;
  /** The public address of the installation, which providers call. */
  publicUrl: string;
  /** Fetches Amazon's certificates. Default: over https. */
  fetchText?: FetchText;
}

const signatureHeader = 'x-twilio-signature';

const twilioReply = {
  method: 'POST',
  path: '/channels/:brand/sms/twilio',
  tag: 'Replies',
  summary: 'Takes replies to SMS and delivery reports from Twilio; STOP withdraws the consent',
  // The signature is the credential. It covers the body, so it is checked after the body is read.
  may: 'anyone',
  params: Type.Object({ brand: Type.String() }),
  bodyBytes: largestAnonymousBody,
  // Valid calls do not count, because Twilio sends all replies from a few addresses.
  networkLimit: { burst: 200, per_second: 20, counts: 'failures' },
  answer: Type.String(),
  contentType: 'text/xml; charset=utf-8',
} as const satisfies Endpoint;

/** An empty answer, so that Twilio sends nothing back to the player. */
const noAnswer = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** The addresses to which providers send reports, as a plugin; register it without a prefix. */
export function replyRoutes(deps: ReplyDeps): FastifyPluginAsync {
  return async (server) => {
    await server.register(webhookRoutes(deps));
    await server.register(async (app) => {
      answerRefusals(app, deps);
      app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: unknown) => body);
      register(app, twilioReply, {
        clock: deps.clock,
        defaultBodyBytes: largestAnonymousBody,
        wrongPart: () => new Refused('not_found', 'This address does not exist.'),
        tooMany: (seconds) => new Refused('too_many_requests', 'Too many calls with a wrong signature.', seconds),
        // This runs before the body is read.
        admit: async ({ headers, params }) => {
          if (deps.brands.byCode(brandIn(params)) === undefined)
            throw new Refused('not_found', 'The brand does not exist.');
          if (typeof headers[signatureHeader] !== 'string') throw new Refused('forbidden', 'The call is not signed.');
        },
        handle: async ({ params }, request, reply) => {
          await takeCall(deps, params.brand, request);
          return reply.type(twilioReply.contentType).send(noAnswer);
        },
      });
    });
  };
}

async function takeCall(deps: ReplyDeps, code: string, { body, headers, url }: FastifyRequest): Promise<void> {
  const brand = deps.brands.byCode(code);
  const settings = brand && (await readChannelSettings(deps.pool, deps.vault, brand, 'sms'));
  if (brand === undefined || settings?.provider !== 'twilio')
    throw new Refused('not_found', 'The brand sends no SMS through Twilio.');
  const token = settings.reply_token ?? (settings.key_sid === undefined ? settings.auth_token : undefined);
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const address = `${deps.publicUrl.replace(/\/+$/, '')}${url}`;
  if (token === undefined || !isSignedByTwilio(token, address, form, String(headers[signatureHeader])))
    throw new Refused('forbidden', 'The signature is wrong.');
  // The call comes from another account with the same token. A subaccount belongs to another customer.
  if (form.get('AccountSid') !== settings.account_sid) throw new Refused('forbidden', 'Wrong account.');
  const status = form.get('MessageStatus');
  const isTaken =
    status === null
      ? await takeReply(deps, { brand, provider: 'twilio' }, readTwilioReply(form))
      : await takeReports(deps, { brand, channel: 'sms', provider: 'twilio' }, readTwilioStatus(form, url));
  if (isTaken.away) throw new Refused('store_unavailable', 'The report might not have been stored. Retry it.', 1);
}
